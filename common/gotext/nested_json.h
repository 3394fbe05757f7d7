// JSON text inside of a JSON string, as in the DRA manager's state file.
//
// Pure functions.
#ifndef KUBELET_CM_COMMON_GOTEXT_NESTED_JSON_H_
#define KUBELET_CM_COMMON_GOTEXT_NESTED_JSON_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace kubelet_cm {

// Appends JSON text as it stands inside of a JSON string, without the quotes. `json` must be as Go writes it: then only
// quotes and backslashes need an escape. Several times as fast as AppendJsonString, which takes any text.
void AppendNestedJson(std::string_view json, std::string* out);

// The offset in `body`, a JSON string without its quotes, of the byte at `inner_offset` of the text that it stands for;
// the size of `body` for what lies behind the end.
int64_t OffsetInJsonString(std::string_view body, int64_t inner_offset);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_NESTED_JSON_H_
