#include "kubelet_cm/apiserver/resource_api.h"

#include <string>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/apiserver/api_scene.h"

namespace kubelet_cm::apiserver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kClaim[] = "namespaces/default/resourceclaims/c";

class ResourceApiTest : public ApiScene {
 protected:
  void SetUp() override {
    ApiScene::SetUp();
    server_->PutClaim(SampleClaim("c"));
  }
};

TEST(NewestKnownVersionTest, TakesTheNewestOfBoth) {
  const auto group = [](const std::string& versions) { return R"({"versions":[)" + versions + "]}"; };
  EXPECT_EQ(NewestKnownVersion(group(R"({"version":"v1beta1"},{"version":"v1"},{"version":"v9"})")), "v1");
  EXPECT_EQ(NewestKnownVersion(group(R"({"version":"v1beta1"},{"version":"v1beta2"})")), "v1beta2");
  EXPECT_EQ(NewestKnownVersion(group(R"({"version":"v1alpha2"},{"version":"v1alpha3"})")), "v1alpha3");
  EXPECT_EQ(NewestKnownVersion(group(R"({"version":"v1alpha2"})")), "v1alpha2");
  for (const char* none : {"", "{}", "[]", R"({"versions":null})", R"({"versions":[{"version":"v9"}]})"}) {
    EXPECT_EQ(NewestKnownVersion(none), "") << none;
  }
}

TEST_F(ResourceApiTest, AsksOnceForTheVersion) {
  EXPECT_THAT(api_->Get(kClaim, Limits())->body, HasSubstr("resource.k8s.io/v1\""));
  EXPECT_OK(api_->Get(kClaim, Limits()));
  EXPECT_THAT(server_->Requests(),
              ElementsAre("GET /apis/resource.k8s.io", HasSubstr("/v1/namespaces/"), HasSubstr("/v1/namespaces/")));
}

TEST_F(ResourceApiTest, FollowsAServerThatGoesBackToAnOlderVersion) {
  EXPECT_OK(api_->Get(kClaim, Limits()));
  server_->SetVersions({"v1beta1"});
  EXPECT_THAT(api_->Get(kClaim, Limits())->body, HasSubstr("resource.k8s.io/v1beta1"));
  server_->SetVersions({"v1"});
  EXPECT_THAT(api_->Get(kClaim, Limits())->body, HasSubstr("resource.k8s.io/v1\""));
}

TEST_F(ResourceApiTest, TellsAMissingClaimFromAMissingVersion) {
  EXPECT_THAT(api_->Get("namespaces/default/resourceclaims/x", Limits()).status(),
              StatusIs(absl::StatusCode::kNotFound, "resourceclaims.resource.k8s.io \"x\" not found"));
  EXPECT_EQ(server_->CountRequests("GET /apis/resource.k8s.io/v1/"), 1);
}

TEST_F(ResourceApiTest, SaysThatThereIsNoVersionForIt) {
  server_->SetVersions({"v9"});
  EXPECT_THAT(api_->Get(kClaim, Limits()).status(), StatusIs(absl::StatusCode::kUnimplemented));
  server_->SetVersions({});
  EXPECT_THAT(api_->Get(kClaim, Limits()).status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("could not find the requested resource")));
}

TEST_F(ResourceApiTest, TakesTheNewestVersionWhereItMayNotAsk) {
  server_->Fail({.path = "/apis/resource.k8s.io", .code = 403});
  EXPECT_OK(api_->Get(kClaim, Limits()));
}

TEST_F(ResourceApiTest, DoesNotRememberAVersionThatItCouldNotAskFor) {
  server_->Fail({.path = "/apis/resource.k8s.io", .code = 503});
  EXPECT_THAT(api_->Get(kClaim, Limits()).status(), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_OK(api_->Get(kClaim, Limits()));
}

}  // namespace
}  // namespace kubelet_cm::apiserver
