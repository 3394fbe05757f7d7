#include "testing/scenarios/fake_steps.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/types/span.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {

using fakes::DriverAct;
using fakes::DriverMethod;
using fakes::PluginAct;
using fakes::PluginMethod;
using fakes::ScriptedPlugin;
using List = ::v1beta1::ListAndWatchResponse;

namespace {

template <typename Script, typename Fault>
void ArmScript(Script& script, const Fault& fault) {
  const auto method = MethodOfCall(fault.call());
  if (!fault.always()) return script.At(method, script.CallCount(method) + std::max(1, fault.nth()), StepOf(fault));
  // Calls that hang are answered, too.
  if (fault.act() == Fault::ANSWER) script.Forget(method);
  script.Always(method, StepOf(fault));
}

}  // namespace

List ListOf(const google::protobuf::RepeatedPtrField<proto::Device>& devices) {
  List list;
  for (const proto::Device& device : devices) {
    ::v1beta1::Device& added = *list.add_devices();
    added.set_id(device.id());
    added.set_health(device.health().empty() ? "Healthy" : device.health());
    if (device.empty_topology()) added.mutable_topology();
    for (const int numa : device.numa()) added.mutable_topology()->add_nodes()->set_id(numa);
  }
  return list;
}

ScriptedPlugin::Options OptionsOf(const proto::StartPlugin& start) {
  ScriptedPlugin::Options options;
  options.options.set_pre_start_required(start.pre_start_required());
  options.options.set_get_preferred_allocation_available(start.preferred_allocation());
  options.devices = start.count() > 0
                        ? fakes::NumberedDevices(start.id_prefix().empty() ? "dev-" : start.id_prefix(), start.count())
                        : ListOf(start.devices());
  if (!start.cdi_kind().empty()) {
    options.allocate = [kind = start.cdi_kind()](absl::Span<const std::string> ids) {
      ::v1beta1::ContainerAllocateResponse answer = fakes::AnswerWithDeviceIds(ids);
      for (const std::string& id : ids) answer.add_cdi_devices()->set_name(absl::StrCat(kind, "=", id));
      return answer;
    };
  }
  return options;
}

fakes::ScriptedDriver::Options OptionsOf(const proto::StartDriver& start) {
  fakes::ScriptedDriver::Options options;
  if (start.share_ids_size() == 0) return options;
  options.devices = [shares = start.share_ids()](const dra::ClaimId& claim) {
    std::vector<dra::ClaimDevice> devices;
    for (const std::string& share : shares) {
      devices.push_back(fakes::OneDevice(claim).front());
      devices.back().share_id = share;
      devices.back().cdi_device_ids.Set({absl::StrCat("example.com/fake=", claim.uid, "-", share)});
    }
    return devices;
  };
  return options;
}

PluginMethod MethodOfCall(proto::PluginFault::Call call) {
  switch (call) {
    case proto::PluginFault::GET_DEVICE_PLUGIN_OPTIONS:
      return PluginMethod::kGetOptions;
    case proto::PluginFault::LIST_AND_WATCH:
      return PluginMethod::kListAndWatch;
    case proto::PluginFault::GET_PREFERRED_ALLOCATION:
      return PluginMethod::kGetPreferredAllocation;
    case proto::PluginFault::PRE_START_CONTAINER:
      return PluginMethod::kPreStartContainer;
    default:
      return PluginMethod::kAllocate;
  }
}

fakes::PluginStep StepOf(const proto::PluginFault& fault) {
  static constexpr PluginAct kActs[] = {PluginAct::kNoContainers, PluginAct::kExtraContainer, PluginAct::kOtherIds,
                                        PluginAct::kExtraIds,     PluginAct::kEndStream,      PluginAct::kDie};
  if (fault.act() == proto::PluginFault::FAIL) {
    return {.act = PluginAct::kFail, .error = absl::Status(*CodeOfName(fault.code()), fault.message())};
  }
  if (fault.act() == proto::PluginFault::HANG) return {.held = true};
  if (fault.act() == proto::PluginFault::DELAY) return {.delay = *DurationOf(fault.delay())};
  if (fault.act() < proto::PluginFault::NO_CONTAINERS || fault.act() > proto::PluginFault::DIE) return {};
  return {.act = kActs[fault.act() - proto::PluginFault::NO_CONTAINERS]};
}

DriverMethod MethodOfCall(proto::DriverFault::Call call) {
  static constexpr DriverMethod kMethods[] = {DriverMethod::kPrepare, DriverMethod::kUnprepare, DriverMethod::kGetInfo,
                                              DriverMethod::kNotify};
  return kMethods[call - proto::DriverFault::NODE_PREPARE_RESOURCES];
}

fakes::DriverStep StepOf(const proto::DriverFault& fault) {
  static constexpr DriverAct kActs[] = {DriverAct::kClaimError, DriverAct::kSkipClaim, DriverAct::kUnknownClaim,
                                        DriverAct::kNoDevices, DriverAct::kDie};
  fakes::DriverStep step{.held = fault.act() == proto::DriverFault::HANG};
  step.error = absl::Status(*CodeOfName(fault.code()), fault.message());
  if (fault.act() == proto::DriverFault::DELAY) step.delay = *DurationOf(fault.delay());
  if (fault.act() == proto::DriverFault::FAIL) step.act = DriverAct::kFail;
  if (fault.act() >= proto::DriverFault::CLAIM_ERROR && fault.act() <= proto::DriverFault::DIE) {
    step.act = kActs[fault.act() - proto::DriverFault::CLAIM_ERROR];
  }
  return step;
}

void Arm(fakes::PluginScript& script, const proto::PluginFault& fault) { ArmScript(script, fault); }

void Arm(fakes::DriverScript& script, const proto::DriverFault& fault) { ArmScript(script, fault); }

std::string EndpointOf(const std::string& plugin) {
  return absl::StrCat(absl::StrReplaceAll(plugin, {{"/", "_"}}), ".sock");
}

dra::ClaimObject ClaimOf(const proto::AddClaim& claim, const std::set<std::string>& reserved_for) {
  dra::ClaimObject object;
  object.id = {"default", claim.claim(), claim.uid().empty() ? absl::StrCat(claim.claim(), "-uid") : claim.uid()};
  object.driver_name = claim.drivers(0);  // what kubelets until 1.30 ask for
  object.allocation.emplace();
  for (const proto::AddClaim::Allocated& one : claim.allocated()) {
    object.allocation->results.push_back(
        {.request = one.request(), .driver = one.driver(), .pool = one.pool(), .device = one.device()});
  }
  for (const std::string& driver : claim.drivers()) {
    if (claim.allocated_size() > 0) break;
    object.allocation->results.push_back({.request = "req", .driver = driver, .pool = "pool", .device = "dev-0"});
  }
  for (const std::string& pod : reserved_for) {
    object.reserved_for.push_back({.api_group = "", .resource = "pods", .name = pod, .uid = pod});
  }
  return object;
}

}  // namespace kubelet_cm::scenarios
