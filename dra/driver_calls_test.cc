#include "dra/driver_calls.h"

#include <memory>

#include "common/status/status_matchers.h"
#include "dra/dra_parts_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using DriverCallsTest = DraPartsFixture;

TEST_F(DriverCallsTest, EveryCallHasTheTimeLimitOfTheKubelet) {
  ASSERT_OK(CallDrivers(parts_, DraCall::kPrepare, Plan(SampleClaim("a"))));
  rules_.call_timeout = absl::Seconds(10);
  ASSERT_OK(CallDrivers(parts_, DraCall::kUnprepare, PlanUnprepare()));
  EXPECT_THAT(drivers_.clients["gpu"]->limits, ElementsAre(absl::Seconds(45), absl::Seconds(10)));
  EXPECT_EQ(Claims(), 0u);
}

TEST_F(DriverCallsTest, DriversOfBefore131AreToldOfTheirHandlesAndOfWhatTheyPrepared) {
  AllocatedClaim claim = SampleClaim("a");
  claim.driver_name = "gpu";
  claim.handles = {ResourceHandle{.driver_name = "gpu", .data = "42", .structured_data = {}}};
  ASSERT_OK(CallDrivers(parts_, DraCall::kPrepare, Plan(claim)));
  ASSERT_OK(CallDrivers(parts_, DraCall::kUnprepare, PlanUnprepare()));
  ASSERT_THAT(drivers_.clients["gpu"]->asked, SizeIs(1));
  const ClaimRef& asked = drivers_.clients["gpu"]->asked[0];
  ASSERT_THAT(asked.handles, SizeIs(1));
  EXPECT_EQ(asked.handles[0].data, "42");
  EXPECT_THAT(asked.cdi_device_ids, ElementsAre("vendor.com/class=dev"));
}

TEST_F(DriverCallsTest, ADriverThatIsNotThereFailsAndTheOthersAreCalled) {
  const CallPlan plan = Plan(SampleClaim("a", {"away", "gpu"}));
  EXPECT_THAT(CallDrivers(parts_, DraCall::kPrepare, plan).message(), HasSubstr("is not registered"));
  EXPECT_THAT(drivers_.clients["gpu"]->asked, SizeIs(1));
  MutexLock lock(&state_.mu);
  EXPECT_EQ(state_.table.claims().Find("ns", "a")->drivers.at("gpu").phase, DriverPhase::kPrepared);
  EXPECT_EQ(state_.table.claims().Find("ns", "a")->drivers.at("away").phase, DriverPhase::kReferenced);
}

TEST_F(DriverCallsTest, DevicesThatMakeNoAnnotationFailThePrepareWhereThereAreAnnotations) {
  drivers_.clients["gpu"]->cdi_device_id = "no cdi name";
  rules_.annotations = AnnotationKey::kDriver;
  EXPECT_THAT(CallDrivers(parts_, DraCall::kPrepare, Plan(SampleClaim("a"))).message(),
              HasSubstr("CDI annotation failed"));
  rules_.annotations = std::nullopt;
  EXPECT_OK(CallDrivers(parts_, DraCall::kPrepare, Plan(SampleClaim("a"))));
}

TEST_F(DriverCallsTest, WithoutTheIntentFirstTheStateIsWrittenAfterEachDriver) {
  rules_.intent_first = false;
  rules_.parallel_calls = 1;
  drivers_.clients["nic"] = std::make_shared<RecordingClient>();
  ASSERT_OK(CallDrivers(parts_, DraCall::kPrepare, Plan(SampleClaim("a", {"gpu", "nic"}))));
  EXPECT_EQ(checkpoint_.counts().writes, 2u);
}

TEST_F(DriverCallsTest, APlanWithoutCallsIsDoneAtOnce) {
  EXPECT_OK(CallDrivers(parts_, DraCall::kUnprepare, PlanUnprepare()));
  EXPECT_THAT(drivers_.clients["gpu"]->asked, IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::dra
