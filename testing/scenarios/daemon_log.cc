#include "testing/scenarios/daemon_log.h"

#include <utility>

#include "absl/strings/str_split.h"

namespace kubelet_cm::scenarios {

void DaemonLog::Next(std::string_view output) {
  of_others_.append(output.substr(taken_));
  if (!of_others_.empty() && of_others_.back() != '\n') of_others_.push_back('\n');
  taken_ = 0;
}

std::vector<std::string> DaemonLog::Take(std::string_view output) {
  std::string text = std::exchange(of_others_, {});
  const size_t end = output.rfind('\n') == std::string_view::npos ? 0 : output.rfind('\n') + 1;
  if (end > taken_) {
    text.append(output.substr(taken_, end - taken_));
    taken_ = end;
  }
  return absl::StrSplit(text, '\n', absl::SkipEmpty());
}

}  // namespace kubelet_cm::scenarios
