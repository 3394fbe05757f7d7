#include "kubelet_cm/apiserver/api_server_link.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/log/awaiting_logger.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_api_server.h"

namespace kubelet_cm::apiserver {
namespace {

using fakes::ApiFault;
using fakes::FakeApiServer;

class ApiServerLinkTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(server_, FakeApiServer::New(threads_, {}));
    server_->PutClaim({.id = {"default", "c", "u"}});
    server_->PutNode("n1");
    link_ = std::make_unique<ApiServerLink>(ApiServerLink::Dependencies{threads_, files_, random_, log_},
                                            ApiAccess{.server = server_->url()}, "n1");
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  FakeFileSystem files_;
  SeededRandom random_{1};
  AwaitingLogger log_;
  std::unique_ptr<FakeApiServer> server_;
  std::unique_ptr<ApiServerLink> link_;
};

TEST_F(ApiServerLinkTest, HasClaimsSlicesAndTheNode) {
  EXPECT_OK(link_->claims().Get("default", "c"));
  EXPECT_THAT(link_->slices().CheckNode(absl::Seconds(20)), IsOkAndHolds("n1"));
  EXPECT_TRUE(log_.Await([&] { return link_->synced(); }));
}

TEST_F(ApiServerLinkTest, EndsCallsThatAreUnderWay) {
  server_->Fail({.path = "/namespaces/", .how = ApiFault::How::kHang});
  absl::Status ended;
  {
    const auto caller = threads_.Start("caller", [&] { ended = link_->claims().Get("default", "c").status(); });
    ASSERT_OK(server_->AwaitRequests("/namespaces/", 1));
    link_->Stop();
  }
  EXPECT_THAT(ended, StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(ApiServerLinkTest, EndsWhileAListIsUnderWay) {
  link_.reset();
  server_->Fail({.path = "resourceclaims?limit", .how = ApiFault::How::kHang});
  link_ = std::make_unique<ApiServerLink>(ApiServerLink::Dependencies{threads_, files_, random_, log_},
                                          ApiAccess{.server = server_->url()}, "n1");
  ASSERT_OK(server_->AwaitRequests("resourceclaims?limit", 1));
  link_.reset();
}

}  // namespace
}  // namespace kubelet_cm::apiserver
