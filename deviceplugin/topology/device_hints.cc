#include "deviceplugin/topology/device_hints.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "absl/container/btree_set.h"
#include "common/node/numa_mask.h"

namespace kubelet_cm::deviceplugin {
namespace {

// A set of places; bit p is place p. Of two sets of one size the one with lower nodes is the larger number, because
// the place of the highest node is 0.
using Places = uint32_t;

const HintDevice* FindDevice(absl::Span<const HintDevice> devices, std::string_view id) {
  const auto found =
      std::lower_bound(devices.begin(), devices.end(), id,
                       [](const HintDevice& device, std::string_view wanted) { return device.id < wanted; });
  return found == devices.end() || found->id != id ? nullptr : &*found;
}

// The machine's nodes that host devices, or all of them if none does or all are asked for.
NumaMask NodesToConsider(const HintRequest& request) {
  const NumaMask machine = NumaMask::Of(request.machine_nodes);
  if (request.every_machine_node) return machine;
  NumaMask hosting;
  for (const HintDevice& device : request.devices) hosting = hosting.Or(NumaMask::Of(device.numa_nodes));
  hosting = hosting.And(machine);
  return hosting.IsEmpty() ? machine : hosting;
}

// What sets of nodes are made of: nodes, or all nodes as one where they are too many.
std::vector<NumaMask> PlacesOf(NumaMask nodes) {
  if (nodes.Count() > kMostHintNodes) return {nodes};
  std::vector<NumaMask> places;
  for (const int node : nodes.Nodes()) places.push_back(NumaMask::OfOne(node));
  std::reverse(places.begin(), places.end());
  return places;
}

Places Touched(absl::Span<const NumaMask> places, const HintDevice& device) {
  const NumaMask nodes = NumaMask::Of(device.numa_nodes);
  Places touched = 0;
  for (size_t place = 0; place < places.size(); ++place) {
    if (!nodes.And(places[place]).IsEmpty()) touched |= Places{1} << place;
  }
  return touched;
}

NumaMask NodesOf(absl::Span<const NumaMask> places, Places set) {
  NumaMask nodes;
  for (Places rest = set; rest != 0; rest &= rest - 1) nodes = nodes.Or(places[std::countr_zero(rest)]);
  return nodes;
}

// How many of some devices touch a set of places. Devices are added first, then it is sealed, then asked.
class TouchCounts {
 public:
  explicit TouchCounts(size_t place_count) : inside_(size_t{1} << place_count) {}

  void Add(Places touched) {
    ++inside_[touched];
    ++total_;
  }

  // From "touches exactly" to "touches at most": place by place, what a set has without the place is added.
  void Seal() {
    for (size_t bit = 1; bit < inside_.size(); bit *= 2) {
      for (size_t set = 0; set < inside_.size(); ++set) {
        if ((set & bit) != 0) inside_[set] += inside_[set - bit];
      }
    }
  }

  // All but those that lie in the rest.
  int64_t Touching(Places set) const { return total_ - inside_[(inside_.size() - 1) & ~size_t{set}]; }
  int64_t total() const { return total_; }

 private:
  std::vector<int64_t> inside_;
  int64_t total_ = 0;
};

struct DeviceCounts {
  TouchCounts all;
  TouchCounts available;
  TouchCounts reusable;
};

DeviceCounts CountDevices(const HintRequest& request, absl::Span<const NumaMask> places) {
  DeviceCounts counts{TouchCounts(places.size()), TouchCounts(places.size()), TouchCounts(places.size())};
  for (const HintDevice& device : request.devices) counts.all.Add(Touched(places, device));
  for (const std::string& id : request.available) {
    const HintDevice* device = FindDevice(request.devices, id);
    if (device != nullptr) counts.available.Add(Touched(places, *device));
  }
  for (const std::string& id : request.reusable) {
    const HintDevice* device = FindDevice(request.devices, id);
    if (device != nullptr && !device->numa_nodes.empty()) counts.reusable.Add(Touched(places, *device));
  }
  counts.all.Seal();
  counts.available.Seal();
  counts.reusable.Seal();
  return counts;
}

}  // namespace

std::vector<TopologyHint> GenerateDeviceHints(const HintRequest& request) {
  const NumaMask universe = NodesToConsider(request);
  const std::vector<NumaMask> places = PlacesOf(universe);
  const DeviceCounts counts = CountDevices(request, places);
  const Places every_place = (Places{1} << places.size()) - 1;

  int smallest = universe.Count();
  std::vector<TopologyHint> hints;
  for (int size = 1; size <= std::popcount(every_place); ++size) {
    for (Places set = every_place; set != 0; --set) {
      if (std::popcount(set) != size) continue;
      const NumaMask nodes = NodesOf(places, set);
      if (counts.all.Touching(set) >= request.requested) smallest = std::min(smallest, nodes.Count());
      const int64_t reusable = counts.reusable.Touching(set);
      if (reusable != counts.reusable.total()) continue;
      if (reusable + counts.available.Touching(set) < request.requested) continue;
      hints.push_back({.nodes = nodes, .preferred = false});
    }
  }
  for (TopologyHint& hint : hints) hint.preferred = hint.nodes->Count() == smallest;
  return hints;
}

std::vector<int> NodesNotOnMachine(absl::Span<const HintDevice> devices, absl::Span<const int> machine_nodes) {
  absl::btree_set<int> nodes;
  for (const HintDevice& device : devices) nodes.insert(device.numa_nodes.begin(), device.numa_nodes.end());
  for (const int node : machine_nodes) nodes.erase(node);
  return {nodes.begin(), nodes.end()};
}

bool HasTopology(absl::Span<const HintDevice> devices) {
  return std::any_of(devices.begin(), devices.end(),
                     [](const HintDevice& device) { return !device.numa_nodes.empty(); });
}

}  // namespace kubelet_cm::deviceplugin
