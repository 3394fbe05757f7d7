#include "deviceplugin/topology/hint_decision.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace kubelet_cm::deviceplugin {

size_t UnionSize(absl::Span<const std::string> a, absl::Span<const std::string> b) {
  const size_t in_both = std::count_if(
      a.begin(), a.end(), [&](const std::string& id) { return std::binary_search(b.begin(), b.end(), id); });
  return a.size() + b.size() - in_both;
}

HintDecision DecideDeviceHints(const HintRequest& request, absl::Span<const std::string> held) {
  if (!HasTopology(request.devices)) return {HintReason::kNoTopology, std::nullopt};
  const std::vector<TopologyHint> impossible;
  if (!held.empty()) {
    if (!std::cmp_equal(held.size(), request.requested)) return {HintReason::kRequestChanged, impossible};
    HintRequest again = request;
    again.available = held;
    again.reusable = {};
    return {HintReason::kAlreadyHeld, GenerateDeviceHints(again)};
  }
  if (std::cmp_less(UnionSize(request.available, request.reusable), request.requested)) {
    return {HintReason::kUnavailable, impossible};
  }
  return {HintReason::kGenerated, GenerateDeviceHints(request)};
}

}  // namespace kubelet_cm::deviceplugin
