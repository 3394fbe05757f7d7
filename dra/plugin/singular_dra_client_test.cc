#include "dra/plugin/singular_dra_client.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "dra/api/v1alpha1.grpc.pb.h"
#include "dra/api/v1alpha2.grpc.pb.h"
#include "dra/plugin/served_service.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// What holds for every API is in testing/fakes/dra_driver_contract_test.cc.
namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr absl::Duration kLimit = absl::Seconds(20);

// Refuses the handle "bad" with a code of its own, and keeps all handles.
class HandleDriver : public ::v1alpha2::Node::Service {
 public:
  grpc::Status NodePrepareResource(grpc::ServerContext*, const ::v1alpha2::NodePrepareResourceRequest* request,
                                   ::v1alpha2::NodePrepareResourceResponse* response) override {
    handles.push_back(request->resource_handle());
    response->add_cdi_devices(request->resource_handle());
    return request->resource_handle() == "bad" ? grpc::Status(code, "no") : grpc::Status::OK;
  }

  grpc::StatusCode code = grpc::StatusCode::INVALID_ARGUMENT;
  std::vector<std::string> handles;
};

class OldestDriver : public ::v1alpha1::Node::Service {
 public:
  grpc::Status NodeUnprepareResource(grpc::ServerContext*, const ::v1alpha1::NodeUnprepareResourceRequest* request,
                                     ::v1alpha1::NodeUnprepareResourceResponse*) override {
    cdi_devices.assign(request->cdi_devices().begin(), request->cdi_devices().end());
    return grpc::Status::OK;
  }

  std::vector<std::string> cdi_devices;
};

ResourceHandle Handle(const std::string& data) {
  return {.driver_name = "", .data = data, .structured_data = std::nullopt};
}

class SingularDraClientTest : public ::testing::Test {
 protected:
  absl::StatusOr<ClaimAnswers> Prepare(const std::vector<ClaimRef>& claims) {
    return NewSingularDraClient(DraApi::kV1Alpha2, served_.Connect())->Prepare(claims, kLimit);
  }

  HandleDriver driver_;
  OldestDriver oldest_;
  ServedService served_{{&driver_, &oldest_}};
};

TEST_F(SingularDraClientTest, ClaimWithoutHandlesHasOneThatIsEmpty) {
  EXPECT_OK(Prepare({{.id = {"ns", "a", "a"}}}).status());
  EXPECT_THAT(driver_.handles, ElementsAre(""));
}

TEST_F(SingularDraClientTest, ErrorAboutAClaimIsThatClaimsInGosWords) {
  ASSERT_OK_AND_ASSIGN(const ClaimAnswers answers,
                       Prepare({{.id = {"ns", "a", "a"}, .handles = {Handle("x"), Handle("bad"), Handle("y")}},
                                {.id = {"ns", "b", "b"}, .handles = {Handle("z")}}}));
  EXPECT_EQ(answers.at("a").error, "rpc error: code = InvalidArgument desc = no");
  EXPECT_THAT(answers.at("a").devices, SizeIs(0));
  EXPECT_THAT(answers.at("b").devices.front().cdi_device_ids, ElementsAre("z"));
  EXPECT_THAT(driver_.handles, ElementsAre("x", "bad", "z"));
}

TEST_F(SingularDraClientTest, ErrorAboutTheDriverEndsAll) {
  driver_.code = grpc::StatusCode::UNAVAILABLE;
  EXPECT_THAT(Prepare({{.id = {"ns", "a", "a"}, .handles = {Handle("bad")}}, {.id = {"ns", "b", "b"}}}),
              StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(driver_.handles, ElementsAre("bad"));
}

TEST_F(SingularDraClientTest, V1Alpha1IsToldWhatItHadPrepared) {
  const std::vector<ClaimRef> claims = {{.id = {"ns", "a", "a"}, .cdi_device_ids = {"v/c=0", "v/c=1"}}};
  EXPECT_OK(NewSingularDraClient(DraApi::kV1Alpha1, served_.Connect())->Unprepare(claims, kLimit).status());
  EXPECT_THAT(oldest_.cdi_devices, ElementsAre("v/c=0", "v/c=1"));
}

}  // namespace
}  // namespace kubelet_cm::dra
