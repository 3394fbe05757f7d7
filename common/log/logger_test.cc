#include "common/log/logger.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::EndsWith;

// Keeps the last record's own values.
class RecordKeeper : public Logger {
 public:
  bool Enabled(int level) const override { return level <= 3; }
  void Write(const LogRecord& record) override {
    ++count;
    file = std::string(record.message.file);
    line = record.message.line;
    verbosity = record.verbosity;
    severity = record.severity;
  }

  int count = 0;
  std::string file;
  int line = 0;
  int verbosity = 0;
  Severity severity = Severity::kInfo;
};

TEST(LoggerTest, PlaceIsTheCallers) {
  RecordKeeper log;
  log.Info("Message");
  EXPECT_EQ(log.line, __LINE__ - 1);
  EXPECT_THAT(log.file, EndsWith("common/log/logger_test.cc"));
  log.V(1).Info("Message", {{"key", 1}});
  EXPECT_EQ(log.line, __LINE__ - 1);
  log.Error(absl::UnknownError("x"), "Message");
  EXPECT_EQ(log.line, __LINE__ - 1);
}

TEST(LoggerTest, SeverityAndLevelReachTheRecord) {
  RecordKeeper log;
  log.Warning("Message");
  EXPECT_EQ(log.severity, Severity::kWarning);
  log.V(3).Info("Message");
  EXPECT_EQ(log.severity, Severity::kInfo);
  EXPECT_EQ(log.verbosity, 3);
}

TEST(LoggerTest, LevelThatIsOffWritesNothing) {
  RecordKeeper log;
  EXPECT_FALSE(log.V(4));
  log.V(4).Info("Message");
  EXPECT_EQ(log.count, 0);
  EXPECT_TRUE(log.V(3));
}

}  // namespace
}  // namespace kubelet_cm
