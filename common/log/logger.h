// Logger: where code that has something to say says it. Passed in; what becomes of the lines is its maker's business.
//
//   log_.Info("Registered device plugin", {{"resource", name}, {"devices", count}});
//   log_.Error(status, "Failed to write checkpoint file", {{"path", path}});
//   log_.V(4).Info("Reusing devices of the init container", {{"pod", uid}, {"devices", ids}});
//
// A message is a constant; what varies goes into fields. line_logger.h is the real one, capturing_logger.h the one for
// tests. Thread-safe. A call may block on the output: make none while holding a lock.
#ifndef KUBELET_CM_COMMON_LOG_LOGGER_H_
#define KUBELET_CM_COMMON_LOG_LOGGER_H_

#include <initializer_list>
#include <string_view>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "common/log/field.h"

namespace kubelet_cm {

enum class Severity { kInfo, kWarning, kError };

// A message and the place in the source that logs it, which is where this is made from a literal.
struct LogMessage {
  // NOLINTNEXTLINE(google-explicit-constructor): made by writing the literal.
  LogMessage(const char* message, const char* from_file = __builtin_FILE(), int from_line = __builtin_LINE())
      : text(message), file(from_file), line(from_line) {}

  std::string_view text;
  std::string_view file;  // as the compiler was given it
  int line;
};

// One line on its way to the output; refers to what the caller holds.
struct LogRecord {
  Severity severity;
  int verbosity;  // of an Info line; 0 is always written
  LogMessage message;
  const absl::Status* error;  // of an Error line; null when there is none
  absl::Span<const LogField> fields;
};

class Logger;

// What V(level) answers: logs when lines of that level are wanted, and does nothing when they are not.
class VerboseLogger {
 public:
  void Info(LogMessage message, std::initializer_list<LogField> fields = {}) const;

  // For lines whose fields cost something to compute.
  explicit operator bool() const { return logger_ != nullptr; }

 private:
  friend class Logger;
  VerboseLogger(Logger* logger, int verbosity) : logger_(logger), verbosity_(verbosity) {}
  Logger* logger_;  // null when the level is off
  int verbosity_;
};

class Logger {
 public:
  using Fields = std::initializer_list<LogField>;

  virtual ~Logger() = default;

  void Info(LogMessage message, Fields fields = {});
  void Warning(LogMessage message, Fields fields = {});
  void Error(LogMessage message, Fields fields = {});
  // Shows `error` as the field "err"; an OK status is no error and is not shown.
  void Error(const absl::Status& error, LogMessage message, Fields fields = {});
  VerboseLogger V(int verbosity);

  // Whether Info lines of this level are written.
  virtual bool Enabled(int verbosity) const = 0;
  // Writes one line, whatever its level.
  virtual void Write(const LogRecord& record) = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_LOG_LOGGER_H_
