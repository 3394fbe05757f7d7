#include "testing/scenarios/foreign_program.h"

#include <sys/stat.h>

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "common/clock/real_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class ForeignProgramTest : public ::testing::Test {
 protected:
  // A shell that runs `script`.
  ForeignProgram Shell(const std::string& script, bool restarted = false) {
    proto::Program program;
    program.add_arguments("-c");
    program.add_arguments(script);
    program.add_environment("PLACE=/var/lib/kubelet/x");
    program.set_restarted(restarted);
    return {threads_, program, "/bin/sh", {.root = "/r", .home = "/h", .kubeconfig = "/k", .node_name = "n"}};
  }
  testing::AssertionResult Await(absl::FunctionRef<bool()> holds) {
    const MonotonicTime deadline = clock_.MonotonicNow() + absl::Seconds(30);
    while (!holds()) {
      if (clock_.MonotonicNow() > deadline) return testing::AssertionFailure() << "it does not come about";
      (void)Notification(threads_, "a process").WaitFor(absl::Milliseconds(5));
    }
    return testing::AssertionSuccess();
  }

  RealClock clock_;
  RealThreads threads_{clock_};
};

TEST_F(ForeignProgramTest, ItIsToldWhereItLives) {
  ForeignProgram program = Shell("echo $PLACE $HOME $TMPDIR $KUBECONFIG $NODE_NAME; exec cat /dev/zero >/dev/null");
  ASSERT_OK(program.Start());
  std::vector<std::string> said;
  ASSERT_TRUE(Await([&] { return !(said = program.TakeOutput()).empty(); }));
  EXPECT_THAT(said, ElementsAre("/r/x /h /h /k n"));
  EXPECT_OK(program.Kill());
}

TEST_F(ForeignProgramTest, OneThatIsToldToStopMaySayGoodbye) {
  ForeignProgram program = Shell("trap 'echo bye; exit 0' TERM; tail -f /dev/null & echo up; wait");
  ASSERT_OK(program.Start());
  ASSERT_TRUE(Await([&] { return program.LastWords() == "up\n"; }));
  EXPECT_OK(program.Terminate());
  EXPECT_EQ(program.LastWords(), "up\nbye\n");
  EXPECT_FALSE(program.is_up());
  EXPECT_OK(program.Tend()) << "it was ended, and did not end by itself";
}

TEST_F(ForeignProgramTest, WhatItHasStartedItselfGoesWithIt) {
  ForeignProgram program = Shell("sh -c 'echo up; exec tail -f /dev/null'; echo not reached");
  ASSERT_OK(program.Start());
  ASSERT_TRUE(Await([&] { return program.LastWords() == "up\n"; }));
  EXPECT_OK(program.Kill());
  ForeignProgram leaves = Shell("tail -f /dev/null & exit 7");
  ASSERT_OK(leaves.Start());
  absl::Status tended;
  ASSERT_TRUE(Await([&] { return !(tended = leaves.Tend()).ok(); }));
  EXPECT_THAT(std::string(tended.message()), HasSubstr("exit code 7"));
}

TEST_F(ForeignProgramTest, AnEndThatNobodyAskedForIsAnErrorWithItsLastWords) {
  ForeignProgram program = Shell("echo no licence; exit 3");
  ASSERT_OK(program.Start());
  absl::Status tended;
  ASSERT_TRUE(Await([&] { return !(tended = program.Tend()).ok(); }));
  EXPECT_THAT(std::string(tended.message()), AllOf(HasSubstr("exit code 3"), HasSubstr("no licence")));
}

TEST_F(ForeignProgramTest, OneThatSaysMoreThanIsKeptIsListenedToAllTheSame) {
  const std::string gate = testing::TempDir() + "/gate";
  ASSERT_EQ(mkfifo(gate.c_str(), 0600), 0);
  ForeignProgram program = Shell("yes | head -c 4190000; echo half; read -r go <" + gate +
                                 "; yes | head -c 3000000; echo last; exec tail -f /dev/null");
  ASSERT_OK(program.Start());
  const auto says = [&](const std::string& line) {
    return Await([&] {
      const std::vector<std::string> said = program.TakeOutput();
      return !said.empty() && said.back() == line;
    });
  };
  ASSERT_TRUE(says("half"));
  ForeignProgram opener = Shell("echo go >" + gate);
  ASSERT_OK(opener.Start());
  EXPECT_TRUE(says("last"));
  EXPECT_OK(program.Kill());
  EXPECT_OK(program.Start()) << "the next one, of whose output nothing was taken yet";
  EXPECT_OK(program.Kill());
}

TEST_F(ForeignProgramTest, OneOfADaemonSetIsStartedAgain) {
  ForeignProgram program = Shell("echo again; exit 3", true);
  ASSERT_OK(program.Start());
  std::vector<std::string> said;
  ASSERT_TRUE(Await([&] {
    EXPECT_OK(program.Tend());
    for (const std::string& line : program.TakeOutput()) said.push_back(line);
    return said.size() >= 3;
  }));
  EXPECT_THAT(program.Ends(),
              MatchesRegex("ended [0-9]+ times by itself, and the last time it ended with exit code 3"));
  EXPECT_EQ(program.LastWords(), "again\n") << "though it may have been started this moment";
  program.IsWell();
  EXPECT_EQ(program.Ends(), "");
  EXPECT_OK(program.Kill());
}

}  // namespace
}  // namespace kubelet_cm::scenarios
