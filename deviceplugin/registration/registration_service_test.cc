#include "deviceplugin/registration/registration_service.h"

#include <memory>
#include <string>
#include <vector>

#include "common/log/capturing_logger.h"
#include "deviceplugin/api/v1alpha.grpc.pb.h"
#include "deviceplugin/api/v1beta1.grpc.pb.h"
#include "deviceplugin/registration/recording_handler.h"
#include "gmock/gmock.h"
#include "grpcpp/server_context.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kGpu[] = "example.com/gpu";

class RegistrationServiceTest : public ::testing::Test {
 protected:
  std::vector<std::unique_ptr<grpc::Service>> Make(std::vector<PluginApi> offered) {
    desk_ = std::make_unique<RegistrationDesk>(RegistrationDeps{log_, metrics_, handler_},
                                               RegistrationDeskOptions{.folder = "/plugins", .offered = offered});
    return MakeRegistrationServices(*desk_, offered);
  }

  // Calls the only service that there is, without a wire.
  template <typename Service, typename Request, typename Response>
  grpc::Status Register(PluginApi api, const std::string& name) {
    const auto services = Make({api});
    Request request;
    request.set_version(std::string(ApiVersion(api)));
    request.set_endpoint("gpu.sock");
    request.set_resource_name(name);
    Response response;
    grpc::ServerContext context;
    return dynamic_cast<typename Service::Service&>(*services.at(0)).Register(&context, &request, &response);
  }

  CapturingLogger log_;
  MetricsRegistry metrics_;
  RecordingHandler handler_;
  std::unique_ptr<RegistrationDesk> desk_;
};

TEST_F(RegistrationServiceTest, ThereIsAServiceForEachWireOnWhichSomethingIsOffered) {
  EXPECT_THAT(Make({PluginApi::kV1Beta1}), SizeIs(1));
  EXPECT_THAT(Make({PluginApi::kV1Alpha2, PluginApi::k01}), SizeIs(1));
  EXPECT_THAT(Make({PluginApi::kV1Beta1, PluginApi::k01}), SizeIs(2));
  EXPECT_THAT(Make({}), IsEmpty());
}

TEST_F(RegistrationServiceTest, WhatARequestSaysReachesTheHandler) {
  const grpc::Status status =
      Register<v1beta1::Registration, v1beta1::RegisterRequest, v1beta1::Empty>(PluginApi::kV1Beta1, kGpu);
  EXPECT_TRUE(status.ok());
  EXPECT_THAT(handler_.registered(),
              ElementsAre(RegisterPlugin{PluginApi::kV1Beta1, kGpu, "gpu.sock", "/plugins/gpu.sock"}));
}

TEST_F(RegistrationServiceTest, AnErrorOfAnOldServiceIsUnknownWithItsText) {
  const grpc::Status status =
      Register<::deviceplugin::Registration, ::deviceplugin::RegisterRequest, ::deviceplugin::Empty>(
          PluginApi::kV1Alpha2, "gpu");
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNKNOWN);
  EXPECT_EQ(status.error_message(), "the ResourceName \"gpu\" is invalid");
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
