// What a container is started with on account of its devices: the plugins' answers to Allocate, merged.
//
// Pure function.
#ifndef KUBELET_CM_DEVICEPLUGIN_ALLOCATION_RUN_OPTIONS_H_
#define KUBELET_CM_DEVICEPLUGIN_ALLOCATION_RUN_OPTIONS_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "deviceplugin/checkpoint/device_content.h"

namespace kubelet_cm::deviceplugin {

struct DeviceNode {
  std::string host_path;
  std::string container_path;
  std::string permissions;

  friend bool operator==(const DeviceNode&, const DeviceNode&) = default;
};

struct DeviceMount {
  std::string name;  // the container path
  std::string container_path;
  std::string host_path;
  bool read_only = false;
  bool selinux_relabel = false;  // never asked for by device plugins

  friend bool operator==(const DeviceMount&, const DeviceMount&) = default;
};

struct RunOptions {
  absl::btree_map<std::string, std::string> envs = {};
  // Of each answer in its own order; container paths are there once.
  std::vector<DeviceMount> mounts = {};
  std::vector<DeviceNode> devices = {};
  absl::btree_map<std::string, std::string> annotations = {};
  std::vector<std::string> cdi_devices = {};  // each name once

  friend bool operator==(const RunOptions&, const RunOptions&) = default;
};

// A setting that a second answer wants to be another: the first one stays, and the log is to say so.
struct SettingConflict {
  std::string_view message;                                       // of the log line, as in kubelets
  std::vector<std::pair<std::string_view, std::string>> details;  // its keys and values

  friend bool operator==(const SettingConflict&, const SettingConflict&) = default;
};

struct MergedRunOptions {
  RunOptions options = {};
  std::vector<SettingConflict> conflicts = {};
};

// `entries` are of one container; they are merged by resource in sorted order, and what comes first wins. Two devices
// or mounts differ when their host paths do: permissions and read_only are the first one's, silently, as in kubelets.
// Nothing if there are no entries. InvalidArgument for an answer that cannot be parsed, which no ledger has.
absl::StatusOr<std::optional<MergedRunOptions>> MergeRunOptions(absl::Span<const DeviceEntry> entries);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ALLOCATION_RUN_OPTIONS_H_
