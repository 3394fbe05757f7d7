// PluginInfo: what a plugin says of itself, and the bounds of it. Value code.
#ifndef KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_INFO_H_
#define KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_INFO_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace kubelet_cm::pluginwatcher {

struct PluginInfo {
  std::string type = {};
  std::string name = {};      // a resource's or a driver's
  std::string endpoint = {};  // the path of the socket that serves it
  std::vector<std::string> versions = {};

  // Whether both announce the same plugin: what a handler is told when it goes.
  bool IsSamePluginAs(const PluginInfo& other) const {
    return type == other.type && name == other.name && endpoint == other.endpoint;
  }
  friend bool operator==(const PluginInfo&, const PluginInfo&) = default;
};

// The longest name of a resource is 317 bytes, of a driver 63; handlers know better which names are right.
inline constexpr size_t kMaxTypeBytes = 63;
inline constexpr size_t kMaxNameBytes = 317;
inline constexpr size_t kMaxVersions = 64;
inline constexpr size_t kMaxVersionBytes = 253;

// kInvalidArgument, naming the field, when a text is longer than any that means something, or there are too many.
absl::Status CheckPluginInfo(const PluginInfo& plugin);

}  // namespace kubelet_cm::pluginwatcher

#endif  // KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_INFO_H_
