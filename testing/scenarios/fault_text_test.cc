#include "testing/scenarios/fault_text.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::scenarios {
namespace {

using testing::HasSubstr;

TEST(FaultTextTest, AFaultIsWrittenAsInAScenario) {
  ASSERT_OK_AND_ASSIGN(const proto::PluginFault of_plugin,
                       PluginFaultOf("call: ALLOCATE nth: 2 act: FAIL code: 'UNAVAILABLE' message: 'busy'"));
  EXPECT_EQ(of_plugin.call(), proto::PluginFault::ALLOCATE);
  EXPECT_EQ(of_plugin.message(), "busy");
  ASSERT_OK_AND_ASSIGN(const proto::DriverFault of_driver,
                       DriverFaultOf("call: NODE_PREPARE_RESOURCES always: true act: DELAY delay: '2s'"));
  EXPECT_EQ(of_driver.act(), proto::DriverFault::DELAY);
}

TEST(FaultTextTest, WhatIsWrongIsToldWithItsPlace) {
  EXPECT_THAT(PluginFaultOf("call: ALOCATE act: DIE"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("fault:1:15: Unknown enumeration value")));
  EXPECT_THAT(PluginFaultOf("act: DIE"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("fault:1:1: PluginFault needs call")));
  EXPECT_THAT(DriverFaultOf("call: NODE_PREPARE_RESOURCES act: DELAY"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("goes with act: DELAY")));
  EXPECT_THAT(DriverFaultOf("call: GET_INFO act: DIE"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("may FAIL or HANG")));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
