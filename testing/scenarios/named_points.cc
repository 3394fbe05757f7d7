#include "testing/scenarios/named_points.h"

#include <algorithm>

#include "absl/strings/str_join.h"

namespace kubelet_cm::scenarios {
namespace {

NamedPoint Sent(std::string_view name, std::string_view call, std::string_view meaning) {
  return {.name = name, .meaning = meaning, .call = call, .op = {}, .path = {}, .after = false};
}

NamedPoint Answered(std::string_view name, std::string_view call, std::string_view meaning) {
  return {.name = name, .meaning = meaning, .call = call, .op = {}, .path = {}, .after = true};
}

NamedPoint Done(std::string_view name, std::string_view op, std::string_view path, std::string_view meaning) {
  return {.name = name, .meaning = meaning, .call = {}, .op = op, .path = path, .after = true};
}

}  // namespace

const std::vector<NamedPoint>& NamedPoints() {
  static const auto* const kPoints = new std::vector<NamedPoint>{
      Sent("registration_sent", "Register", "a plugin registers, and the kubelet has not heard of it"),
      Answered("options_answered", "GetDevicePluginOptions", "a plugin has told its options, and not its devices"),
      Answered("registration_answered", "Register", "a plugin is registered, and not told so"),
      Answered("list_answered", "ListAndWatch", "a plugin's list has come, and is not written"),
      Answered("preference_answered", "GetPreferredAllocation",
               "a plugin has said what it prefers, and is not asked for it"),
      Sent("devices_chosen", "Allocate", "devices are chosen, and their plugin is not asked for them"),
      Answered("devices_answered", "Allocate", "a plugin has answered for its devices, and they are not written"),
      Done("devices_written", "rename", "/kubelet_internal_checkpoint$",
           "the devices' file is written, and what comes next is not begun"),
      Done("pod_written", "rename", "/kubelet_cm/pods/[^.]", "a pod's record is written, and nobody is answered"),
      Sent("claim_intent_written", "NodePrepareResources",
           "that a claim is to be prepared is written, as it is since 1.31, and its driver is not asked"),
      Answered("claim_answered", "NodePrepareResources",
               "a driver has prepared a claim, and what it answered is not written"),
      Done("claims_written", "rename", "/dra_manager_state$",
           "the claims' file is written, and what comes next is not begun; since 1.31 the first of two is an intent"),
      Answered("start_answered", "PreStartContainer",
               "a plugin has done what it does before a start, and the container is not told of"),
      Sent("unprepare_due", "NodeUnprepareResources", "a claim's last pod goes, and its driver is not asked"),
      Answered("unprepare_answered", "NodeUnprepareResources",
               "a driver has unprepared a claim, and that is not written"),
      Done("pod_removed", "unlink", "/kubelet_cm/pods/[^.]",
           "a pod's record is gone, and the devices' file still has it"),
  };
  return *kPoints;
}

std::optional<NamedPoint> NamedPointOf(std::string_view name) {
  const std::vector<NamedPoint>& points = NamedPoints();
  const auto found =
      std::find_if(points.begin(), points.end(), [name](const NamedPoint& point) { return point.name == name; });
  if (found == points.end()) return std::nullopt;
  return *found;
}

std::string NamesOfPoints() {
  return absl::StrJoin(NamedPoints(), ", ", [](std::string* out, const NamedPoint& point) { out->append(point.name); });
}

}  // namespace kubelet_cm::scenarios
