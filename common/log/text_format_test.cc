#include "common/log/text_format.h"

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/log/logger.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

LogRecord RecordOf(Severity severity) {
  return {severity, 0, LogMessage("Message", "deviceplugin/manager.cc", 42), nullptr, {}};
}

const absl::Time kTime = absl::FromUnixMicros(1136214245000123);  // 2006-01-02 15:04:05.000123 UTC

TEST(TextFormatTest, HeaderHasKlogsColumns) {
  EXPECT_EQ(TextHeader(RecordOf(Severity::kInfo), kTime, absl::UTCTimeZone(), 1234),
            "I0102 15:04:05.000123    1234 manager.cc:42] ");
}

TEST(TextFormatTest, HeaderStartsWithTheSeverity) {
  EXPECT_EQ(TextHeader(RecordOf(Severity::kWarning), kTime, absl::UTCTimeZone(), 1)[0], 'W');
  EXPECT_EQ(TextHeader(RecordOf(Severity::kError), kTime, absl::UTCTimeZone(), 1)[0], 'E');
}

TEST(TextFormatTest, HeaderShowsTheTimeOfItsZone) {
  EXPECT_EQ(TextHeader(RecordOf(Severity::kInfo), kTime, absl::FixedTimeZone(9 * 60 * 60), 12345678),
            "I0103 00:04:05.000123 12345678 manager.cc:42] ");
}

TEST(TextFormatTest, MicrosecondsAreExact) {
  for (int micros : {1, 123, 499999, 999999}) {
    const std::string header =
        TextHeader(RecordOf(Severity::kInfo), absl::FromUnixSeconds(1795000000) + absl::Microseconds(micros),
                   absl::UTCTimeZone(), 1);
    EXPECT_EQ(std::stoi(header.substr(15, 6)), micros) << header;
  }
}

TEST(TextFormatTest, MessageIsQuotedOnOneLine) {
  LogRecord record = RecordOf(Severity::kInfo);
  record.message.text = "two\nlines";
  EXPECT_EQ(TextBody(record), R"("two\nlines")");
}

TEST(TextFormatTest, ErrorComesBeforeTheFields) {
  const absl::Status error = absl::InternalError("disk on fire");
  const LogField fields[] = {{"key", "value"}, {"n", 3}};
  LogRecord record = RecordOf(Severity::kError);
  record.error = &error;
  record.fields = fields;
  EXPECT_EQ(TextBody(record), R"("Message" err="disk on fire" key="value" n=3)");
}

}  // namespace
}  // namespace kubelet_cm
