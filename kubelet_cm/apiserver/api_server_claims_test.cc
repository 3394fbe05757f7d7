#include "kubelet_cm/apiserver/api_server_claims.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/apiserver/api_scene.h"
#include "kubelet_cm/apiserver/claim_watch.h"

namespace kubelet_cm::apiserver {
namespace {

using fakes::ApiFault;
using testing::HasSubstr;

constexpr char kGet[] = "/namespaces/default/resourceclaims/c";

class ApiServerClaimsTest : public ApiScene {
 protected:
  void SetUp() override {
    ApiScene::SetUp();
    server_->PutClaim(SampleClaim("c"));
  }
  void TearDown() override {
    http_->Stop();
    watch_.reset();
  }

  // With a picture of the claims as they are now.
  void StartWatch() {
    watch_ = std::make_unique<ClaimWatch>(ClaimWatch::Dependencies{threads_, random_, log_, *api_});
    ASSERT_TRUE(log_.Await([&] { return watch_->synced(); }));
  }
  absl::StatusOr<dra::ClaimObject> Get(const std::string& name = "c") {
    ApiServerClaims claims(*api_, watch_.get(), log_);
    return claims.Get("default", name);
  }

  SeededRandom random_{1};
  std::unique_ptr<ClaimWatch> watch_;
};

TEST_F(ApiServerClaimsTest, AsksTheServerEachTime) {
  StartWatch();
  EXPECT_THAT(Get(), IsOkAndHolds(SampleClaim("c")));
  EXPECT_THAT(Get(), IsOkAndHolds(SampleClaim("c")));
  EXPECT_EQ(server_->CountRequests(kGet), 2);
}

TEST_F(ApiServerClaimsTest, SaysInTheServersWordsThatThereIsNone) {
  EXPECT_THAT(Get("x"), StatusIs(absl::StatusCode::kNotFound, "resourceclaims.resource.k8s.io \"x\" not found"));
}

TEST_F(ApiServerClaimsTest, TakesTheClaimAsLastHeardWhenTheServerCannotBeReached) {
  StartWatch();
  server_->Fail({.path = kGet, .code = 503});
  EXPECT_THAT(Get(), IsOkAndHolds(SampleClaim("c")));
  server_->Fail({.path = kGet, .how = ApiFault::How::kBreakOff});
  EXPECT_THAT(Get(), IsOkAndHolds(SampleClaim("c")));
  server_.reset();
  EXPECT_THAT(Get(), IsOkAndHolds(SampleClaim("c")));
  EXPECT_EQ(log_.Count("API server cannot be reached, taking the ResourceClaim as last heard of"), 3);
}

TEST_F(ApiServerClaimsTest, DoesNotTakeAClaimForMissingWhenTheServerCannotBeReached) {
  StartWatch();
  server_.reset();
  EXPECT_THAT(Get("x"), StatusIs(absl::StatusCode::kUnavailable));
}

TEST_F(ApiServerClaimsTest, FailsWithoutAWatchWhenTheServerCannotBeReached) {
  server_.reset();
  EXPECT_THAT(Get(), StatusIs(absl::StatusCode::kUnavailable));
}

TEST_F(ApiServerClaimsTest, OverrulesNothingThatTheServerSays) {
  StartWatch();
  const auto fail_with = [&](int code, const std::string& message) {
    server_->Fail({.path = kGet, .code = code, .body = R"({"kind":"Status","message":")" + message + "\"}"});
  };
  fail_with(404, "gone");
  EXPECT_THAT(Get(), StatusIs(absl::StatusCode::kNotFound, "gone"));
  fail_with(403, "forbidden");
  EXPECT_THAT(Get(), StatusIs(absl::StatusCode::kPermissionDenied, "forbidden"));
  fail_with(401, "Unauthorized");
  EXPECT_THAT(Get(), StatusIs(absl::StatusCode::kUnauthenticated, "Unauthorized"));
}

TEST_F(ApiServerClaimsTest, RefusesNonsense) {
  StartWatch();
  server_->Fail({.path = kGet, .code = 200, .body = "nonsense"});
  EXPECT_THAT(Get(), StatusIs(absl::StatusCode::kInvalidArgument));
  server_->Fail({.path = kGet, .how = ApiFault::How::kEndless});
  EXPECT_THAT(Get(), StatusIs(absl::StatusCode::kResourceExhausted));
  server_->PutClaim(SampleClaim("other"));
  const std::string other = R"({"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1",
                                "metadata":{"name":"other","namespace":"default","uid":"u"}})";
  server_->Fail({.path = kGet, .code = 200, .body = other});
  EXPECT_THAT(Get(), StatusIs(absl::StatusCode::kInternal, HasSubstr("gave another one")));
}

TEST_F(ApiServerClaimsTest, LetsNoNameReachAnotherPath) {
  EXPECT_THAT(Get("../../../nodes/n?x=#y"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(server_->Requests()[1], HasSubstr("/resourceclaims/..%2F..%2F..%2Fnodes%2Fn%3Fx%3D%23y"));
}

}  // namespace
}  // namespace kubelet_cm::apiserver
