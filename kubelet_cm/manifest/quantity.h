// Kubernetes quantities ("2", "500m", "1.5Gi", "3e2") as whole numbers.
//
// Pure functions.
#ifndef KUBELET_CM_KUBELET_CM_MANIFEST_QUANTITY_H_
#define KUBELET_CM_KUBELET_CM_MANIFEST_QUANTITY_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"

namespace kubelet_cm {

// Far more digits than any quantity has.
inline constexpr size_t kMaxQuantitySize = 256;

struct Quantity {
  // As Go's Value(): rounded away from zero; what is beyond the largest number is that number.
  int64_t value = 0;
  bool is_whole = true;  // nothing was rounded

  friend bool operator==(const Quantity&, const Quantity&) = default;
};

// InvalidArgument with the kubelet's text for what is no quantity.
absl::StatusOr<Quantity> ParseQuantity(std::string_view text);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_MANIFEST_QUANTITY_H_
