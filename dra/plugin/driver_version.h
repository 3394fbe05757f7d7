// DriverVersion: what drivers registered with until Kubernetes 1.31, such as 1.0.0, read as the kubelet's version
// package reads it. Plain values, for any thread.
#ifndef KUBELET_CM_DRA_PLUGIN_DRIVER_VERSION_H_
#define KUBELET_CM_DRA_PLUGIN_DRIVER_VERSION_H_

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace kubelet_cm::dra {

class DriverVersion {
 public:
  // At least two numbers with dots between; space and a "v" may come before, anything but a new line after. The errors,
  // kInvalidArgument, are upstream's.
  static absl::StatusOr<DriverVersion> Parse(std::string_view text);

  uint64_t major() const { return numbers_.front(); }
  // The numbers alone.
  std::string ToString() const;

  // Number by number; missing ones count as 0.
  friend std::strong_ordering operator<=>(const DriverVersion& a, const DriverVersion& b);
  friend bool operator==(const DriverVersion& a, const DriverVersion& b) { return (a <=> b) == 0; }

 private:
  explicit DriverVersion(std::vector<uint64_t> numbers) : numbers_(std::move(numbers)) {}

  std::vector<uint64_t> numbers_;
};

// The highest of a driver's versions that a kubelet speaks, which is a 1.x. Errors, kInvalidArgument, are upstream's;
// those who call say which driver it was.
absl::StatusOr<DriverVersion> HighestSupported(absl::Span<const std::string> versions);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_DRIVER_VERSION_H_
