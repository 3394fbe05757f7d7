#include "dra/plugin/batch_dra_client.h"

#include <memory>
#include <string>

#include "common/status/status_matchers.h"
#include "dra/api/v1.grpc.pb.h"
#include "dra/plugin/served_service.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// What holds for every API is in testing/fakes/dra_driver_contract_test.cc.
namespace kubelet_cm::dra {
namespace {

namespace dra_v1 = ::k8s::io::kubelet::pkg::apis::dra::v1;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr absl::Duration kLimit = absl::Seconds(20);

// Gives each claim a device that has its name as the share.
class ShareDriver : public dra_v1::DRAPlugin::Service {
  grpc::Status NodePrepareResources(grpc::ServerContext*, const dra_v1::NodePrepareResourcesRequest* request,
                                    dra_v1::NodePrepareResourcesResponse* response) override {
    for (const dra_v1::Claim& claim : request->claims()) {
      (*response->mutable_claims())[claim.uid()].add_devices()->set_share_id(claim.namespace_() + "/" + claim.name());
    }
    return grpc::Status::OK;
  }
};

class TalkativeDriver : public dra_v1::DRAPlugin::Service {
  grpc::Status NodePrepareResources(grpc::ServerContext*, const dra_v1::NodePrepareResourcesRequest*,
                                    dra_v1::NodePrepareResourcesResponse* response) override {
    (*response->mutable_claims())["uid"].add_devices()->set_device_name(std::string(4 << 20, 'x'));
    return grpc::Status::OK;
  }
};

TEST(BatchDraClientTest, AnAnswerThatIsTooLargeIsRefusedInGosWords) {
  TalkativeDriver driver;
  const ServedService served({&driver});
  const std::unique_ptr<DraClient> client = NewBatchDraClient(DraApi::kV1, served.Connect(nullptr, 16 << 20));
  EXPECT_THAT(client->Prepare({ClaimRef{.id = {"ns", "claim", "uid"}}}, kLimit),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("grpc: received message larger than max (")));
}

TEST(BatchDraClientTest, ClaimsAndSharesCrossTheWire) {
  ShareDriver driver;
  const ServedService served({&driver});
  const std::unique_ptr<DraClient> client = NewBatchDraClient(DraApi::kV1, served.Connect());
  const ClaimRef claim{.id = {"ns", "claim", "uid"}};
  ASSERT_OK_AND_ASSIGN(const ClaimAnswers answers, client->Prepare({claim}, kLimit));
  ClaimDevice device;
  device.share_id = "ns/claim";
  EXPECT_THAT(answers, ElementsAre(Pair("uid", ClaimAnswer{.devices = {device}})));
}

}  // namespace
}  // namespace kubelet_cm::dra
