#include "testing/scenarios/run_command.h"

#include <string>
#include <vector>

#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/scenarios/put_file.h"
#include "testing/scenarios/scenario_program.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kPlugin[] = "name: 'x' teaches: 'y' steps { start_plugin { resource: 'a/b' count: 2 } }";

class RunCommandTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    const std::string path =
        testing::TempDir() + "/" + testing::UnitTest::GetInstance()->current_test_info()->name() + name;
    EXPECT_OK(PutFile(files_, path, text));
    return path;
  }
  // The exit code; `out_` is what was printed.
  int Run(std::vector<std::string> arguments) {
    std::vector<const char*> argv = {"run"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = RunScenarios(static_cast<int>(argv.size()), argv.data());
    out_ = testing::internal::GetCapturedStderr() + testing::internal::GetCapturedStdout();
    return code;
  }

  PosixFileSystem files_;
  std::string out_;
};

TEST_F(RunCommandTest, AScenarioThatGoesAsItSaysPasses) {
  EXPECT_EQ(Run({"--quiet", Write("good", kPlugin)}), EXIT_SUCCESS);
  EXPECT_EQ(out_, "x: passed\n");
}

TEST_F(RunCommandTest, OneThatDoesNotFailsWithItsPlace) {
  const std::string path = Write(
      "bad", std::string(kPlugin) + "\nsteps { expect { resources { resource: 'a/b' capacity: 3 allocatable: 2 } } }");
  EXPECT_EQ(Run({path}), EXIT_FAILURE);
  EXPECT_THAT(out_, AllOf(HasSubstr("bad:2: step 2 "), HasSubstr("expected 3, got 2"), EndsWith("x: FAILED\n")));
}

TEST_F(RunCommandTest, AWrongFileAndAWrongCommandLineAreNoFailures) {
  EXPECT_EQ(Run({Write("wrong", "name: 'x'")}), kBadInput);
  EXPECT_EQ(Run({"/nowhere"}), kBadInput);
  EXPECT_EQ(Run({"--sweeps", "file"}), kBadInput);
}

TEST_F(RunCommandTest, WhatElseIsPlayedIsCounted) {
  EXPECT_EQ(Run({"--sweep", "--restarts", "--disk-errors", "--shards", "25", "--orders", "3", "--quiet",
                 Write("good", kPlugin)}),
            EXIT_SUCCESS);
  EXPECT_THAT(out_, AllOf(HasSubstr("x: 3 orders"), HasSubstr(" crash points, "), HasSubstr("x: 2 restarts"),
                          HasSubstr(" disk errors over ")));
}

TEST_F(RunCommandTest, TheKubeletsLogIsToldWhereItIsAskedFor) {
  const std::string scenario = Write("good", kPlugin);
  EXPECT_EQ(Run({scenario}), EXIT_SUCCESS);
  EXPECT_THAT(out_, Not(HasSubstr("] \"")));
  EXPECT_EQ(Run({"--log", "2", scenario}), EXIT_SUCCESS);
  EXPECT_THAT(out_, ContainsRegex(R"(plugin a/b starts with 2 devices
( +\| I [a-z_]+\.cc:[0-9]+\] "[^"]+".*
)+)"));
  EXPECT_EQ(Run({"--log", "-1", scenario}), kBadInput);
}

TEST_F(RunCommandTest, TheTimelineIsWrittenForOneScenario) {
  const std::string scenario = Write("good", kPlugin);
  const std::string page = testing::TempDir() + "/page.html";
  EXPECT_EQ(Run({"--quiet", "--timeline", page, scenario}), EXIT_SUCCESS);
  ASSERT_OK_AND_ASSIGN(const std::string html, ReadFile(files_, page, size_t{1} << 20));
  EXPECT_THAT(html, HasSubstr("<svg"));
  EXPECT_EQ(Run({"--timeline", page, scenario, scenario}), kBadInput);
}

}  // namespace
}  // namespace kubelet_cm::scenarios
