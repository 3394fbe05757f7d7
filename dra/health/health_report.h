// HealthReport: what a driver tells of one of its devices. A plain value.
#ifndef KUBELET_CM_DRA_HEALTH_HEALTH_REPORT_H_
#define KUBELET_CM_DRA_HEALTH_HEALTH_REPORT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kubelet_cm::dra {

enum class HealthValue { kUnknown, kHealthy, kUnhealthy };

// As pod status and the state file spell it.
constexpr std::string_view HealthName(HealthValue value) {
  switch (value) {
    case HealthValue::kHealthy:
      return "Healthy";
    case HealthValue::kUnhealthy:
      return "Unhealthy";
    case HealthValue::kUnknown:
      return "Unknown";
  }
  return "Unknown";
}

// The inverse; everything else is unknown, too.
constexpr HealthValue ParseHealthName(std::string_view name) {
  if (name == "Healthy") return HealthValue::kHealthy;
  if (name == "Unhealthy") return HealthValue::kUnhealthy;
  return HealthValue::kUnknown;
}

// As the driver sent it: nothing is checked yet.
struct HealthReport {
  std::string pool = {};
  std::string device = {};
  HealthValue health = HealthValue::kUnknown;
  int64_t timeout_seconds = 0;  // how long it counts; 0: the default
  std::string message = {};

  friend bool operator==(const HealthReport&, const HealthReport&) = default;
};

// One message: all devices that the driver has something to say of.
using HealthReports = std::vector<HealthReport>;

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_HEALTH_HEALTH_REPORT_H_
