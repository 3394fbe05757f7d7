#include "testing/scenarios/program_limits.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/scenarios/scenario_of.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

absl::Status Check(const std::string& steps, const std::string& version = "") {
  return CheckForProgram(ScenarioOf(steps), version);
}

TEST(ProgramLimitsTest, WhatNeedsNoClockAndNoDiskIsPlayedAgainstTheDaemon) {
  EXPECT_OK(Check("steps { start_plugin { resource: 'a/b' count: 1 } } steps { restart { as_version: '1.20.0' } }"));
}

TEST(ProgramLimitsTest, EachStepThatNeedsANodeInMemoryIsNamedWithItsLineAndTheReason) {
  EXPECT_THAT(Check("steps { advance { by: '1s' } }\nsteps { disk_fault {} }\nsteps { power_cut {} }\n"
                    "steps { restart {} dies_at { op: 'write' } }"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("f:2: not against the daemon: the daemon's time is real"),
                             HasSubstr("f:3: not against the daemon: a real disk does not fail"),
                             HasSubstr("f:4: not against the daemon: what a power cut leaves"),
                             HasSubstr("f:5: not against the daemon: a process is not stopped at an operation"))));
}

TEST(ProgramLimitsTest, AKubeletDiesBeforeAFakeIsAskedAboutAPodAndNowhereElse) {
  EXPECT_OK(Check("steps { settle {} dies_at { call: 'Allocate' } }"));
  EXPECT_OK(Check("steps { settle {} dies_at { point: 'claim_intent_written' nth: 2 } }"));
  for (const char* place : {"call: 'Allocate' after: true", "call: 'Register'", "call: 'ListAndWatch'",
                            "point: 'devices_answered'", "point: 'pod_written'"}) {
    EXPECT_THAT(Check(absl::StrCat("steps { settle {} dies_at { ", place, " } }")),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("only before a fake is asked")))
        << place;
  }
}

TEST(ProgramLimitsTest, AMetricNeedsOneToo) {
  EXPECT_THAT(Check("steps { expect { metrics { name: 'm' value: 1 } } }"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("metrics")));
}

TEST(ProgramLimitsTest, ADriverThatTheNextKubeletCannotCallNeedsOneToo) {
  EXPECT_THAT(Check("steps { start_driver { driver: 'd' } }\nsteps { restart { as_version: '1.33' } }"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("f:3: not against the daemon: driver d speaks v1 on its socket")));
  EXPECT_THAT(
      Check("starts_as: '1.30' steps { start_driver { driver: 'd' } } steps { restart { as_version: 'latest' } }"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("speaks v1alpha3")));
}

TEST(ProgramLimitsTest, ADriverThatBothKubeletsSpeakToMaySeeAnUpgrade) {
  EXPECT_OK(Check("steps { start_driver { driver: 'd' } } steps { restart { as_version: '1.36' } }"));
  EXPECT_OK(Check("steps { start_driver { driver: 'd' api: 'v1beta1' } } steps { restart { as_version: '1.33' } }"));
}

TEST(ProgramLimitsTest, TheKubeletThatTheNodeStartsAsIsTheOneThatIsAskedFor) {
  EXPECT_OK(Check("starts_as: '1.30' steps { start_driver { driver: 'd' } } steps { restart { as_version: 'latest' } }",
                  "latest"));
  EXPECT_THAT(Check("steps { start_driver { driver: 'd' } } steps { restart { as_version: '1.36' } }", "1.30"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("speaks v1alpha3")));
}

TEST(ProgramLimitsTest, SoMayADriverThatIsNotFoundOrComesBackWithAnotherProtocol) {
  EXPECT_OK(
      Check("starts_as: '1.30' steps { start_driver { driver: 'd' stays_away: true } }"
            "steps { restart { as_version: 'latest' } } steps { start_driver { driver: 'd' api: 'v1' } }"
            "steps { restart { as_version: '1.36' } }"));
  EXPECT_OK(
      Check("starts_as: '1.30' steps { start_driver { driver: 'd' } } steps { stop_driver { driver: 'd' } }"
            "steps { restart { as_version: 'latest' } }"));
  EXPECT_OK(
      Check("starts_as: '1.30' steps { start_driver { driver: 'd' } }"
            "steps { restart { as_version: '1.31' refused_with: 'cache' } }"
            "steps { restart { as_version: '1.30' } }"));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
