#include "deviceplugin/checkpoint/json_size.h"

namespace kubelet_cm::deviceplugin {
namespace {

// Quotes and a comma.
constexpr size_t kFrame = 3;
// A byte becomes no more than "\u0000".
constexpr size_t kLongestEscape = 6;

// Whether the byte may be written as more than itself: control characters, what Go escapes for HTML, and bytes of
// characters beyond ASCII, of which some are escaped and damaged ones replaced.
bool MayBeEscaped(unsigned char byte) {
  return byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\' || byte == '<' || byte == '>' || byte == '&';
}

}  // namespace

size_t JsonBytesAtMost(std::string_view text) {
  size_t escaped = 0;
  for (const char byte : text) escaped += MayBeEscaped(static_cast<unsigned char>(byte)) ? 1 : 0;
  return text.size() + escaped * (kLongestEscape - 1) + kFrame;
}

}  // namespace kubelet_cm::deviceplugin
