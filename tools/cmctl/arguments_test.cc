#include "tools/cmctl/arguments.h"

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::cmctl {
namespace {

using testing::HasSubstr;

// get pods|claims [NAME], admit -f FILE; each with flags.
class ArgumentsTest : public testing::Test {
 protected:
  ArgumentsTest() {
    CLI::App* get = app_.add_subcommand("get", "");
    for (const char* kind : {"pods", "claims"}) {
      CLI::App* verb = get->add_subcommand(kind, "")->alias(std::string(kind, std::string_view(kind).size() - 1));
      verb->add_option("NAME", text_, "");
      verb->add_option("-o,--output", text_, "");
      verb->add_option("--endpoint", text_, "");
      verb->add_flag("-w,--watch", flag_, "");
    }
    CLI::App* admit = app_.add_subcommand("admit", "");
    admit->add_option("-f,--filename", text_, "");
    admit->add_option("--endpoint", text_, "");
  }

  // The arguments that come of a line, or what is said against it.
  std::string Arranged(const std::string& line) {
    const auto words = ArrangeArguments(app_, line.empty() ? std::vector<std::string>() : absl::StrSplit(line, ' '));
    return words.ok() ? absl::StrJoin(*words, " ") : std::string(words.status().message());
  }

  CLI::App app_;
  std::string text_;
  bool flag_ = false;
};

TEST_F(ArgumentsTest, AFlagMayStandAnywhere) {
  for (const char* line : {"get pods -o json --endpoint /e web", "-o json --endpoint /e get pods web",
                           "get -o json --endpoint /e pods web", "-o json get --endpoint /e pods web"}) {
    EXPECT_EQ(Arranged(line), "get pods -o json --endpoint /e web");
  }
  EXPECT_EQ(Arranged("--endpoint=/e -ojson -w get pod"), "get pod --endpoint=/e -ojson -w");
}

TEST_F(ArgumentsTest, WhatIsNoFlagIsLeftAlone) {
  EXPECT_EQ(Arranged("admit -f -"), "admit -f -");
  // Values may look like flags, and so may all behind "--".
  EXPECT_EQ(Arranged("admit -f --odd"), "admit -f --odd");
  EXPECT_EQ(Arranged("get pods -- --odd"), "get pods -- --odd");
  EXPECT_EQ(Arranged("--help"), "--help");
  EXPECT_EQ(Arranged("get -h"), "get -h");
  EXPECT_EQ(Arranged("get pods -h"), "get pods -h");
}

TEST_F(ArgumentsTest, AVerbThatIsMissingIsAskedFor) {
  EXPECT_EQ(Arranged(""), "say what to do: get, admit");
  EXPECT_EQ(Arranged("get"), "get what? One of pods, claims");
  EXPECT_EQ(Arranged("get -o json"), "get what? One of pods, claims");
}

TEST_F(ArgumentsTest, AKindAndANameMayBeOneWord) {
  EXPECT_EQ(Arranged("get pod/default/web -w"), "get pod default/web -w");
  EXPECT_EQ(Arranged("-o json get claims/default/gpus"), "get claims -o json default/gpus");
  // A name is no kind, and a verb is none either.
  EXPECT_EQ(Arranged("get pod pod/default/web"), "get pod pod/default/web");
  EXPECT_THAT(Arranged("get/pods"), HasSubstr("is none of the verbs"));
}

TEST_F(ArgumentsTest, TheNearestVerbIsSaid) {
  EXPECT_EQ(Arranged("gte pods"), "gte (did you mean get?) is none of the verbs: get, admit");
  EXPECT_EQ(Arranged("get pdos"), "pdos (did you mean pods?) is none of get's: pods, claims");
  EXPECT_EQ(Arranged("get cl"), "cl (did you mean claims?) is none of get's: pods, claims");
  EXPECT_EQ(Arranged("xyzzy"), "xyzzy is none of the verbs: get, admit");
  EXPECT_EQ(Arranged("a\x1b[2J"), "\"a\\x1b[2J\" is none of the verbs: get, admit");
}

TEST_F(ArgumentsTest, TheNearestFlagIsSaid) {
  EXPECT_EQ(Arranged("get pods --outptu json"), "there is no flag --outptu (did you mean --output?)");
  EXPECT_EQ(Arranged("--endpont /e get pods"), "there is no flag --endpont (did you mean --endpoint?)");
  // Only those of the verb.
  EXPECT_EQ(Arranged("admit -f x --watch"), "there is no flag --watch");
  EXPECT_EQ(Arranged("--watch admit -f x"), "there is no flag --watch");
  EXPECT_EQ(Arranged("get pods -x"), "there is no flag -x");
}

}  // namespace
}  // namespace kubelet_cm::cmctl
