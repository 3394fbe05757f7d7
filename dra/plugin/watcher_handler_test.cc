#include "dra/plugin/watcher_handler.h"

#include "common/clock/real_clock.h"
#include "common/log/capturing_logger.h"
#include "common/personality/personality.h"
#include "common/random/real_random.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "dra/plugin/switched_drivers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::HasSubstr;

class WatcherHandlerTest : public ::testing::Test {
 protected:
  RealClock clock_;
  RealThreads threads_{clock_};
  CapturingLogger log_;
  RealRandom random_;
  SwitchedDrivers drivers_{threads_};
  DriverRegistry registry_{{.threads = threads_,
                            .log = log_,
                            .random = random_,
                            .kubelet = LatestPersonality(),
                            .connect = drivers_.Connector()}};
  WatcherHandler handler_{registry_};
};

TEST_F(WatcherHandlerTest, PluginsOfItsTypeAreDrivers) {
  EXPECT_EQ(WatcherHandler::kType, "DRAPlugin");
  EXPECT_OK(handler_.ValidatePlugin("d", "/a", {"v1.DRAPlugin"}));
  EXPECT_FALSE(registry_.Find("d").ok());
  EXPECT_OK(handler_.RegisterPlugin("d", "/a", {"v1.DRAPlugin"}));
  EXPECT_OK(registry_.Find("d"));
  handler_.DeregisterPlugin("d", "/b");
  EXPECT_OK(registry_.Find("d"));
  handler_.DeregisterPlugin("d", "/a");
  EXPECT_FALSE(registry_.Find("d").ok());
}

TEST_F(WatcherHandlerTest, RefusalsNameDriverAndEndpoint) {
  for (const absl::Status& status : {handler_.ValidatePlugin("d", "/a", {}), handler_.RegisterPlugin("d", "/a", {})}) {
    EXPECT_THAT(status.message(), HasSubstr("invalid supported gRPC versions of DRA driver plugin d at endpoint /a: "));
  }
}

}  // namespace
}  // namespace kubelet_cm::dra
