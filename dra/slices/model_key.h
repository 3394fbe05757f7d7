// ModelKey: which resource models are the same, by Kubernetes' semantic equality: quantities by their value ("1024Mi"
// is "1Gi", and the API server writes the latter whatever it was sent), everything else to the letter.
//
// Pure functions.
#ifndef KUBELET_CM_DRA_SLICES_MODEL_KEY_H_
#define KUBELET_CM_DRA_SLICES_MODEL_KEY_H_

#include <string>
#include <string_view>

#include "dra/plugin/slice_client.h"

namespace kubelet_cm::dra {

// Equal for models that are the same, and for no others. Bytes for comparing only.
std::string ModelKey(const ResourceModel& model);

// The same for quantities. What is no quantity, or has more than 18 significant digits, is only the same as itself.
std::string QuantityKey(std::string_view quantity);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_SLICES_MODEL_KEY_H_
