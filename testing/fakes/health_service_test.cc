#include "testing/fakes/health_service.h"

#include "common/clock/real_clock.h"
#include "common/threads/real_threads.h"
#include "gtest/gtest.h"

// What the services say is in dra_health_contract_test.cc.
namespace kubelet_cm::fakes {
namespace {

TEST(HealthServiceTest, EveryApiHasAService) {
  RealClock clock;
  RealThreads threads(clock);
  HealthFeed feed(threads);
  for (const dra::DraHealthApi api : {dra::DraHealthApi::kV1, dra::DraHealthApi::kV1Alpha1}) {
    EXPECT_NE(NewHealthService(api, feed, 1), nullptr) << dra::ServiceName(api);
  }
}

}  // namespace
}  // namespace kubelet_cm::fakes
