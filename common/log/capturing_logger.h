// CapturingLogger: keeps what is logged, for tests to look at.
//
//   EXPECT_THAT(log.lines(), Contains(AllOf(IsLogLine(Severity::kError, "Failed to write checkpoint file"),
//                                           HasLogField("path", "/var/x"), HasLogError(HasSubstr("no space")))));
#ifndef KUBELET_CM_COMMON_LOG_CAPTURING_LOGGER_H_
#define KUBELET_CM_COMMON_LOG_CAPTURING_LOGGER_H_

#include <limits>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "common/log/logger.h"
#include "common/threads/mutex.h"
#include "gmock/gmock.h"

namespace kubelet_cm {

struct CapturedLine {
  Severity severity = Severity::kInfo;
  int verbosity = 0;
  std::string message = {};
  std::string error = {};                          // empty when there is none
  std::map<std::string, std::string> fields = {};  // strings as they are, everything else as JSON
  std::string text = {};                           // what the text format shows, but for the header
};

std::ostream& operator<<(std::ostream& out, const CapturedLine& line);

// Thread-safe.
class CapturingLogger : public Logger {
 public:
  // Keeps lines up to level `verbosity`.
  explicit CapturingLogger(int verbosity = std::numeric_limits<int>::max()) : verbosity_(verbosity) {}

  bool Enabled(int verbosity) const override { return verbosity <= verbosity_; }
  void Write(const LogRecord& record) override;

  // All lines so far, in the order of writing.
  std::vector<CapturedLine> lines() const;

 private:
  const int verbosity_;
  mutable Mutex mu_;
  std::vector<CapturedLine> lines_ ABSL_GUARDED_BY(mu_);
};

MATCHER_P2(IsLogLine, severity, message,
           "is a line of that severity with the message \"" + std::string(message) + "\"") {
  return arg.severity == severity && arg.message == message;
}

MATCHER_P2(HasLogField, key, value,
           "has a field \"" + std::string(key) + "\" that " +
               ::testing::DescribeMatcher<const std::string&>(value, negation)) {
  const auto field = arg.fields.find(key);
  return field != arg.fields.end() && ::testing::ExplainMatchResult(value, field->second, result_listener);
}

MATCHER_P(HasLogError, error, "has an error that " + ::testing::DescribeMatcher<const std::string&>(error, negation)) {
  return ::testing::ExplainMatchResult(error, arg.error, result_listener);
}

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_LOG_CAPTURING_LOGGER_H_
