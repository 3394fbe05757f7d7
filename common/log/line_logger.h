// LineLogger: the Logger that writes lines, as --logging-format and --v ask for.
#ifndef KUBELET_CM_COMMON_LOG_LINE_LOGGER_H_
#define KUBELET_CM_COMMON_LOG_LINE_LOGGER_H_

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock/clock.h"
#include "common/log/logger.h"

namespace kubelet_cm {

enum class LogFormat { kText, kJson };

// The value of --logging-format: "text" or "json".
absl::StatusOr<LogFormat> ParseLogFormat(std::string_view name);

struct LineLoggerOptions {
  LogFormat format = LogFormat::kText;
  int verbosity = 0;  // Info lines up to this level are written
  int process_id = 0;
  absl::TimeZone zone = absl::UTCTimeZone();
  // Takes one whole record, line end included, in one call; called by many threads at once.
  std::function<void(std::string_view)> write = {};
};

// Thread-safe; holds no lock while it formats or writes.
class LineLogger : public Logger {
 public:
  // `options.write` is set.
  LineLogger(const Clock& clock, LineLoggerOptions options);

  bool Enabled(int verbosity) const override { return verbosity <= options_.verbosity; }
  void Write(const LogRecord& record) override;

 private:
  std::string Format(const LogRecord& record) const;

  const Clock& clock_;
  const LineLoggerOptions options_;
};

// For LineLoggerOptions::write: standard error, one write a record.
void WriteToStandardError(std::string_view text);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_LOG_LINE_LOGGER_H_
