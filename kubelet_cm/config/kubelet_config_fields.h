// The fields of the kind KubeletConfiguration (kubelet.config.k8s.io/v1beta1) with their types, as tables. No kubelet
// has ever taken a field out of the kind, so the newest one's fields are those of all.
#ifndef KUBELET_CM_KUBELET_CM_CONFIG_KUBELET_CONFIG_FIELDS_H_
#define KUBELET_CM_KUBELET_CM_CONFIG_KUBELET_CONFIG_FIELDS_H_

#include <string_view>

#include "absl/types/span.h"

namespace kubelet_cm::config {

enum class FieldType {
  kString,
  kBool,
  kInt32,
  kInt64,
  kUint32,
  kFloat,
  kDuration,         // "1m30s"
  kDurationOrNanos,  // that, or a number
  kQuantity,         // "10Mi", or a number
  kStrings,          // lists
  kInt32s,
  kObjects,
  kStringMap,  // maps with any keys
  kBoolMap,
  kStringsMap,
  kQuantityMap,
  kObject,
};

struct KubeletConfigField {
  std::string_view name;
  FieldType type;
  // Of kObject and kObjects: the fields of each.
  absl::Span<const KubeletConfigField> fields = {};
  // This project does what the field says. An object is neither: its fields say.
  bool honoured = false;
};

// Those of the top level, sorted by name. In static storage.
absl::Span<const KubeletConfigField> KubeletConfigFields();

// Null: there is none of that name. Names are exact.
const KubeletConfigField* FindField(absl::Span<const KubeletConfigField> fields, std::string_view name);

}  // namespace kubelet_cm::config

#endif  // KUBELET_CM_KUBELET_CM_CONFIG_KUBELET_CONFIG_FIELDS_H_
