// NodeEvents: the seam to whoever wants to know what happens on the node: plugins come and go, devices change, pods are
// admitted, state is written. For people and for watchers; nothing is decided by it.
//
// Thread-safe, and never waits: it may be called wherever no lock is held.
#ifndef KUBELET_CM_COMMON_NODE_NODE_EVENTS_H_
#define KUBELET_CM_COMMON_NODE_NODE_EVENTS_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kubelet_cm {

// What kinds there are; the names are part of the control API.
namespace event_kind {
inline constexpr std::string_view kPluginConnected = "PluginConnected";
inline constexpr std::string_view kPluginGone = "PluginGone";
inline constexpr std::string_view kPluginRegistered = "PluginRegistered";      // through the watched folder
inline constexpr std::string_view kPluginUnregistered = "PluginUnregistered";  // its socket has gone
inline constexpr std::string_view kPluginFailed = "PluginFailed";
inline constexpr std::string_view kDevicesChanged = "DevicesChanged";
inline constexpr std::string_view kPodAdmitted = "PodAdmitted";
inline constexpr std::string_view kPodRefused = "PodRefused";
inline constexpr std::string_view kPodPrepared = "PodPrepared";
inline constexpr std::string_view kPodPrepareFailed = "FailedPrepareDynamicResources";
inline constexpr std::string_view kContainerStarted = "ContainerStarted";
inline constexpr std::string_view kContainerExited = "ContainerExited";
inline constexpr std::string_view kPodTerminating = "PodTerminating";
inline constexpr std::string_view kPodRemoved = "PodRemoved";
inline constexpr std::string_view kClaimForgotten = "ClaimForgotten";
inline constexpr std::string_view kStateRestored = "StateRestored";
inline constexpr std::string_view kStateWritten = "StateWritten";  // told at most once a second
inline constexpr std::string_view kStateWriteFailed = "StateWriteFailed";
inline constexpr std::string_view kDraining = "Draining";
}  // namespace event_kind

struct NodeEvent {
  std::string_view kind;  // of event_kind
  std::string subject = {};
  std::string message = {};
  std::vector<std::pair<std::string, std::string>> details = {};
};

class NodeEvents {
 public:
  virtual ~NodeEvents() = default;

  virtual void Record(NodeEvent event) = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_NODE_NODE_EVENTS_H_
