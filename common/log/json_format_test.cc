#include "common/log/json_format.h"

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/log/logger.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

LogRecord RecordOf(Severity severity) { return {severity, 0, LogMessage("Message", "a/b/file.cc", 42), nullptr, {}}; }

TEST(JsonFormatTest, InfoHasItsLevelAndFields) {
  const LogField fields[] = {{"key", "va\"lue"}, {"n", 3}};
  LogRecord record = RecordOf(Severity::kInfo);
  record.verbosity = 4;
  record.fields = fields;
  EXPECT_EQ(JsonLine(record, absl::UnixEpoch() + absl::Nanoseconds(123)),
            R"({"ts":0.000123,"caller":"b/file.cc:42","msg":"Message","v":4,"key":"va\"lue","n":3})");
}

TEST(JsonFormatTest, ErrorComesLastAndHasNoLevel) {
  const absl::Status error = absl::InternalError("disk on fire");
  const LogField fields[] = {{"key", "value"}};
  LogRecord record = RecordOf(Severity::kError);
  record.error = &error;
  record.fields = fields;
  EXPECT_EQ(JsonLine(record, absl::FromUnixMillis(1580306777047)),
            R"({"ts":1580306777047,"caller":"b/file.cc:42","msg":"Message","key":"value","err":"disk on fire"})");
}

TEST(JsonFormatTest, CallerIsTheLastFolderAndTheFile) {
  LogRecord record = RecordOf(Severity::kError);
  record.message = LogMessage("m", "file.cc", 1);
  EXPECT_EQ(JsonLine(record, absl::UnixEpoch()), R"({"ts":0,"caller":"file.cc:1","msg":"m"})");
}

}  // namespace
}  // namespace kubelet_cm
