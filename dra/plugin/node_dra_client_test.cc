#include "dra/plugin/node_dra_client.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/metrics/metric_value.h"
#include "common/status/status_matchers.h"
#include "dra/api/v1alpha2.grpc.pb.h"
#include "dra/plugin/served_service.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// What holds for every API is in testing/fakes/dra_driver_contract_test.cc.
namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;

constexpr absl::Duration kLimit = absl::Seconds(20);

// Answers about every claim with `devices`, and keeps the claims' handles.
class BatchedDriver : public ::v1alpha3::Node::Service {
 public:
  grpc::Status NodePrepareResources(grpc::ServerContext*, const ::v1alpha3::NodePrepareResourcesRequest* request,
                                    ::v1alpha3::NodePrepareResourcesResponse* response) override {
    ++calls;
    if (is_too_old) return grpc::Status(grpc::StatusCode::UNIMPLEMENTED, "method not known");
    for (const ::v1alpha3::Claim& claim : request->claims()) {
      handles.push_back(claim.resource_handle());
      structured += claim.structured_resource_handle_size();
      auto& answer = (*response->mutable_claims())[claim.uid()];
      answer.mutable_devices()->Assign(devices.begin(), devices.end());
    }
    return grpc::Status::OK;
  }

  bool is_too_old = false;
  std::vector<std::string> devices;
  int calls = 0;
  int structured = 0;
  std::vector<std::string> handles;
};

class SingularDriver : public ::v1alpha2::Node::Service {
 public:
  grpc::Status NodePrepareResource(grpc::ServerContext*, const ::v1alpha2::NodePrepareResourceRequest* request,
                                   ::v1alpha2::NodePrepareResourceResponse* response) override {
    if (request->resource_handle() == "away") return grpc::Status(grpc::StatusCode::UNAVAILABLE, "not now");
    response->add_cdi_devices(request->claim_uid() + "/" + request->resource_handle());
    return grpc::Status::OK;
  }
};

ResourceHandle Handle(const std::string& data, std::optional<StructuredHandle> structured = std::nullopt) {
  return {.driver_name = "", .data = data, .structured_data = std::move(structured)};
}

class NodeDraClientTest : public ::testing::Test {
 protected:
  absl::StatusOr<ClaimAnswers> Prepare(DraApi api, const ClaimRef& claim) {
    return NodeDraClient(api, served_.Connect()).Prepare({claim}, kLimit);
  }

  const ClaimRef claim_{.id = {"ns", "claim", "uid"}, .handles = {Handle("one"), Handle("two", StructuredHandle())}};
  BatchedDriver batched_;
  SingularDriver singular_;
  ServedService served_{{&batched_, &singular_}};
};

TEST_F(NodeDraClientTest, V1Alpha3TellsEachHandleAndV1Alpha4None) {
  EXPECT_OK(Prepare(DraApi::kV1Alpha4, claim_).status());
  EXPECT_THAT(batched_.handles, ElementsAre(""));
  EXPECT_OK(Prepare(DraApi::kV1Alpha3, claim_).status());
  EXPECT_THAT(batched_.handles, ElementsAre("", "one", "two"));
  EXPECT_EQ(batched_.structured, 1);
}

TEST_F(NodeDraClientTest, SameBytesAreNamesToOneApiAndDevicesToTheOther) {
  ::v1alpha3::Device device;
  device.set_device_name("gpu-0");
  batched_.devices = {device.SerializeAsString()};
  ASSERT_OK_AND_ASSIGN(const ClaimAnswers newer, Prepare(DraApi::kV1Alpha4, claim_));
  EXPECT_EQ(newer.at("uid").devices.front().device_name, "gpu-0");
  ASSERT_OK_AND_ASSIGN(const ClaimAnswers older, Prepare(DraApi::kV1Alpha3, claim_));
  EXPECT_THAT(older.at("uid").devices.front().cdi_device_ids, ElementsAre(device.SerializeAsString()));
}

TEST_F(NodeDraClientTest, BytesOfNeitherApiAreAnError) {
  batched_.devices = {"\x0a\xff"};
  EXPECT_THAT(Prepare(DraApi::kV1Alpha4, claim_), StatusIs(absl::StatusCode::kInternal));
  EXPECT_THAT(Prepare(DraApi::kV1Alpha3, claim_), StatusIs(absl::StatusCode::kInternal));
}

TEST_F(NodeDraClientTest, OldDriverIsAskedOneByOneAndThatIsRemembered) {
  batched_.is_too_old = true;
  NodeDraClient client(DraApi::kV1Alpha3, served_.Connect());
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK_AND_ASSIGN(const ClaimAnswers answers, client.Prepare({claim_}, kLimit));
    EXPECT_THAT(answers.at("uid").devices.front().cdi_device_ids, ElementsAre("uid/one", "uid/two"));
  }
  EXPECT_EQ(batched_.calls, 1);
}

TEST_F(NodeDraClientTest, Kubelet128TriedTheBatchedCallEachTime) {
  batched_.is_too_old = true;
  NodeDraClient client(DraApi::kV1Alpha3, served_.Connect(), /*remembers=*/false);
  for (int i = 0; i < 2; ++i) EXPECT_OK(client.Prepare({claim_}, kLimit).status());
  EXPECT_EQ(batched_.calls, 2);
}

TEST_F(NodeDraClientTest, WhateverGoesWrongWhenItIsAskedOneByOneIsTheClaims) {
  batched_.is_too_old = true;
  NodeDraClient client(DraApi::kV1Alpha3, served_.Connect());
  const ClaimRef other{.id = {"ns", "other", "other"}, .handles = {Handle("away")}};
  ASSERT_OK_AND_ASSIGN(const ClaimAnswers answers, client.Prepare({other, claim_}, kLimit));
  EXPECT_EQ(answers.at("other").error, "rpc error: code = Unavailable desc = not now");
  EXPECT_EQ(answers.at("uid").error, "");
}

TEST_F(NodeDraClientTest, EachCallOnTheWireIsMeasuredWithItsPath) {
  RealClock clock;
  MetricsRegistry registry;
  const DriverCallMetrics metrics(registry, clock);
  batched_.is_too_old = true;
  NodeDraClient client(DraApi::kV1Alpha3, served_.Connect(&metrics));
  ASSERT_OK(client.Prepare({claim_}, kLimit));
  const auto calls = [&](const std::string& method, const std::string& code) {
    return MetricValue(registry, "dra_grpc_operations_duration_seconds",
                       {{"driver_name", "d"}, {"method_name", method}, {"grpc_status_code", code}});
  };
  EXPECT_EQ(calls("/v1alpha3.Node/NodePrepareResources", "Unimplemented"), 1);
  EXPECT_EQ(calls("/v1alpha2.Node/NodePrepareResource", "OK"), 2);
}

TEST_F(NodeDraClientTest, V1Alpha4FallsBackToNothing) {
  batched_.is_too_old = true;
  EXPECT_THAT(Prepare(DraApi::kV1Alpha4, claim_), StatusIs(absl::StatusCode::kUnimplemented));
}

}  // namespace
}  // namespace kubelet_cm::dra
