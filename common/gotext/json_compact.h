// JSON text as Go's encoding/json puts it into a document that it writes: without white space, and with < > & U+2028
// U+2029 escaped. What json.RawMessage and the kubelet's runtime.RawExtension go through.
//
// A pure function.
#ifndef KUBELET_CM_COMMON_GOTEXT_JSON_COMPACT_H_
#define KUBELET_CM_COMMON_GOTEXT_JSON_COMPACT_H_

#include <string>
#include <string_view>

namespace kubelet_cm {

// Appends `json`, which must be valid; nothing else in it is changed, not even what is not UTF-8.
void AppendCompactJson(std::string_view json, std::string* out);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_JSON_COMPACT_H_
