#include "common/log/line_logger.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class LineLoggerTest : public ::testing::Test {
 protected:
  LineLogger Make(LogFormat format, int verbosity) {
    return LineLogger(
        clock_, {.format = format, .verbosity = verbosity, .process_id = 77, .write = [this](std::string_view text) {
                   written_.emplace_back(text);
                 }});
  }

  FakeClock clock_{absl::FromUnixMillis(1136214245678)};
  std::vector<std::string> written_;
};

TEST_F(LineLoggerTest, TextLineHasHeaderBodyAndEnd) {
  LineLogger log = Make(LogFormat::kText, 0);
  log.Info("Registered", {{"plugin", "gpu"}});
  const std::string header = "I0102 15:04:05.678000      77 line_logger_test.cc:" + std::to_string(__LINE__ - 1);
  EXPECT_THAT(written_, ElementsAre(header + "] \"Registered\" plugin=\"gpu\"\n"));
}

TEST_F(LineLoggerTest, JsonLineIsOneObject) {
  LineLogger log = Make(LogFormat::kJson, 0);
  log.Warning("Odd");
  EXPECT_THAT(written_, ElementsAre(StartsWith(R"({"ts":1136214245678,"caller":"log/line_logger_test.cc:)")));
  EXPECT_THAT(written_, ElementsAre(EndsWith("\"msg\":\"Odd\",\"v\":0}\n")));
}

TEST_F(LineLoggerTest, LevelsAboveTheWantedOneAreNotWritten) {
  LineLogger log = Make(LogFormat::kText, 2);
  log.V(3).Info("fine");
  EXPECT_THAT(written_, IsEmpty());
  log.V(2).Info("coarse");
  EXPECT_THAT(written_, ElementsAre(HasSubstr("coarse")));
}

TEST_F(LineLoggerTest, ErrorsAreWrittenAtAnyLevel) {
  LineLogger log = Make(LogFormat::kText, 0);
  log.Error(absl::DataLossError("torn"), "Failed");
  EXPECT_THAT(written_, ElementsAre(EndsWith("] \"Failed\" err=\"torn\"\n")));
}

TEST(LogFormatTest, NamesAreTextAndJson) {
  EXPECT_THAT(ParseLogFormat("text"), IsOkAndHolds(LogFormat::kText));
  EXPECT_THAT(ParseLogFormat("json"), IsOkAndHolds(LogFormat::kJson));
  EXPECT_THAT(ParseLogFormat("xml"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"xml\"")));
}

}  // namespace
}  // namespace kubelet_cm
