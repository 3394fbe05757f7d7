#include "common/log/line_logger.h"

#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/log/json_format.h"
#include "common/log/text_format.h"
#include "common/status/check.h"

namespace kubelet_cm {

absl::StatusOr<LogFormat> ParseLogFormat(std::string_view name) {
  if (name == "text") return LogFormat::kText;
  if (name == "json") return LogFormat::kJson;
  return absl::InvalidArgumentError(
      absl::StrCat("logging format \"", std::string(name), "\": neither \"text\" nor \"json\""));
}

LineLogger::LineLogger(const Clock& clock, LineLoggerOptions options) : clock_(clock), options_(std::move(options)) {
  CHECK(options_.write != nullptr) << "a LineLogger without an output";
}

void LineLogger::Write(const LogRecord& record) { options_.write(Format(record) + "\n"); }

std::string LineLogger::Format(const LogRecord& record) const {
  const absl::Time now = clock_.WallNow();
  if (options_.format == LogFormat::kJson) return JsonLine(record, now);
  return TextHeader(record, now, options_.zone, options_.process_id) + TextBody(record);
}

void WriteToStandardError(std::string_view text) {
  // Nowhere is left to report a failure to.
  [[maybe_unused]] const size_t written = std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace kubelet_cm
