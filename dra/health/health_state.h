// The DRA manager's file of device health, dra_health_state: JSON without a version or a checksum, written since 1.34.
//
// A kubelet that cannot read it logs that and starts with what it had read so far; nothing depends on the file but what
// is said of devices until their drivers report again.
//
// Plain values and pure functions.
#ifndef KUBELET_CM_DRA_HEALTH_HEALTH_STATE_H_
#define KUBELET_CM_DRA_HEALTH_HEALTH_STATE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "checkpointmanager/checkpoint_problem.h"
#include "common/gotext/go_time.h"

namespace kubelet_cm::dra {

struct DeviceHealth {
  std::string pool_name = {};
  std::string device_name = {};
  std::string health = {};                // "Healthy", "Unhealthy" or "Unknown"
  std::string last_updated{kGoZeroTime};  // RFC 3339, as it was spelt
  int64_t check_timeout_ns = 0;           // since 1.35; 0 is the default of 30 seconds
  std::string message = {};               // since 1.36

  friend bool operator==(const DeviceHealth&, const DeviceHealth&) = default;
};

struct DriverHealth {
  // By "pool/device"; nothing stands for nil.
  std::optional<std::map<std::string, DeviceHealth>> devices;

  friend bool operator==(const DriverHealth&, const DriverHealth&) = default;
};

// By driver; nothing stands for nil.
using HealthState = std::optional<std::map<std::string, DriverHealth>>;

enum class HealthFormat { k134, k135, k136 };

struct HealthReading {
  absl::Status status = absl::OkStatus();  // Go's error
  // What was read, with the fields of all versions. Decoding goes on after a value of the wrong type.
  HealthState state = std::map<std::string, DriverHealth>();
  std::vector<CheckpointProblem> problems = {};
};

HealthReading ReadHealth(std::string_view bytes);

std::string EncodeHealth(const HealthState& state, HealthFormat format);

// What is odd about a state: devices under another name than their own, health that nobody knows, no time.
std::vector<std::string> HealthProblems(const HealthState& state);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_HEALTH_HEALTH_STATE_H_
