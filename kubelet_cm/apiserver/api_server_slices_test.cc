#include "kubelet_cm/apiserver/api_server_slices.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/apiserver/api_scene.h"

namespace kubelet_cm::apiserver {
namespace {

using fakes::ApiFault;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

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

TEST_F(ApiServerSlicesTest, SelectsByTheFieldsThatAServerOf130Knows) {
  server_->SetVersions({"v1alpha2"});
  EXPECT_OK(slices_->DeleteSlices({.node_name = "n1", .driver_name = "gpu.example.com"}, kTimeout));
  EXPECT_THAT(server_->Slices(), ElementsAre("mine-too", "theirs"));
  EXPECT_OK(slices_->DeleteSlices({.node_name = "n1", .spared_drivers = {"nic.example.com"}}, kTimeout));
  EXPECT_THAT(server_->Slices(), ElementsAre("mine-too", "theirs"));
  EXPECT_OK(slices_->DeleteSlices({.node_name = "n1"}, kTimeout));
  EXPECT_THAT(server_->Slices(), ElementsAre("theirs"));
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

class ModelSlicesTest : public ApiScene {
 protected:
  void SetUp() override {
    Serve({.versions = {"v1alpha2"}});
    server_->PutNode("n1");
    slices_ = std::make_unique<ApiServerSlices>(*api_, "n1");
  }
  static dra::ModelSlice SliceWith(const std::string& instance, const std::string& driver = "gpu.example.com") {
    dra::ModelSlice slice{.driver_name = driver};
    slice.model.mutable_named_resources()->add_instances()->set_name(instance);
    return slice;
  }
  dra::ModelSlice OnlySlice() {
    const auto slices = slices_->ListModelSlices(kTimeout);
    EXPECT_THAT(slices, IsOkAndHolds(SizeIs(1)));
    return slices.ok() && !slices->empty() ? slices->front() : dra::ModelSlice();
  }

  std::unique_ptr<ApiServerSlices> slices_;
};

TEST_F(ModelSlicesTest, WhatIsMadeIsListed) {
  EXPECT_OK(slices_->CreateModelSlice(SliceWith("a"), kTimeout));
  const dra::ModelSlice slice = OnlySlice();
  EXPECT_THAT(slice.name, StartsWith("n1-gpu.example.com-"));
  EXPECT_EQ(slice.driver_name, "gpu.example.com");
  EXPECT_EQ(slice.model.named_resources().instances(0).name(), "a");
  EXPECT_THAT(slice.metadata, HasSubstr(R"("kind":"Node","name":"n1","uid":"uid of n1")"));
}

TEST_F(ModelSlicesTest, SlicesOfOtherNodesAreNotListed) {
  server_->PutSlice("theirs", {.node = "n2", .driver = "gpu.example.com", .resources = R"({"instances":[]})"});
  EXPECT_THAT(slices_->ListModelSlices(kTimeout), IsOkAndHolds(IsEmpty()));
  EXPECT_EQ(server_->Requests().back(),
            "GET /apis/resource.k8s.io/v1alpha2/resourceslices?fieldSelector=nodeName%3Dn1");
}

TEST_F(ModelSlicesTest, AnUpdateKeepsWhatTheServerSaidOfTheSlice) {
  EXPECT_OK(slices_->CreateModelSlice(SliceWith("a"), kTimeout));
  dra::ModelSlice slice = OnlySlice();
  slice.model = SliceWith("b").model;
  EXPECT_OK(slices_->UpdateModelSlice(slice, kTimeout));
  EXPECT_EQ(OnlySlice().name, slice.name);
  EXPECT_EQ(OnlySlice().model.named_resources().instances(0).name(), "b");
  EXPECT_THAT(OnlySlice().metadata, HasSubstr("ownerReferences"));
}

TEST_F(ModelSlicesTest, ASliceThatWasChangedMeanwhileIsNotOverwritten) {
  EXPECT_OK(slices_->CreateModelSlice(SliceWith("a"), kTimeout));
  const dra::ModelSlice old = OnlySlice();
  EXPECT_OK(slices_->UpdateModelSlice(old, kTimeout));
  EXPECT_THAT(slices_->UpdateModelSlice(old, kTimeout), StatusIs(absl::StatusCode::kAborted));
}

TEST_F(ModelSlicesTest, ASliceThatIsGoneIsNotFound) {
  EXPECT_OK(slices_->CreateModelSlice(SliceWith("a"), kTimeout));
  const dra::ModelSlice slice = OnlySlice();
  EXPECT_OK(slices_->DeleteModelSlice(slice.name, kTimeout));
  EXPECT_THAT(server_->Slices(), IsEmpty());
  EXPECT_THAT(slices_->DeleteModelSlice(slice.name, kTimeout), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(slices_->UpdateModelSlice(slice, kTimeout), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(ModelSlicesTest, NoNameIsMoreThanItself) {
  EXPECT_OK(slices_->CreateModelSlice(SliceWith("a\"},{\"name\":\"b", "x\",\"y"), kTimeout));
  EXPECT_EQ(OnlySlice().driver_name, "x\",\"y");
  EXPECT_EQ(OnlySlice().model.named_resources().instances_size(), 1);
  EXPECT_THAT(slices_->DeleteModelSlice("../resourceclaims/c", kTimeout), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(server_->Requests().back(), HasSubstr("resourceslices/..%2Fresourceclaims%2Fc"));
}

TEST_F(ModelSlicesTest, ASliceOfADriverWithALotIsSentWhole) {
  dra::ModelSlice large = SliceWith("a");
  for (int i = 0; i < 30'000; ++i) {
    large.model.mutable_named_resources()->add_instances()->set_name(absl::StrCat("an-instance-with-some-name-", i));
  }
  EXPECT_OK(slices_->CreateModelSlice(large, kTimeout));
  EXPECT_EQ(OnlySlice().model.named_resources().instances_size(), 30'001);
}

TEST_F(ModelSlicesTest, AServerWithoutTheApiAndANodeThatItDoesNotKnowAreToldOf) {
  EXPECT_THAT(ApiServerSlices(*api_, "n3").CreateModelSlice(SliceWith("a"), kTimeout),
              StatusIs(absl::StatusCode::kNotFound, "nodes \"n3\" not found"));
  server_->SetVersions({"v1"});
  EXPECT_THAT(slices_->ListModelSlices(kTimeout), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace kubelet_cm::apiserver
