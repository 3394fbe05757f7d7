#include "deviceplugin/registration/registration_server.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/filesystem/posix_file_system.h"
#include "common/log/capturing_logger.h"
#include "common/metrics/metric_value.h"
#include "common/status/grpc_status.h"
#include "common/status/status_matchers.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/deadline.h"
#include "common/unixsocket/short_temp_dir.h"
#include "common/unixsocket/silent_socket.h"
#include "deviceplugin/api/v1alpha.grpc.pb.h"
#include "deviceplugin/api/v1beta1.grpc.pb.h"
#include "deviceplugin/registration/recording_handler.h"
#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr char kGpu[] = "example.com/gpu";

class RegistrationServerTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<RegistrationServer>> Start(std::vector<PluginApi> offered = {PluginApi::kV1Beta1}) {
    return RegistrationServer::New(files_, {log_, metrics_, handler_}, health_,
                                   {.socket_path = socket_, .offered = std::move(offered)});
  }

  // What a plugin is answered that registers `endpoint` at the service of v1beta1, or of the older protocols.
  absl::Status Register(const std::string& version, const std::string& endpoint = "gpu.sock") {
    return RegisterAt<v1beta1::Registration, v1beta1::RegisterRequest, v1beta1::Empty>(version, endpoint);
  }
  absl::Status RegisterOld(const std::string& version) {
    return RegisterAt<::deviceplugin::Registration, ::deviceplugin::RegisterRequest, ::deviceplugin::Empty>(version,
                                                                                                            "gpu.sock");
  }

  const ShortTempDir temp_;
  const std::string folder_ = temp_.File("device-plugins");
  const std::string socket_ = folder_ + "/kubelet.sock";
  PosixFileSystem files_;
  CapturingLogger log_;
  MetricsRegistry metrics_;
  RecordingHandler handler_;
  RegistrationHealth health_;

 private:
  template <typename Service, typename Request, typename Response>
  absl::Status RegisterAt(const std::string& version, const std::string& endpoint) {
    absl::StatusOr<std::shared_ptr<grpc::Channel>> channel = DialUnixSocket(socket_);
    if (!channel.ok()) return channel.status();
    grpc::ClientContext context;
    context.set_deadline(DeadlineIn(absl::Seconds(60)));
    Request request;
    request.set_version(version);
    request.set_endpoint(endpoint);
    request.set_resource_name(kGpu);
    Response response;
    return FromGrpcStatus(Service::NewStub(*channel)->Register(&context, request, &response));
  }
};

TEST_F(RegistrationServerTest, APluginRegisters) {
  ASSERT_OK_AND_ASSIGN(const auto server, Start());
  EXPECT_OK(Register("v1beta1"));
  EXPECT_THAT(handler_.registered(),
              ElementsAre(RegisterPlugin{PluginApi::kV1Beta1, kGpu, "gpu.sock", folder_ + "/gpu.sock"}));
  EXPECT_EQ(MetricValue(metrics_, "kubelet_device_plugin_registration_total", {{"resource_name", kGpu}}), 1);
  EXPECT_THAT(metrics_.Text(), HasSubstr("# HELP kubelet_device_plugin_registration_total [ALPHA] Cumulative number of "
                                         "device plugin registrations. Broken down by resource name.\n"));
}

TEST_F(RegistrationServerTest, OldPluginsRegisterAtTheirOwnService) {
  ASSERT_OK_AND_ASSIGN(const auto server, Start({PluginApi::kV1Beta1, PluginApi::kV1Alpha2, PluginApi::k01}));
  EXPECT_OK(RegisterOld("v1alpha2"));
  EXPECT_OK(RegisterOld("0.1"));
  EXPECT_OK(Register("v1beta1"));
  ASSERT_EQ(handler_.registered().size(), 3);
  EXPECT_EQ(handler_.registered()[0].api, PluginApi::kV1Alpha2);
  EXPECT_EQ(handler_.registered()[1].api, PluginApi::k01);
  EXPECT_EQ(handler_.registered()[2].api, PluginApi::kV1Beta1);
}

TEST_F(RegistrationServerTest, EveryErrorIsUnknownWithItsText) {
  ASSERT_OK_AND_ASSIGN(const auto server, Start());
  EXPECT_THAT(Register("v1alpha1"),
              StatusIs(absl::StatusCode::kUnknown,
                       std::string("requested API version \"v1alpha1\" is not supported by kubelet. Supported version "
                                   "is [\"v1beta1\"]")));
  EXPECT_THAT(Register("v1beta1", "../pod-resources/kubelet.sock"),
              StatusIs(absl::StatusCode::kUnknown, HasSubstr("endpoint \"../pod-resources/kubelet.sock\" is invalid")));
  EXPECT_THAT(handler_.registered(), IsEmpty());
  handler_.Answer(
      [] { return absl::DeadlineExceededError("failed to dial device plugin: context deadline exceeded"); });
  EXPECT_THAT(Register("v1beta1"), StatusIs(absl::StatusCode::kUnknown,
                                            std::string("failed to dial device plugin: context deadline exceeded")));
}

TEST_F(RegistrationServerTest, AKubeletThatDoesNotOfferAServiceDoesNotHaveIt) {
  {
    ASSERT_OK_AND_ASSIGN(const auto server, Start({PluginApi::kV1Beta1}));
    EXPECT_THAT(RegisterOld("v1alpha2"), StatusIs(absl::StatusCode::kUnimplemented));
  }
  ASSERT_OK_AND_ASSIGN(const auto server, Start({PluginApi::k01}));
  EXPECT_THAT(Register("v1beta1"), StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(RegisterOld("v1alpha2"),
              StatusIs(absl::StatusCode::kUnknown, std::string("unsupported API version by the Kubelet registry")));
}

TEST_F(RegistrationServerTest, TheFolderIsMadeAndTheSocketsInItAreRemoved) {
  ASSERT_OK_AND_ASSIGN(auto first, Start());
  ASSERT_OK_AND_ASSIGN(const FileStat made, files_.Stat(folder_));
  EXPECT_EQ(made.mode, 0750);
  first->Shutdown();
  const SilentSocket plugin(folder_ + "/gpu.sock");
  ASSERT_OK(files_.Open(folder_ + "/kubelet_internal_checkpoint", OpenMode::kCreate).status());
  ASSERT_OK_AND_ASSIGN(const auto second, Start());
  EXPECT_THAT(files_.List(folder_), IsOkAndHolds(ElementsAre("kubelet.sock", "kubelet_internal_checkpoint")));
  EXPECT_THAT(log_.lines(), Contains(IsLogLine(Severity::kInfo, "Starting device plugin registration server")));
}

TEST_F(RegistrationServerTest, ThePathMustBeAbsolute) {
  for (const std::string path : {"", "kubelet.sock", "./kubelet.sock"}) {
    EXPECT_THAT(RegistrationServer::New(files_, {log_, metrics_, handler_}, health_, {.socket_path = path}),
                StatusIs(absl::StatusCode::kInvalidArgument, "bad socketPath, must be an absolute path: " + path));
  }
}

TEST_F(RegistrationServerTest, SomethingMustBeOffered) {
  EXPECT_THAT(Start({}), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(RegistrationServerTest, HealthTellsOfAServerThatDidNotComeToBeAndForgetsItWhenOneDoes) {
  ASSERT_OK(files_.MakeFolders(folder_, 0750));
  ASSERT_OK(files_.Open(socket_, OpenMode::kCreate).status());
  EXPECT_THAT(Start(), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(health_.Check(), StatusIs(absl::StatusCode::kUnavailable, StartsWith("device registration error: ")));
  ASSERT_OK(files_.Unlink(socket_));
  ASSERT_OK_AND_ASSIGN(const auto server, Start());
  EXPECT_OK(health_.Check());
  server->Shutdown();
  server->Shutdown();
  EXPECT_OK(health_.Check());
}

TEST_F(RegistrationServerTest, ASuccessorServesAtTheSamePath) {
  ASSERT_OK_AND_ASSIGN(auto first, Start());
  ASSERT_OK_AND_ASSIGN(const auto second, Start());
  first.reset();
  EXPECT_OK(Register("v1beta1"));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
