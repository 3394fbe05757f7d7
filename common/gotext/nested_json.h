// JSON text inside of a JSON string, as in the DRA manager's state file.
//
// Pure functions.
#ifndef KUBELET_CM_COMMON_GOTEXT_NESTED_JSON_H_
#define KUBELET_CM_COMMON_GOTEXT_NESTED_JSON_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kubelet_cm {

// Appends JSON text as it stands inside of a JSON string, without the quotes. `json` must be as Go writes it: then only
// quotes and backslashes need an escape. Several times as fast as AppendJsonString, which takes any text.
void AppendNestedJson(std::string_view json, std::string* out);

// The inverse for ASCII: appends the JSON text that a JSON string stands for, of which `text` is the body and what
// follows. Returns the size of the body, before the closing quote. Nothing, and garbage behind what was in `out`, for a
// string that has anything but ASCII and escaped quotes and backslashes, or that does not end: for those there is
// JsonDocument, which takes three times as long.
std::optional<size_t> AppendUnnestedJson(std::string_view text, std::string* out);

// The offset in `body`, a JSON string without its quotes, of the byte at `inner_offset` of the text that it stands for;
// the size of `body` for what lies behind the end.
int64_t OffsetInJsonString(std::string_view body, int64_t inner_offset);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_NESTED_JSON_H_
