#include "testing/harness/child_process.h"

#include <csignal>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/clock/real_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::harness {
namespace {

using End = ChildProcess::End;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Keeps the output open. It looks at what is its standard output itself, and ends when nobody reads that.
constexpr char kWaits[] = "tail -f /dev/null 3>&1 >/dev/null";

class ChildProcessTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<ChildProcess>> Shell(const std::string& script,
                                                      const std::vector<std::string>& environment = {}) {
    return ChildProcess::Start(threads_,
                               {.program = "/bin/sh", .arguments = {"-c", script}, .environment = environment});
  }

  // Nobody has this number any more; whoever buries it may take a moment.
  testing::AssertionResult AwaitGone(pid_t pid) {
    const MonotonicTime deadline = clock_.MonotonicNow() + ChildProcess::kPatience;
    while (kill(pid, 0) == 0) {
      if (clock_.MonotonicNow() > deadline) return testing::AssertionFailure() << pid << " still runs";
      (void)Notification(threads_, "a process").WaitFor(absl::Milliseconds(5));
    }
    return testing::AssertionSuccess();
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

// Whoever keeps the output open does not keep the end from being seen.
TEST_F(ChildProcessTest, ItsEndIsSeenThoughItLeavesSomebodyBehindWhoIsKilled) {
  ASSERT_OK_AND_ASSIGN(const auto child, Shell(absl::StrCat(kWaits, " & echo $!; exit 7")));
  ASSERT_TRUE(child->AwaitExit());
  EXPECT_EQ(child->end(), End{.code = 7});
  pid_t left_behind = 0;
  ASSERT_TRUE(absl::SimpleAtoi(child->output(), &left_behind));
  EXPECT_TRUE(AwaitGone(left_behind));
}

TEST_F(ChildProcessTest, ASignalReachesWhatIsBehindAWrapper) {
  ASSERT_OK_AND_ASSIGN(const auto child, Shell(absl::StrCat("sh -c 'echo $$; exec ", kWaits, "'; echo not reached")));
  ASSERT_TRUE(child->AwaitOutput("\n"));
  pid_t behind = 0;
  ASSERT_TRUE(absl::SimpleAtoi(child->output(), &behind));
  child->Signal(SIGKILL);
  ASSERT_TRUE(child->AwaitExit());
  EXPECT_EQ(child->end(), End{.signal = SIGKILL});
  EXPECT_TRUE(AwaitGone(behind));
}

TEST_F(ChildProcessTest, OneBehindAWrapperMaySayGoodbyeAfterTheWrapper) {
  ASSERT_OK_AND_ASSIGN(const auto child, Shell(absl::StrCat("trap 'exit 3' TERM; (trap 'echo bye; exit' TERM; ", kWaits,
                                                            " & echo up; wait) & wait")));
  ASSERT_TRUE(child->AwaitOutput("up"));
  child->Signal(SIGTERM);
  ASSERT_TRUE(child->AwaitExit());
  EXPECT_EQ(child->end(), End{.code = 3});
  EXPECT_EQ(child->output(), "up\nbye\n");
}

TEST_F(ChildProcessTest, OneThatHasLeftTheGroupIsNotWaitedFor) {
  ASSERT_OK_AND_ASSIGN(const auto child, Shell(absl::StrCat("setsid sh -c 'echo $$; exec ", kWaits, "' & wait")));
  ASSERT_TRUE(child->AwaitOutput("\n"));
  pid_t left = 0;
  ASSERT_TRUE(absl::SimpleAtoi(child->output(), &left));
  child->Signal(SIGKILL);
  EXPECT_TRUE(child->AwaitExit());
  EXPECT_EQ(kill(left, SIGKILL), 0);
}

TEST_F(ChildProcessTest, ItHasTheEnvironmentThatItIsGivenAndNothingElse) {
  ASSERT_OK_AND_ASSIGN(const auto child, Shell("echo \"[$HOME][$COLOUR]\"", {"COLOUR=red"}));
  ASSERT_TRUE(child->AwaitExit());
  EXPECT_EQ(child->output(), "[][red]\n");
}

TEST_F(ChildProcessTest, OfOneThatSaysALotTheLastIsKeptAndTheRestCounted) {
  ASSERT_OK_AND_ASSIGN(const auto child, Shell("echo first; head -c 7000000 /dev/zero | tr '\\0' x; echo; echo last"));
  ASSERT_TRUE(child->AwaitExit());
  uint64_t from = 0;
  const std::string all = child->OutputFrom(from);
  EXPECT_EQ(from, 6u + 7'000'000u + 6u);
  EXPECT_EQ(all, child->output());
  EXPECT_LT(all.size(), size_t{5} << 20);
  EXPECT_THAT(all, AllOf(ContainsRegex("^\\([0-9]+ bytes are not kept\\)\nx"), EndsWith("x\nlast\n")));
  EXPECT_EQ(child->OutputFrom(from), "");
  uint64_t before = from - 5;
  EXPECT_EQ(child->OutputFrom(before), "last\n");
  uint64_t gone = 6;
  EXPECT_THAT(child->OutputFrom(gone), StartsWith("\n(")) << "a line of its own, whatever was before";
}

TEST_F(ChildProcessTest, AProgramThatIsNotThereIsAnError) {
  EXPECT_THAT(ChildProcess::Start(threads_, {.program = "/nowhere/program"}).status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/nowhere/program")));
}

}  // namespace
}  // namespace kubelet_cm::harness
