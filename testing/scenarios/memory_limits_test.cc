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
                    "steps { publish_slice { driver: 'd' } }\n"
                    "steps { driver_socket { driver: 'd' } }\n"
                    "steps { expect { connections { driver: 'd' count: 1 } } }\n"
                    "steps { list_often { calls: 2 refused_at_least: 1 } }\n"
                    "steps { start_driver { driver: 'd' listens_later: true } }\n"
                    "steps { start_plugin { resource: 'a/b' program { name: 'p' } } }\n"
                    "steps { start_driver { driver: 'e' program { name: 'p' } } }"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("f:2: not in memory: a node in memory has no registry"),
                             HasSubstr("f:3: not in memory: a node in memory has no plugin watcher"),
                             HasSubstr("f:4: not in memory: a node in memory has no API server"),
                             HasSubstr("f:5: not in memory: a node in memory has no sockets"),
                             HasSubstr("f:6: not in memory: a node in memory has no sockets"),
                             HasSubstr("f:7: not in memory: a node in memory has no sockets"),
                             HasSubstr("f:8: not in memory: a node in memory has no sockets"),
                             HasSubstr("f:9: not in memory: a node in memory has no folder"),
                             HasSubstr("f:10: not in memory: a node in memory has no folder"))));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
