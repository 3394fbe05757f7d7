// Managers and drivers of their time over real sockets and a real disk: a claim is prepared, the kubelet starts again,
// and the claim is unprepared.
#include <memory>
#include <string>
#include <vector>

#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/log/awaiting_logger.h"
#include "common/metrics/registry.h"
#include "common/node/fake_active_pods.h"
#include "common/personality/personality.h"
#include "common/random/real_random.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/short_temp_dir.h"
#include "dra/api/dra_api.h"
#include "dra/dra_manager.h"
#include "dra/plugin/connect_driver.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_claim_source.h"
#include "testing/fakes/fake_dra_driver.h"
#include "testing/harness/dra_node.h"

namespace kubelet_cm::dra {
namespace {

using fakes::DriverMethod;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kDriver[] = "fake.example.com";

struct Era {
  const char* kubelet;
  DraApi api;
};

// The one driver, connected for good.
class OneDriver : public DriverDirectory {
 public:
  explicit OneDriver(std::shared_ptr<DraClient> client) : client_(std::move(client)) {}
  absl::StatusOr<std::shared_ptr<DraClient>> Find(std::string_view /*driver_name*/) const override { return client_; }

 private:
  const std::shared_ptr<DraClient> client_;
};

class DraSocketTest : public testing::TestWithParam<Era> {
 protected:
  void SetUp() override {
    ASSERT_OK(driver_.Start());
    ASSERT_OK_AND_ASSIGN(
        std::shared_ptr<DraClient> client,
        ConnectDriver({.driver_name = kDriver, .endpoint = driver_.socket_path(), .api = GetParam().api}));
    drivers_ = std::make_unique<OneDriver>(std::move(client));
    ClaimObject claim = harness::ClaimOf("claim", {});
    if (GetParam().api >= DraApi::kV1Alpha3) {
      claim.driver_name = kDriver;
      claim.allocation->handles = {ResourceHandle{.driver_name = kDriver, .data = "42", .structured_data = {}}};
    } else {
      claim = harness::ClaimOf("claim", {kDriver});
    }
    claims_.Set(claim);
    claims_.Reserve("default", "claim", "pod");
    pods_.Add("pod");
    Start();
  }

  void Start() {
    manager_.reset();
    metrics_ = std::make_unique<MetricsRegistry>();
    auto manager = DraManager::New({.files = files_,
                                    .random = random_,
                                    .threads = threads_,
                                    .log = log_,
                                    .metrics = *metrics_,
                                    .active_pods = pods_,
                                    .drivers = *drivers_,
                                    .claims = claims_},
                                   {.folder = folder_.path(), .kubelet = *ParsePersonality(GetParam().kubelet)}, {});
    ASSERT_OK(manager);
    manager_ = *std::move(manager);
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  RealRandom random_;
  ShortTempDir folder_;
  AwaitingLogger log_;
  FakeActivePods pods_;
  fakes::FakeClaimSource claims_;
  fakes::FakeDraDriver driver_{{threads_, files_},
                               {.driver_name = kDriver, .folder = folder_.path(), .api = GetParam().api}};
  std::unique_ptr<OneDriver> drivers_;
  std::unique_ptr<MetricsRegistry> metrics_;
  std::unique_ptr<DraManager> manager_;
  const Pod pod_ = harness::PodUsing("pod", {"claim"});
};

INSTANTIATE_TEST_SUITE_P(Eras, DraSocketTest,
                         testing::Values(Era{"latest", DraApi::kV1}, Era{"latest", DraApi::kV1Beta1},
                                         Era{"latest", DraApi::kV1Alpha4}, Era{"1.37", DraApi::kV1},
                                         Era{"1.33", DraApi::kV1Beta1}, Era{"1.31", DraApi::kV1Alpha4},
                                         Era{"1.30", DraApi::kV1Alpha3}, Era{"1.28", DraApi::kV1Alpha3},
                                         Era{"1.27", DraApi::kV1Alpha2}));

TEST_P(DraSocketTest, AClaimIsPreparedAndAfterARestartUnprepared) {
  ASSERT_OK(manager_->PrepareResources(pod_));
  EXPECT_THAT(driver_.PreparedClaims(), ElementsAre("claim-uid"));
  Start();
  ASSERT_OK_AND_ASSIGN(const ClaimRunOptions options, manager_->GetResources(pod_, pod_.containers[0]));
  EXPECT_THAT(options.cdi_device_ids, ElementsAre("example.com/fake=claim-uid"));
  ASSERT_OK(manager_->UnprepareResources(pod_));
  EXPECT_THAT(driver_.PreparedClaims(), IsEmpty());
}

TEST_P(DraSocketTest, ADriverThatDiesWhileItPreparesHasFailedAndIsCalledAgain) {
  driver_.script().At(DriverMethod::kPrepare, 1, {.act = fakes::DriverAct::kDie});
  EXPECT_THAT(std::string(manager_->PrepareResources(pod_).message()),
              HasSubstr("prepare dynamic resources: NodePrepareResources: rpc error: code = "));
  ASSERT_OK(driver_.WaitUntilDown());
  ASSERT_OK(driver_.Start());
  // The connection has to be there again first.
  while (!manager_->PrepareResources(pod_).ok()) threads_.Yield();
  EXPECT_THAT(driver_.PreparedClaims(), ElementsAre("claim-uid"));
}

}  // namespace
}  // namespace kubelet_cm::dra
