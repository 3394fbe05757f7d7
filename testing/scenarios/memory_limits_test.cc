#include "testing/scenarios/memory_limits.h"

#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/scenarios/scenario_of.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

absl::Status Check(const std::string& steps) { return CheckForMemory(ScenarioOf(steps)); }

TEST(MemoryLimitsTest, WhatNeedsNoRegistryAndNoApiServerIsPlayedInMemory) {
  EXPECT_OK(
      Check("steps { start_driver { driver: 'd' } }\n"
            "steps { driver_fault { driver: 'd' call: NODE_UNPREPARE_RESOURCES act: FAIL } }"));
}

TEST(MemoryLimitsTest, EachStepThatNeedsTheDaemonIsNamedWithItsLineAndTheReason) {
  EXPECT_THAT(Check("steps { start_driver { driver: 'd' tells_health: true } }\n"
                    "steps { driver_fault { driver: 'd' call: GET_INFO act: FAIL } }\n"
                    "steps { publish_slice { driver: 'd' } }"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("f:2: not in memory: a node in memory has no registry"),
                             HasSubstr("f:3: not in memory: a node in memory has no plugin watcher"),
                             HasSubstr("f:4: not in memory: a node in memory has no API server"))));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
