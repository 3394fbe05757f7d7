#include "common/log/capturing_logger.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/log/logger.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::PrintToString;

TEST(CapturingLoggerTest, KeepsSeverityMessageFieldsAndError) {
  CapturingLogger log;
  log.Error(absl::InternalError("disk on fire"), "Failed", {{"path", "/x"}, {"n", 3}});
  EXPECT_THAT(log.lines(), ElementsAre(AllOf(IsLogLine(Severity::kError, "Failed"), HasLogField("path", "/x"),
                                             HasLogField("n", "3"), HasLogError(HasSubstr("fire")))));
}

TEST(CapturingLoggerTest, MatchersTellLinesApart) {
  CapturingLogger log;
  log.Info("Message", {{"key", "value"}});
  const CapturedLine line = log.lines()[0];
  EXPECT_THAT(line, Not(IsLogLine(Severity::kWarning, "Message")));
  EXPECT_THAT(line, Not(IsLogLine(Severity::kInfo, "Other")));
  EXPECT_THAT(line, Not(HasLogField("key", "other")));
  EXPECT_THAT(line, Not(HasLogField("other", "value")));
  EXPECT_THAT(line, HasLogError(IsEmpty()));
}

TEST(CapturingLoggerTest, LinesPrintAsText) {
  CapturingLogger log;
  log.V(4).Info("Message", {{"key", "value"}});
  EXPECT_EQ(PrintToString(log.lines()[0]), R"(I4 "Message" key="value")");
}

TEST(CapturingLoggerTest, OkStatusIsNoError) {
  CapturingLogger log;
  log.Error(absl::OkStatus(), "Failed");
  EXPECT_EQ(log.lines()[0].text, R"("Failed")");
}

TEST(CapturingLoggerTest, LevelThatIsOffIsNotKept) {
  CapturingLogger log(/*verbosity=*/2);
  EXPECT_FALSE(log.V(3));
  log.V(3).Info("Fine");
  EXPECT_THAT(log.lines(), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm
