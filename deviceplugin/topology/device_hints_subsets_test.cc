// Hints against their definition: every subset of the nodes, and every device for each.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/random/seeded_random.h"
#include "deviceplugin/topology/device_hints.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using Nodes = std::vector<int>;
using Ids = std::vector<std::string>;

struct Node {
  std::map<std::string, Nodes> devices;
  Nodes machine;
  int64_t requested = 0;
  Ids available;
  Ids reusable;
};

class Subsets {
 public:
  explicit Subsets(const Node& node) : node_(node) {}

  std::vector<TopologyHint> Hints() {
    std::set<int> universe;
    for (const auto& [id, nodes] : node_.devices) {
      for (const int n : nodes) {
        if (std::count(node_.machine.begin(), node_.machine.end(), n) > 0) universe.insert(n);
      }
    }
    if (universe.empty()) universe.insert(node_.machine.begin(), node_.machine.end());
    universe_.assign(universe.begin(), universe.end());
    smallest_ = universe_.size();
    for (size_t size = 1; size <= universe_.size(); ++size) {
      Nodes chosen;
      Choose(0, size, &chosen);
    }
    for (TopologyHint& hint : hints_) hint.preferred = static_cast<size_t>(hint.nodes->Count()) == smallest_;
    return hints_;
  }

 private:
  void Choose(size_t from, size_t size, Nodes* chosen) {
    if (chosen->size() == size) return Consider(*chosen);
    for (size_t i = from; i < universe_.size(); ++i) {
      chosen->push_back(universe_[i]);
      Choose(i + 1, size, chosen);
      chosen->pop_back();
    }
  }

  static bool Touches(const Nodes& set, const Nodes& device) {
    return std::any_of(device.begin(), device.end(),
                       [&](int node) { return std::count(set.begin(), set.end(), node) > 0; });
  }

  Nodes PlaceOf(const std::string& id) const {
    const auto found = node_.devices.find(id);
    return found == node_.devices.end() ? Nodes() : found->second;
  }

  void Consider(const Nodes& set) {
    int64_t in_set = 0;
    for (const auto& [id, nodes] : node_.devices) in_set += Touches(set, nodes) ? 1 : 0;
    if (in_set >= node_.requested) smallest_ = std::min(smallest_, set.size());
    int64_t matching = 0;
    for (const std::string& id : node_.reusable) {
      if (PlaceOf(id).empty()) continue;
      if (!Touches(set, PlaceOf(id))) return;
      ++matching;
    }
    for (const std::string& id : node_.available) matching += Touches(set, PlaceOf(id)) ? 1 : 0;
    if (matching >= node_.requested) hints_.push_back({.nodes = NumaMask::Of(set), .preferred = false});
  }

  const Node& node_;
  Nodes universe_;
  size_t smallest_ = 0;
  std::vector<TopologyHint> hints_;
};

Nodes RandomNodes(Random* random, const Nodes& machine) {
  std::set<int> nodes;
  for (uint64_t i = random->Below(4); i > 0; --i) {
    const bool exists = !machine.empty() && random->Below(12) != 0;
    nodes.insert(exists ? machine[random->Below(machine.size())] : static_cast<int>(random->Below(64)));
  }
  return {nodes.begin(), nodes.end()};
}

Node RandomNode(Random* random) {
  Node node;
  std::set<int> machine;
  for (uint64_t i = random->Below(7); i > 0; --i) machine.insert(static_cast<int>(random->Below(64)));
  node.machine.assign(machine.begin(), machine.end());
  // The devices keep to some of the machine's nodes.
  Nodes hosting = node.machine;
  if (!hosting.empty()) hosting.resize(1 + random->Below(hosting.size()));
  const uint64_t device_count = random->Below(14);
  const uint64_t available_of_four = random->Below(5);
  for (uint64_t i = 0; i < device_count; ++i) {
    const std::string id = absl::StrCat("device", 10 + i);
    if (random->Below(15) != 0) node.devices[id] = RandomNodes(random, hosting);
    if (random->Below(4) < available_of_four) {
      node.available.push_back(id);
    } else if (random->Below(3) == 0) {
      node.reusable.push_back(id);
    }
  }
  node.requested = static_cast<int64_t>(random->Below(device_count + 2));
  return node;
}

TEST(DeviceHintsSubsetsTest, TheHintsAreThoseOfGoingThroughAllSubsets) {
  size_t hint_count = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    SeededRandom random(seed);
    const Node node = RandomNode(&random);
    std::vector<HintDevice> devices;
    for (const auto& [id, nodes] : node.devices) devices.push_back({.id = id, .numa_nodes = nodes});
    const auto hints = GenerateDeviceHints({.devices = devices,
                                            .machine_nodes = node.machine,
                                            .requested = node.requested,
                                            .available = node.available,
                                            .reusable = node.reusable});
    ASSERT_EQ(hints, Subsets(node).Hints()) << "seed " << seed;
    hint_count += hints.size();
  }
  EXPECT_GT(hint_count, 1000) << "the cases say too little";
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
