// Which devices a container gets: those that its pod can use again, then those on the NUMA nodes that topology asks
// for, then others; the plugin is asked what it prefers where there is a choice.
//
// The plugin's answer takes a call, during which no lock is held. So picking has two phases, and the second one starts
// from what is available then:
//
//   Pick pick = *StartPick(request);                       // lock held: reserve pick.ids
//   if (pick.question) answer = ... ask the plugin ...     // no lock held
//   ids = *FinishPick(request_now, pick, answer);          // lock held: reserve the rest
//
// Pure functions. Equal inputs give equal outcomes: inside each group devices are taken in the order of their ids.
#ifndef KUBELET_CM_DEVICEPLUGIN_ALLOCATION_DEVICE_PICKER_H_
#define KUBELET_CM_DEVICEPLUGIN_ALLOCATION_DEVICE_PICKER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/node/numa_mask.h"

namespace kubelet_cm::deviceplugin {

// A device that is healthy and held by nobody. Refers to the list of devices.
struct CandidateDevice {
  std::string_view id;
  absl::Span<const int> numa_nodes;  // none: the device tells of no node
};

struct PickRequest {
  std::string resource_name;               // for errors
  int64_t count = 0;                       // devices in all, above 0
  std::vector<std::string> reusable;       // of the pod's earlier containers
  std::vector<CandidateDevice> available;  // ids are unique; none is reserved, not by this pick either
  bool has_topology = false;               // any device of the resource, available or not, tells of a node
  std::optional<NumaMask> affinity;        // nothing: topology asks for no nodes
  bool ask_preferred = false;              // the plugin offers GetPreferredAllocation
};

// The arguments of GetPreferredAllocation. Lists are sorted.
struct PreferredQuestion {
  std::vector<std::string> available;  // with those of must_include
  std::vector<std::string> must_include;
  int64_t size = 0;

  friend bool operator==(const PreferredQuestion&, const PreferredQuestion&) = default;
};

struct Pick {
  std::vector<std::string> ids;               // chosen so far; sorted
  std::optional<PreferredQuestion> question;  // nothing: the pick is complete
};

// ResourceExhausted if there are not enough.
absl::StatusOr<Pick> StartPick(const PickRequest& request);

// All ids of the pick, sorted. Of `preferred` only those count that the plugin was offered and that are available
// still. `request` is as before but for `available`. ResourceExhausted if so many have gone meanwhile that there are
// too few.
absl::StatusOr<std::vector<std::string>> FinishPick(const PickRequest& request, const Pick& pick,
                                                    absl::Span<const std::string> preferred);

// The available devices by what topology asks for. Ids of each group are sorted.
struct AffinityGroups {
  std::vector<std::string> aligned;      // on at least one of the nodes
  std::vector<std::string> unaligned;    // on others only
  std::vector<std::string> no_affinity;  // on none; all, if no device tells of nodes or topology asks for none
};
AffinityGroups SplitByAffinity(const PickRequest& request);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ALLOCATION_DEVICE_PICKER_H_
