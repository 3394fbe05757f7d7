#include "testing/fakes/driver_service.h"

#include "common/clock/real_clock.h"
#include "common/threads/real_threads.h"
#include "gtest/gtest.h"

// What the services answer is in dra_driver_contract_test.cc.
namespace kubelet_cm::fakes {
namespace {

TEST(DriverServiceTest, EveryApiHasAService) {
  RealClock clock;
  RealThreads threads(clock);
  ScriptedDriver driver(threads, {});
  for (const dra::DraApi api : {dra::DraApi::kV1, dra::DraApi::kV1Beta1, dra::DraApi::kV1Alpha4, dra::DraApi::kV1Alpha3,
                                dra::DraApi::kV1Alpha2, dra::DraApi::kV1Alpha1}) {
    EXPECT_NE(NewDriverService(api, driver, driver.script().OpenSession()), nullptr) << dra::ApiName(api);
  }
}

}  // namespace
}  // namespace kubelet_cm::fakes
