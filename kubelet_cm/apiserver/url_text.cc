#include "kubelet_cm/apiserver/url_text.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace kubelet_cm::apiserver {

std::string UrlEscape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (absl::ascii_isalnum(byte) || c == '-' || c == '.' || c == '_' || c == '~') {
      escaped.push_back(c);
    } else {
      constexpr char kDigits[] = "0123456789ABCDEF";
      escaped.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
    }
  }
  // A segment of dots would name another path.
  return escaped == "." || escaped == ".." ? absl::StrCat("%2E", escaped.substr(1)) : escaped;
}

std::string FieldValue(std::string_view value) {
  std::string escaped;
  for (const char c : value) {
    if (c == '\\' || c == ',' || c == '=') escaped.push_back('\\');
    escaped.push_back(c);
  }
  return escaped;
}

}  // namespace kubelet_cm::apiserver
