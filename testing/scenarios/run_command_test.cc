#include "testing/scenarios/run_command.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "re2/re2.h"
#include "testing/scenarios/put_file.h"
#include "testing/scenarios/scenario_program.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

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

  // The title of the page of the scenario, which fails when it is played with this.
  std::string TitleOf(const std::string& with, const std::string& scenario) {
    const std::string page = Write(".html", "");
    EXPECT_EQ(Run({with, "--quiet", "--timeline", page, Write("planted", scenario)}), EXIT_FAILURE) << out_;
    const absl::StatusOr<std::string> html = ReadFile(files_, page, size_t{1} << 20);
    EXPECT_OK(html);
    std::string title;
    EXPECT_TRUE(RE2::PartialMatch(html.value_or(""), "<title>(.*)</title>", &title));
    EXPECT_TRUE(absl::StrContains(html.value_or(""), "<rect class=\"failed\"")) << title;
    return title;
  }
  // What was told to have failed first.
  std::string FirstOfTold() const {
    std::string first;
    EXPECT_TRUE(RE2::PartialMatch(out_, "(?m)^(.*):$", &first)) << out_;
    return first;
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

TEST_F(RunCommandTest, TheLogOfARestartThatMattersIsTold) {
  const std::string scenario = Write(
      "twin", std::string(kPlugin) + "steps { expect { calls { plugin: 'a/b' call: 'ListAndWatch' count: 1 } } }");
  EXPECT_EQ(Run({"--quiet", "--restarts", scenario}), EXIT_FAILURE);
  EXPECT_THAT(out_, Not(HasSubstr("] \"")));
  EXPECT_EQ(Run({"--quiet", "--log", "2", "--restarts", scenario}), EXIT_FAILURE);
  EXPECT_THAT(out_, ContainsRegex(R"(\| I [a-z_]+\.cc:[0-9]+\] ")"));
}

TEST_F(RunCommandTest, TheTimelineIsWrittenForOneScenario) {
  const std::string scenario = Write("good", kPlugin);
  const std::string page = testing::TempDir() + "/page.html";
  EXPECT_EQ(Run({"--quiet", "--timeline", page, scenario}), EXIT_SUCCESS);
  ASSERT_OK_AND_ASSIGN(const std::string html, ReadFile(files_, page, size_t{1} << 20));
  EXPECT_THAT(html, HasSubstr("<svg"));
  EXPECT_EQ(Run({"--timeline", page, scenario, scenario}), kBadInput);
}

// A pod has its device undisturbed, and not when the kubelet dies before it wrote that.
TEST_F(RunCommandTest, ThePageIsOfTheFirstCrashThatFails) {
  const std::string title =
      TitleOf("--sweep", std::string(kPlugin) +
                             "\nsteps { admit { pod: 'p' limits { resource: 'a/b' count: 1 } } }\n"
                             "after_crash { expect { holds { pod: 'p' resource: 'a/b' ids: 'dev-0' } } }");
  EXPECT_THAT(title, StartsWith("x, as kubelet latest: kill before operation "));
  EXPECT_EQ(title, "x, as kubelet latest: " + FirstOfTold());
}

// A power cut ends in another boot, and a kill does not.
TEST_F(RunCommandTest, ThePageIsOfTheFirstDiskImageThatFails) {
  const std::string title = TitleOf("--sweep", R"(name: 'x' teaches: 'y' steps { settle {} }
after_crash { expect { files { file: '/var/lib/kubelet/kubelet_cm_boot_id' contains: 'boot\n' } } })");
  EXPECT_THAT(title, StartsWith("x, as kubelet latest: power cut "));
  EXPECT_EQ(title, "x, as kubelet latest: " + FirstOfTold());
}

TEST_F(RunCommandTest, ThePageIsOfTheFirstRestartThatMatters) {
  const std::string title =
      TitleOf("--restarts",
              std::string(kPlugin) + "\nsteps { expect { calls { plugin: 'a/b' call: 'ListAndWatch' count: 1 } } }");
  EXPECT_EQ(title, "x, as kubelet latest: with a restart after step 1 (line 1)");
  EXPECT_THAT(out_, HasSubstr("with a restart after step 1 (line 1):\n"));
}

// A kubelet of 1.30 leaks a claim when it dies and could not write it down.
TEST_F(RunCommandTest, ThePageIsOfTheFirstErrorOfTheDiskThatMatters) {
  const std::string title = TitleOf("--disk-errors", R"(name: 'x' teaches: 'y' starts_as: '1.30'
steps { start_driver { driver: 'd' } }
steps { add_claim { claim: 'c' drivers: 'd' } }
steps { admit { pod: 'a' claims: 'c' } }
steps { prepare { pod: 'a' } dies_at { point: 'claims_written' } }
steps { restart {} }
steps { remove_pod { pod: 'a' } })");
  EXPECT_THAT(title, StartsWith("x, as kubelet 1.30: EIO at operation "));
  EXPECT_EQ(title, "x, as kubelet 1.30: " + FirstOfTold());
}

TEST_F(RunCommandTest, ThePageIsOfTheScenarioAsItStandsWhereNothingFails) {
  const std::string page = Write(".html", "");
  EXPECT_EQ(Run({"--restarts", "--quiet", "--timeline", page, Write("good", kPlugin)}), EXIT_SUCCESS);
  EXPECT_THAT(ReadFile(files_, page, size_t{1} << 20), IsOkAndHolds(HasSubstr("<title>x, as kubelet latest</title>")));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
