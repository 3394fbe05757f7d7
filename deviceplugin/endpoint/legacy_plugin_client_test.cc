#include "deviceplugin/endpoint/legacy_plugin_client.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "common/filesystem/posix_file_system.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/server.h"
#include "common/unixsocket/short_temp_dir.h"
#include "deviceplugin/api/v1alpha.grpc.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// What holds for every API is in testing/fakes/device_plugin_contract_test.cc.
namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr absl::Duration kLimit = absl::Seconds(20);

// Answers every Allocate with the same bytes.
class BytesPlugin : public ::deviceplugin::DevicePlugin::Service {
 public:
  grpc::Status Allocate(grpc::ServerContext*, const ::deviceplugin::AllocateRequest*,
                        ::deviceplugin::AllocateResponse* response) override {
    return response->ParseFromString(bytes) ? grpc::Status::OK : grpc::Status(grpc::StatusCode::INTERNAL, "bad bytes");
  }
  std::string bytes;
};

class LegacyPluginClientTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string path = folder_.File("plugin.sock");
    ASSERT_OK_AND_ASSIGN(server_, UnixSocketServer::New(files_, {&plugin_}, {.path = path}));
    ASSERT_OK_AND_ASSIGN(channel_, DialUnixSocket(path));
  }

  PosixFileSystem files_;
  ShortTempDir folder_;
  CapturingLogger log_;
  BytesPlugin plugin_;
  std::unique_ptr<UnixSocketServer> server_;
  std::shared_ptr<grpc::Channel> channel_;
};

TEST_F(LegacyPluginClientTest, HasNoOptionsAndNotWhatTheyName) {
  LegacyPluginClient client(PluginApi::kV1Alpha2, channel_, log_);
  ASSERT_OK_AND_ASSIGN(const v1beta1::DevicePluginOptions options, client.GetOptions(kLimit));
  EXPECT_FALSE(options.pre_start_required() || options.get_preferred_allocation_available());
  EXPECT_THAT(client.PreStartContainer({}, kLimit), StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(client.GetPreferredAllocation({}, {}, 1, kLimit), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST_F(LegacyPluginClientTest, ContradictingDevicesAreLogged) {
  ::deviceplugin::V01AllocateResponse answer;
  (*answer.add_spec()->mutable_envs())["GPU"] = "0";
  (*answer.add_spec()->mutable_envs())["GPU"] = "1";
  plugin_.bytes = answer.SerializeAsString();
  LegacyPluginClient client(PluginApi::k01, channel_, log_);
  ASSERT_OK_AND_ASSIGN(const v1beta1::AllocateResponse response, client.Allocate({}, kLimit));
  EXPECT_EQ(response.container_responses(0).envs().at("GPU"), "0");
  EXPECT_THAT(log_.lines(),
              ElementsAre(AllOf(IsLogLine(Severity::kError, "Environment variable has conflicting setting"),
                                HasLogField("key", "GPU"))));
}

TEST_F(LegacyPluginClientTest, AnswerOfAnotherApiIsAnError) {
  plugin_.bytes = std::string("\x0a\x01\xff", 3);
  LegacyPluginClient client(PluginApi::k01, channel_, log_);
  EXPECT_THAT(client.Allocate({}, kLimit), StatusIs(absl::StatusCode::kInternal));
  EXPECT_THAT(log_.lines(), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
