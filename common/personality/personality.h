// What a given kubelet version does with state files: which formats it writes and reads, and what a file that it cannot
// read makes of the node. One table; everything that depends on a version asks here.
//
//   const Personality& personality = PersonalityOf(version);
//   const Personality& ours = LatestPersonality();   // reads everything ever written, writes the newest
//
// The rows live as long as the program and never change: any thread may read them.
#ifndef KUBELET_CM_COMMON_PERSONALITY_PERSONALITY_H_
#define KUBELET_CM_COMMON_PERSONALITY_PERSONALITY_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "common/personality/kubelet_version.h"

namespace kubelet_cm {

// The device manager's file, kubelet_internal_checkpoint.
enum class DeviceFormat {
  kV0Of18,  // one element a device, no checksum
  kV0Of19,  // one element a container and resource, no checksum
  kV1,      // with checksum; device ids in a list
  kV2,      // device ids by NUMA node
};

// The DRA manager's file, dra_manager_state.
enum class DraFormat {
  k127,  // FNV over a dump
  k128,  // adds ResourceHandles
  k130,  // adds structured data to a handle, which changes the dump
  k131,  // JSON in JSON, CRC-32
  k135,  // adds ShareID
  k137,  // adds skipNodeOperations
};

// The names that files, flags and messages use: "devicemanager-v1", "dra-v1.28".
std::string_view FormatName(DeviceFormat format);
std::string_view FormatName(DraFormat format);
// The inverse; also takes the short forms "v1", "v0-1.8", "dra-1.28".
absl::StatusOr<DeviceFormat> ParseDeviceFormat(std::string_view name);
absl::StatusOr<DraFormat> ParseDraFormat(std::string_view name);

// What a kubelet does when it cannot read its file.
enum class OnUnreadable {
  kStartEmpty,     // logs an error and goes on as if nothing were allocated
  kRefuseToStart,  // exits
};

// How a kubelet and the drivers that register with it agree on gRPC services. Names are as drivers write them:
// "v1.DRAPlugin".
struct DraOffer {
  // The services that it knows, the most wanted first.
  absl::Span<const std::string_view> services = {};
  // A driver gets the first of its own list, and not the first of this one.
  bool driver_order_decides = false;
  // For drivers that name none of the above; empty: they are refused.
  std::string_view fallback_service = {};
  // Until 1.31 drivers registered with versions like 1.0.0, and this is the API that they spoke: "v1alpha4". Then there
  // are no services; empty since.
  std::string_view versioned_api = {};
  // The health services that it knows, the most wanted first.
  absl::Span<const std::string_view> health_services = {};
  // It tries the first of them with every driver, asked or not.
  bool health_unasked = false;

  bool none() const { return services.empty() && versioned_api.empty(); }
};

// What a kubelet makes of the drivers that are registered, and of their ResourceSlices while they are not there.
struct DraDriverRules {
  // Instances of a driver at different endpoints are there side by side. Without it the latest takes the place of the
  // one before, and whatever endpoint goes takes the driver with it.
  bool several_instances = false;
  // Whether an instance is connected decides which one is called, and whether the driver is there at all. Without it
  // the newest is called, and a driver is there while it is registered.
  bool monitors_connections = false;
  // How long a driver may be gone before its ResourceSlices are; nothing: this kubelet deletes none, not even when it
  // starts.
  std::optional<absl::Duration> wipe_delay = {};
  // A driver that does not know the calls for many claims is not tried with them again. Without it, each time.
  bool remembers_fallback = true;
  // How long a call waits for the first connection to a driver; nothing: as long as it may take itself.
  std::optional<absl::Duration> connect_limit = {};
};

struct Personality {
  std::string_view name;  // "1.23 to 1.30", "latest"
  KubeletVersion first;   // the row holds from this release
  KubeletVersion last;    // up to and with this one

  std::optional<DeviceFormat> device_writes;
  absl::Span<const DeviceFormat> device_reads;  // tried in this order
  OnUnreadable device_unreadable = OnUnreadable::kStartEmpty;
  int64_t no_topology_key = -1;  // the NUMA key of devices without topology
  // The device plugin protocols that it offers, as plugins write them when they register; newest first.
  absl::Span<const std::string_view> device_plugin_versions;
  // Containers get the CDI names of their devices as an annotation, too.
  bool device_cdi_annotations = false;

  std::optional<DraFormat> dra_writes;  // nothing: this kubelet has no DRA checkpoint
  absl::Span<const DraFormat> dra_reads;
  OnUnreadable dra_unreadable = OnUnreadable::kRefuseToStart;
  DraOffer dra_offer;  // none: this kubelet has no DRA
  DraDriverRules dra_drivers = {};

  // Built with Go 1.22 or newer, which writes \b and \f where older ones write \u0008 and \u000c.
  bool short_control_escapes = true;

  bool Reads(DeviceFormat format) const;
  bool Reads(DraFormat format) const;
};

// All rows of released kubelets, oldest first.
absl::Span<const Personality> AllPersonalities();

// The row of a release. Older than 1.8 (which had no such files) is an error; newer than the newest known behaves like
// that.
absl::StatusOr<const Personality*> PersonalityOf(const KubeletVersion& version);

// This project's own: reads every format, writes the newest.
const Personality& LatestPersonality();

// "latest", or a version: the value of --emulate-kubelet and --kubelet-version.
absl::StatusOr<const Personality*> ParsePersonality(std::string_view text);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_PERSONALITY_PERSONALITY_H_
