#include "common/gotext/json_compact.h"

namespace kubelet_cm {
namespace {

constexpr std::string_view kSeparatorStart = "\xE2\x80";  // then A8 or A9

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

void AppendCompactJson(std::string_view json, std::string* out) {
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '<' || c == '>' || c == '&') {
      out->append(c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : "\\u0026");
    } else if (json.substr(i, 2) == kSeparatorStart && i + 2 < json.size() && (json[i + 2] & '\xFE') == '\xA8') {
      out->append(json[i + 2] == '\xA8' ? "\\u2028" : "\\u2029");
      i += 2;
    } else if (in_string || !IsSpace(c)) {
      out->push_back(c);
    }
    if (c == '"') in_string = !in_string;
    if (c == '\\' && i + 1 < json.size()) out->push_back(json[++i]);
  }
}

}  // namespace kubelet_cm
