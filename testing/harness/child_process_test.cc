#include "testing/harness/child_process.h"

#include <csignal>
#include <vector>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::harness {
namespace {

using End = ChildProcess::End;
using ::testing::HasSubstr;

class ChildProcessTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<ChildProcess>> Shell(const std::string& script,
                                                      const std::vector<std::string>& environment = {}) {
    return ChildProcess::Start(threads_,
                               {.program = "/bin/sh", .arguments = {"-c", script}, .environment = environment});
  }

  RealClock clock_;
  RealThreads threads_{clock_};
};

TEST_F(ChildProcessTest, WhatItSaysOnBothStreamsIsKeptAndItsExitCodeIsKnown) {
  ASSERT_OK_AND_ASSIGN(const auto child, Shell("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(child->AwaitExit());
  EXPECT_EQ(child->output(), "out\nerr\n");
  EXPECT_EQ(child->end(), End{.code = 3});
}

TEST_F(ChildProcessTest, OneThatWaitsForASignalIsRunningUntilItComes) {
  ASSERT_OK_AND_ASSIGN(const auto child, Shell("echo ready; kill -STOP $$"));
  ASSERT_TRUE(child->AwaitOutput("ready"));
  EXPECT_FALSE(child->end().has_value());
  child->Signal(SIGKILL);
  ASSERT_TRUE(child->AwaitExit());
  EXPECT_EQ(child->end(), End{.signal = SIGKILL});
  child->Signal(SIGKILL);  // nobody is there any more
}

TEST_F(ChildProcessTest, AWaitForWhatIsNeverSaidFailsWithTheWholeOutput) {
  ASSERT_OK_AND_ASSIGN(const auto ended, Shell("echo something else"));
  const testing::AssertionResult without = ended->AwaitOutput("ready");
  EXPECT_FALSE(without);
  EXPECT_THAT(without.message(), HasSubstr("ended without saying \"ready\""));
  EXPECT_THAT(without.message(), HasSubstr("something else"));
  ASSERT_OK_AND_ASSIGN(const auto silent, Shell("kill -STOP $$"));
  EXPECT_FALSE(silent->AwaitOutput("ready", absl::Milliseconds(20)));
  EXPECT_FALSE(silent->AwaitExit(absl::Milliseconds(20)));
}

TEST_F(ChildProcessTest, ItHasTheEnvironmentThatItIsGivenAndNothingElse) {
  ASSERT_OK_AND_ASSIGN(const auto child, Shell("echo \"[$HOME][$COLOUR]\"", {"COLOUR=red"}));
  ASSERT_TRUE(child->AwaitExit());
  EXPECT_EQ(child->output(), "[][red]\n");
}

TEST_F(ChildProcessTest, AProgramThatIsNotThereIsAnError) {
  EXPECT_THAT(ChildProcess::Start(threads_, {.program = "/nowhere/program"}).status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/nowhere/program")));
}

}  // namespace
}  // namespace kubelet_cm::harness
