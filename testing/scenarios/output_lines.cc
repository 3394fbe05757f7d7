#include "testing/scenarios/output_lines.h"

#include "absl/strings/str_split.h"

namespace kubelet_cm::scenarios {

void OutputLines::EndLine() {
  if (!text_.empty() && text_.back() != '\n') text_.push_back('\n');
}

std::vector<std::string> OutputLines::Take() {
  const size_t last = text_.rfind('\n');
  if (last == std::string::npos) return {};
  std::vector<std::string> lines = absl::StrSplit(text_.substr(0, last), '\n', absl::SkipEmpty());
  text_.erase(0, last + 1);
  return lines;
}

}  // namespace kubelet_cm::scenarios
