#include "tools/cmctl/cmctl.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "tools/cmctl/checkpoint/sample_files.h"
#include "tools/cmctl/checkpoint/verb_fixture.h"
#include "tools/cmctl/checkpoint_commands.h"

namespace kubelet_cm::cmctl {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

class CmctlTest : public VerbFixture {
 protected:
  int Run(const Words& arguments) { return RunCmctl(arguments, environment_); }
};

TEST_F(CmctlTest, HelpOfEveryVerbHasExamples) {
  for (const char* verb : {"show", "verify", "explain", "diff", "convert", "repair"}) {
    out_.str("");
    EXPECT_EQ(Run({"checkpoint", verb, "--help"}), kOk);
    EXPECT_THAT(out(), HasSubstr("Examples:\n  cmctl checkpoint " + std::string(verb)));
  }
}

TEST_F(CmctlTest, WhatIsUnknownIsUsage) {
  const std::string file = Put("a", kDevicesV1);
  EXPECT_EQ(Run({}), kUsage);
  EXPECT_EQ(Run({"checkpoint"}), kUsage);
  EXPECT_EQ(Run({"checkpoint", "burn"}), kUsage);
  EXPECT_EQ(Run({"checkpoint", "show", file, "--no-such-flag"}), kUsage);
  EXPECT_EQ(Run({"checkpoint", "show", file, "-o", "xml"}), kUsage);
  EXPECT_EQ(Run({"checkpoint", "convert", file, "--to", "v2"}), kUsage);
  EXPECT_EQ(Run({"checkpoint", "convert", file, "--to", "v3", "-o", "-"}), kUsage);
  EXPECT_EQ(out(), "");
}

TEST_F(CmctlTest, FlagsReachTheirVerbs) {
  const std::string file = Put("a", kDevicesV1);
  EXPECT_EQ(Run({"checkpoint", "show", "-o", "json", "--show-response", "--show-secrets", file}), kOk);
  EXPECT_THAT(out(), HasSubstr("\"A\": \"B\""));
  EXPECT_EQ(Run({"checkpoint", "verify", file, "--kubelet-version=1.20.0"}), kNotReadable);
  EXPECT_EQ(Run({"checkpoint", "explain", "--kubelet-version", "1.20.0", file}), kOk);
  EXPECT_EQ(Run({"checkpoint", "convert", file, "--to", "v2", "-o", "/f/b", "--dry-run"}), kOk);
  EXPECT_THAT(Get("/f/b"), HasSubstr("(error)"));
  EXPECT_EQ(Run({"checkpoint", "convert", file, "--to", "v2", "--in-place"}), kOk);
  EXPECT_EQ(Run({"checkpoint", "diff", file, "/f/a.bak-20260921T141320Z"}), kOk);
  EXPECT_EQ(Run({"checkpoint", "repair", file, "-o", "/f/c"}), kOk);
  EXPECT_EQ(Get("/f/c"), Get(file));
}

TEST_F(CmctlTest, ADashIsStandardInputAndStandardOutput) {
  in_.str(kDevicesV1);
  EXPECT_EQ(Run({"checkpoint", "convert", "-", "--to", "v1", "-o", "-"}), kOk);
  EXPECT_EQ(out(), kDevicesV1);
}

TEST_F(CmctlTest, ColoursAreThereOnlyWhenTheEnvironmentHasThem) {
  const std::string file = Put("a", kDevicesV1);
  EXPECT_EQ(Run({"checkpoint", "verify", file}), kOk);
  EXPECT_EQ(out().find('\x1b'), std::string::npos);
  environment_.colours = true;
  EXPECT_EQ(Run({"checkpoint", "verify", file}), kOk);
  EXPECT_THAT(out(), HasSubstr("\x1b[32mvalid\x1b[0m"));
}

TEST_F(CmctlTest, SaysItsVersion) {
  EXPECT_EQ(Run({"version"}), kOk);
  EXPECT_THAT(out(), testing::StartsWith("cmctl 0."));
}

TEST_F(CmctlTest, CompletionKnowsEveryVerbAndFlag) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    out_.str("");
    EXPECT_EQ(Run({"completion", shell}), kOk);
    for (const char* word : {"checkpoint", "completion", "explain", "show-response", "dry-run", "kubelet-version"}) {
      EXPECT_THAT(out(), HasSubstr(word)) << shell;
    }
  }
  EXPECT_EQ(Run({"completion", "tcsh"}), kUsage);
}

}  // namespace
}  // namespace kubelet_cm::cmctl
