#include "kubelet_cm/apiserver/api_server_slices.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/apiserver/api_scene.h"

namespace kubelet_cm::apiserver {
namespace {

using fakes::ApiFault;
using testing::ElementsAre;

constexpr absl::Duration kTimeout = absl::Seconds(20);

class ApiServerSlicesTest : public ApiScene {
 protected:
  void SetUp() override {
    ApiScene::SetUp();
    server_->PutNode("n1");
    server_->PutSlice("mine", {.node = "n1", .driver = "gpu.example.com"});
    server_->PutSlice("mine-too", {.node = "n1", .driver = "nic.example.com"});
    server_->PutSlice("theirs", {.node = "n2", .driver = "gpu.example.com"});
    slices_ = std::make_unique<ApiServerSlices>(*api_, "n1");
  }

  std::unique_ptr<ApiServerSlices> slices_;
};

TEST_F(ApiServerSlicesTest, KnowsTheNode) {
  EXPECT_THAT(slices_->CheckNode(kTimeout), IsOkAndHolds("n1"));
  EXPECT_THAT(ApiServerSlices(*api_, "n3").CheckNode(kTimeout),
              StatusIs(absl::StatusCode::kNotFound, "nodes \"n3\" not found"));
}

TEST_F(ApiServerSlicesTest, DeletesThoseOfADriver) {
  EXPECT_OK(slices_->DeleteSlices({.node_name = "n1", .driver_name = "gpu.example.com"}, kTimeout));
  EXPECT_THAT(server_->Slices(), ElementsAre("mine-too", "theirs"));
  EXPECT_EQ(server_->Requests().back(),
            "DELETE /apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.nodeName%3Dn1%2Cspec.driver%3D"
            "gpu.example.com");
}

TEST_F(ApiServerSlicesTest, DeletesThoseOfAllDrivers) {
  EXPECT_OK(slices_->DeleteSlices({.node_name = "n1"}, kTimeout));
  EXPECT_THAT(server_->Slices(), ElementsAre("theirs"));
}

TEST_F(ApiServerSlicesTest, DeletesThoseOfAllDriversButSome) {
  EXPECT_OK(slices_->DeleteSlices({.node_name = "n1", .spared_drivers = {"gpu.example.com"}}, kTimeout));
  EXPECT_THAT(server_->Slices(), ElementsAre("mine", "theirs"));
  EXPECT_OK(slices_->DeleteSlices({.node_name = "n1", .spared_drivers = {"a.example.com", "b.example.com"}}, kTimeout));
  EXPECT_EQ(server_->Requests().back(),
            "DELETE /apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.nodeName%3Dn1%2Cspec.driver%21%3D"
            "a.example.com%2Cspec.driver%21%3Db.example.com");
}

TEST_F(ApiServerSlicesTest, LetsNoDriversNameSelectMore) {
  EXPECT_OK(slices_->DeleteSlices({.node_name = "n1", .driver_name = "gpu.example.com,spec.nodeName=n1"}, kTimeout));
  EXPECT_OK(slices_->DeleteSlices({.node_name = "n1", .driver_name = "x&fieldSelector=spec.nodeName=n1"}, kTimeout));
  EXPECT_THAT(server_->Slices(), ElementsAre("mine", "mine-too", "theirs"));
}

TEST_F(ApiServerSlicesTest, SaysThatTheServerDoesNotKnowUs) {
  server_->SetToken("secret");
  EXPECT_THAT(slices_->DeleteSlices({.node_name = "n1"}, kTimeout), StatusIs(absl::StatusCode::kUnauthenticated));
  EXPECT_THAT(slices_->CheckNode(kTimeout), StatusIs(absl::StatusCode::kUnauthenticated));
}

TEST_F(ApiServerSlicesTest, GivesUpWhenTheTimeIsOver) {
  server_->Fail({.path = "resourceslices", .how = ApiFault::How::kHang});
  EXPECT_THAT(slices_->DeleteSlices({.node_name = "n1"}, absl::Milliseconds(200)),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  server_->Release();
}

}  // namespace
}  // namespace kubelet_cm::apiserver
