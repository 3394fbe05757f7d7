#include "testing/fakes/scripted_plugin.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::fakes {
namespace {

const std::vector<std::string>& StrangeIds() {
  static const auto* const ids = new std::vector<std::string>{"nobody-mentioned-me"};
  return *ids;
}

bool Contains(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

}  // namespace

::v1beta1::ListAndWatchResponse NumberedDevices(std::string_view prefix, int count, int numa_nodes) {
  ::v1beta1::ListAndWatchResponse list;
  for (int i = 0; i < count; ++i) {
    ::v1beta1::Device& device = *list.add_devices();
    device.set_id(absl::StrCat(std::string(prefix), i));
    device.set_health("Healthy");
    if (numa_nodes > 0) device.mutable_topology()->add_nodes()->set_id(i % numa_nodes);
  }
  return list;
}

::v1beta1::ContainerAllocateResponse AnswerWithDeviceIds(absl::Span<const std::string> ids) {
  ::v1beta1::ContainerAllocateResponse answer;
  (*answer.mutable_envs())["FAKE_DEVICES"] = absl::StrJoin(ids, ",");
  return answer;
}

std::vector<std::string> PreferTheFirst(const PluginCall& question) {
  std::vector<std::string> preferred = question.must_include;
  for (const std::string& id : question.ids) {
    if (static_cast<int32_t>(preferred.size()) >= question.size) break;
    if (!Contains(preferred, id)) preferred.push_back(id);
  }
  return preferred;
}

ScriptedPlugin::ScriptedPlugin(Threads& threads, Options options)
    : clock_(threads.clock()), options_(std::move(options)), script_(threads), feed_(threads, options_.devices) {}

void ScriptedPlugin::OnDeath(std::function<void(SessionId)> on_death) {
  MutexLock lock(&mu_);
  on_death_ = std::move(on_death);
}

void ScriptedPlugin::CloseSession(SessionId session, const absl::Status& why) {
  script_.CloseSession(session, why);
  MutexLock lock(&mu_);
  closed_.try_emplace(session, why);
  const auto [first, last] = streams_.equal_range(session);
  for (auto stream = first; stream != last; ++stream) feed_.End(stream->second, why);
  streams_.erase(first, last);
}

ScriptedPlugin::SessionId ScriptedPlugin::OpenSession() {
  const SessionId session = script_.OpenSession();
  bool killed = false;
  {
    MutexLock lock(&mu_);
    sessions_.push_back(session);
    killed = killed_;
  }
  if (killed) CloseSession(session, absl::UnavailableError("Socket closed"));
  return session;
}

void ScriptedPlugin::Kill() {
  std::vector<SessionId> sessions;
  {
    MutexLock lock(&mu_);
    killed_ = true;
    sessions = sessions_;
  }
  for (const SessionId session : sessions) CloseSession(session, absl::UnavailableError("Socket closed"));
}

void ScriptedPlugin::Die(SessionId session) {
  CloseSession(session, absl::UnavailableError("Socket closed"));
  std::function<void(SessionId)> on_death;
  {
    MutexLock lock(&mu_);
    on_death = on_death_;
  }
  if (on_death) on_death(session);
}

absl::StatusOr<PluginAct> ScriptedPlugin::Begin(SessionId session, PluginMethod method, PluginCall call,
                                                MonotonicTime deadline) {
  call.method = method;
  ASSIGN_OR_RETURN(const PluginStep step, script_.Begin(session, std::move(call), deadline));
  if (step.act == PluginAct::kDie) {
    Die(session);
    return absl::UnavailableError("Socket closed");
  }
  if (step.act == PluginAct::kEndStream) feed_.EndAll(absl::OutOfRangeError("EOF"));
  return step.act;
}

absl::StatusOr<::v1beta1::DevicePluginOptions> ScriptedPlugin::GetOptions(SessionId session, MonotonicTime deadline) {
  RETURN_IF_ERROR(Begin(session, PluginMethod::kGetOptions, {}, deadline).status());
  return options_.options;
}

absl::StatusOr<::v1beta1::AllocateResponse> ScriptedPlugin::Allocate(SessionId session, PluginCall call,
                                                                     MonotonicTime deadline) {
  std::vector<std::string> ids = call.ids;
  ASSIGN_OR_RETURN(const PluginAct act, Begin(session, PluginMethod::kAllocate, std::move(call), deadline));
  ::v1beta1::AllocateResponse response;
  if (act == PluginAct::kNoContainers) return response;
  if (act == PluginAct::kOtherIds) ids = StrangeIds();
  if (act == PluginAct::kExtraIds) ids.insert(ids.end(), StrangeIds().begin(), StrangeIds().end());
  *response.add_container_responses() = options_.allocate(ids);
  if (act == PluginAct::kExtraContainer) *response.add_container_responses() = options_.allocate(StrangeIds());
  return response;
}

absl::StatusOr<::v1beta1::PreferredAllocationResponse> ScriptedPlugin::Prefer(SessionId session, PluginCall call,
                                                                              MonotonicTime deadline) {
  PluginCall question = call;
  ASSIGN_OR_RETURN(const PluginAct act,
                   Begin(session, PluginMethod::kGetPreferredAllocation, std::move(call), deadline));
  ::v1beta1::PreferredAllocationResponse response;
  if (act == PluginAct::kNoContainers) return response;
  if (act == PluginAct::kExtraIds) question.size = static_cast<int32_t>(question.ids.size());
  std::vector<std::string> ids = act == PluginAct::kOtherIds ? StrangeIds() : options_.prefer(question);
  if (act == PluginAct::kExtraIds) ids.insert(ids.end(), StrangeIds().begin(), StrangeIds().end());
  ::v1beta1::ContainerPreferredAllocationResponse& container = *response.add_container_responses();
  for (const std::string& id : ids) container.add_deviceids(id);
  if (act == PluginAct::kExtraContainer) response.add_container_responses()->add_deviceids(StrangeIds().front());
  return response;
}

absl::Status ScriptedPlugin::PreStart(SessionId session, PluginCall call, MonotonicTime deadline) {
  return Begin(session, PluginMethod::kPreStartContainer, std::move(call), deadline).status();
}

absl::StatusOr<ScriptedPlugin::StreamId> ScriptedPlugin::OpenStream(SessionId session) {
  ASSIGN_OR_RETURN(const PluginAct act,
                   Begin(session, PluginMethod::kListAndWatch, {}, MonotonicTime::InfiniteFuture()));
  MutexLock lock(&mu_);
  if (const auto closed = closed_.find(session); closed != closed_.end()) return closed->second;
  const StreamId stream = feed_.Open();
  streams_.emplace(session, stream);
  if (act == PluginAct::kEndStream) feed_.End(stream, absl::OutOfRangeError("EOF"));
  return stream;
}

}  // namespace kubelet_cm::fakes
