#include "testing/scenarios/plugin_trial.h"

#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kText[] =
    "name: 'x' teaches: 'y'\n"
    "steps { start_plugin { plugin: 'yours' resource: '${resource}' count: ${devices} program { ${program} } } }\n";

TEST(PluginTrialTest, AScenarioIsFilledInWithThePlugin) {
  PluginTrial trial{.resource = "example.org/widget", .devices = 3, .program = {}};
  trial.program.set_name("/bin/widget");
  trial.program.add_arguments("--name=a \"quoted\" } word");
  trial.program.set_restarted(true);
  ASSERT_OK_AND_ASSIGN(const ScenarioFile file, FillIn(trial, "f", kText));
  const proto::StartPlugin& start = file.scenario.steps(0).start_plugin();
  EXPECT_EQ(start.resource(), "example.org/widget");
  EXPECT_EQ(start.count(), 3);
  EXPECT_EQ(start.program().name(), "/bin/widget");
  EXPECT_THAT(start.program().arguments(), ElementsAre("--name=a \"quoted\" } word"));
  EXPECT_TRUE(start.program().restarted());
}

TEST(PluginTrialTest, WhatCannotBeAPluginIsRefused) {
  EXPECT_OK(CheckTrial({.resource = "example.org/widget", .devices = 1, .program = {}}));
  EXPECT_THAT(CheckTrial({.resource = "widget", .devices = 1, .program = {}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("resource \"widget\"")));
  EXPECT_THAT(CheckTrial({.resource = "example.org/widget", .devices = 0, .program = {}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("at least one device")));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
