// The contents of JSON strings: written and read as Go's encoding/json does.
//
// Writing escapes " \ and control characters, and < > & U+2028 U+2029 as \u and four digits; what is not UTF-8 becomes
// \ufffd, byte by byte; everything else stands as it is. Reading turns what is not UTF-8, and a surrogate escape
// without its other half, into U+FFFD.
//
// Pure functions; they append to `out` and leave what is there before.
#ifndef KUBELET_CM_COMMON_GOTEXT_JSON_STRING_H_
#define KUBELET_CM_COMMON_GOTEXT_JSON_STRING_H_

#include <string>
#include <string_view>

namespace kubelet_cm {

// How U+0008 and U+000C are written, the only thing in which Go versions differ.
enum class ControlEscapes {
  kShort,    // \b \f: Go 1.22 and newer
  kNumeric,  // \u0008 \u000c: before
};

// Appends `text` as a JSON string, with the quotes.
void AppendJsonString(std::string_view text, ControlEscapes escapes, std::string* out);

// Appends the text that `body` stands for: a JSON string without its quotes and right in its syntax.
void AppendUnquotedJson(std::string_view body, std::string* out);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_JSON_STRING_H_
