// Go's base64.StdEncoding, reading: padding is required, line breaks are ignored wherever they stand, spare bits of the
// last character may be anything, and an error names the byte that Go names.
//
// Abseil's reader is more lenient (blanks, missing padding) and tells no place, so it cannot stand in for Go's here.
// Writing is absl::Base64Escape's. Pure functions.
#ifndef KUBELET_CM_COMMON_GOTEXT_GO_BASE64_H_
#define KUBELET_CM_COMMON_GOTEXT_GO_BASE64_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kubelet_cm {

// Replaces `bytes` by what `text` stands for and returns nothing; or returns the index that Go's "illegal base64 data
// at input byte N" names, and `bytes` is then unspecified.
std::optional<size_t> DecodeGoBase64(std::string_view text, std::string* bytes);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_GO_BASE64_H_
