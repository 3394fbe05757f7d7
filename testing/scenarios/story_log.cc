#include "testing/scenarios/story_log.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "common/log/text_format.h"

namespace kubelet_cm::scenarios {

void StoryLog::Write(const LogRecord& record) {
  if (verbosity_ < 0 || is_dead_()) return;
  const std::string_view path = record.message.file;
  const std::string file(path.substr(path.rfind('/') + 1));
  lines_.push_back(absl::StrCat(std::string(1, "IWE"[static_cast<int>(record.severity)]), " ", file, ":",
                                record.message.line, "] ", TextBody(record)));
}

}  // namespace kubelet_cm::scenarios
