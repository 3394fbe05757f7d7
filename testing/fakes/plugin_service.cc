#include "testing/fakes/plugin_service.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/status/grpc_status.h"
#include "deviceplugin/api/v1alpha.grpc.pb.h"
#include "deviceplugin/api/v1beta1.grpc.pb.h"
#include "testing/fakes/legacy_answer.h"

namespace kubelet_cm::fakes {
namespace {

using deviceplugin::PluginApi;

constexpr MonotonicTime kNever = MonotonicTime::InfiniteFuture();

template <typename Field>
std::vector<std::string> Strings(const Field& field) {
  return {field.begin(), field.end()};
}

// A synchronous handler is not told that nobody listens any more: it looks now and then.
constexpr absl::Duration kLook = absl::Milliseconds(50);

// A stream and who is at its other end.
template <typename Message>
struct Listener {
  grpc::ServerContext& context;
  grpc::ServerWriter<Message>& writer;
};

// Writes what the feed brings, each list as `convert` makes it, until the stream ends or nobody listens any more.
template <typename Message, typename Convert>
grpc::Status Feed(ScriptedPlugin& plugin, ScriptedPlugin::SessionId session, Listener<Message> listener,
                  Convert convert) {
  const absl::StatusOr<ScriptedPlugin::StreamId> stream = plugin.OpenStream(session);
  if (!stream.ok()) return ToGrpcStatus(stream.status());
  const auto next = [&] { return plugin.feed().Next(*stream, plugin.clock().MonotonicNow() + kLook); };
  absl::StatusOr<std::shared_ptr<const DeviceFeed::List>> list = next();
  while (list.ok() && !listener.context.IsCancelled()) {
    if (*list != nullptr && !listener.writer.Write(convert(**list))) break;
    list = next();
  }
  plugin.feed().Forget(*stream);
  return absl::IsOutOfRange(list.status()) ? grpc::Status::OK : ToGrpcStatus(list.status());
}

template <typename Response>
grpc::Status Answer(absl::StatusOr<Response> answer, Response* response) {
  if (!answer.ok()) return ToGrpcStatus(answer.status());
  *response = *std::move(answer);
  return grpc::Status::OK;
}

class PluginService : public ::v1beta1::DevicePlugin::Service {
 public:
  PluginService(ScriptedPlugin& plugin, ScriptedPlugin::SessionId session) : plugin_(plugin), session_(session) {}

  grpc::Status GetDevicePluginOptions(grpc::ServerContext*, const ::v1beta1::Empty*,
                                      ::v1beta1::DevicePluginOptions* response) override {
    return Answer(plugin_.GetOptions(session_, kNever), response);
  }
  grpc::Status ListAndWatch(grpc::ServerContext* context, const ::v1beta1::Empty*,
                            grpc::ServerWriter<::v1beta1::ListAndWatchResponse>* writer) override {
    return Feed(plugin_, session_, Listener<::v1beta1::ListAndWatchResponse>{*context, *writer},
                [](const DeviceFeed::List& list) -> const DeviceFeed::List& { return list; });
  }
  grpc::Status GetPreferredAllocation(grpc::ServerContext*, const ::v1beta1::PreferredAllocationRequest* request,
                                      ::v1beta1::PreferredAllocationResponse* response) override {
    if (request->container_requests_size() != 1) return NotOneContainer();
    const ::v1beta1::ContainerPreferredAllocationRequest& container = request->container_requests(0);
    return Answer(plugin_.Prefer(session_,
                                 {.ids = Strings(container.available_deviceids()),
                                  .must_include = Strings(container.must_include_deviceids()),
                                  .size = container.allocation_size()},
                                 kNever),
                  response);
  }
  grpc::Status Allocate(grpc::ServerContext*, const ::v1beta1::AllocateRequest* request,
                        ::v1beta1::AllocateResponse* response) override {
    if (request->container_requests_size() != 1) return NotOneContainer();
    return Answer(plugin_.Allocate(session_, {.ids = Strings(request->container_requests(0).devices_ids())}, kNever),
                  response);
  }
  grpc::Status PreStartContainer(grpc::ServerContext*, const ::v1beta1::PreStartContainerRequest* request,
                                 ::v1beta1::PreStartContainerResponse*) override {
    return ToGrpcStatus(plugin_.PreStart(session_, {.ids = Strings(request->devices_ids())}, kNever));
  }

 private:
  static grpc::Status NotOneContainer() {
    return grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "a kubelet asks about one container at a time");
  }

  ScriptedPlugin& plugin_;
  const ScriptedPlugin::SessionId session_;
};

class LegacyPluginService : public ::deviceplugin::DevicePlugin::Service {
 public:
  LegacyPluginService(PluginApi api, ScriptedPlugin& plugin, ScriptedPlugin::SessionId session)
      : api_(api), plugin_(plugin), session_(session) {}

  grpc::Status ListAndWatch(grpc::ServerContext* context, const ::deviceplugin::Empty*,
                            grpc::ServerWriter<::deviceplugin::ListAndWatchResponse>* writer) override {
    return Feed(plugin_, session_, Listener<::deviceplugin::ListAndWatchResponse>{*context, *writer}, ToLegacyList);
  }
  grpc::Status Allocate(grpc::ServerContext*, const ::deviceplugin::AllocateRequest* request,
                        ::deviceplugin::AllocateResponse* response) override {
    const std::vector<std::string> ids = Strings(request->devicesids());
    const absl::StatusOr<::v1beta1::AllocateResponse> answer = plugin_.Allocate(session_, {.ids = ids}, kNever);
    if (answer.ok()) *response = ToLegacyAnswer(api_, ids, *answer);
    return ToGrpcStatus(answer.status());
  }

 private:
  const PluginApi api_;
  ScriptedPlugin& plugin_;
  const ScriptedPlugin::SessionId session_;
};

}  // namespace

std::unique_ptr<grpc::Service> NewPluginService(PluginApi api, ScriptedPlugin& plugin,
                                                ScriptedPlugin::SessionId session) {
  if (api == PluginApi::kV1Beta1) return std::make_unique<PluginService>(plugin, session);
  return std::make_unique<LegacyPluginService>(api, plugin, session);
}

}  // namespace kubelet_cm::fakes
