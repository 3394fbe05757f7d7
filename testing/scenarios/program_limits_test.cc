#include "testing/scenarios/program_limits.h"

#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/scenarios/scenario_of.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

absl::Status Check(const std::string& steps) { return CheckForProgram(ScenarioOf(steps)); }

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

TEST(ProgramLimitsTest, AMetricAndADriverUnderAnotherKubeletNeedOneToo) {
  EXPECT_THAT(Check("steps { expect { metrics { name: 'm' value: 1 } } }"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("metrics")));
  EXPECT_THAT(Check("steps { start_driver { driver: 'd' } } steps { restart { as_version: '1.34' } }"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("speaks one API")));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
