#include "deviceplugin/endpoint/grpc_plugin_client.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/short_temp_dir.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_device_plugin.h"

// What holds for every API is in testing/fakes/device_plugin_contract_test.cc.
namespace kubelet_cm::deviceplugin {
namespace {

using fakes::PluginCall;
using fakes::PluginMethod;
using ::testing::ElementsAre;

constexpr absl::Duration kLimit = absl::Seconds(20);

v1beta1::DevicePluginOptions BothOptions() {
  v1beta1::DevicePluginOptions options;
  options.set_pre_start_required(true);
  options.set_get_preferred_allocation_available(true);
  return options;
}

class GrpcPluginClientTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(plugin_.Start());
    ASSERT_OK_AND_ASSIGN(const std::shared_ptr<grpc::Channel> channel, DialUnixSocket(plugin_.socket_path()));
    client_ = std::make_unique<GrpcPluginClient>(channel);
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  ShortTempDir folder_;
  fakes::FakeDevicePlugin plugin_{{threads_, files_}, {.folder = folder_.path(), .plugin = {.options = BothOptions()}}};
  std::unique_ptr<GrpcPluginClient> client_;
};

TEST_F(GrpcPluginClientTest, FetchesTheOptions) {
  ASSERT_OK_AND_ASSIGN(const v1beta1::DevicePluginOptions options, client_->GetOptions(kLimit));
  EXPECT_TRUE(options.pre_start_required());
  EXPECT_TRUE(options.get_preferred_allocation_available());
}

TEST_F(GrpcPluginClientTest, AsksForThePreferredOnesOfOneContainer) {
  const std::vector<std::string> available = {"a", "b", "c"};
  const std::vector<std::string> must_include = {"b"};
  ASSERT_OK_AND_ASSIGN(const auto answer, client_->GetPreferredAllocation(available, must_include, 2, kLimit));
  EXPECT_THAT(answer.container_responses(0).deviceids(), ElementsAre("b", "a"));
  EXPECT_THAT(
      plugin_.Calls(),
      ElementsAre(PluginCall{
          .method = PluginMethod::kGetPreferredAllocation, .ids = available, .must_include = must_include, .size = 2}));
}

TEST_F(GrpcPluginClientTest, StartsContainersWithTheirDevices) {
  const std::vector<std::string> ids = {"a", "b"};
  EXPECT_OK(client_->PreStartContainer(ids, kLimit));
  EXPECT_THAT(plugin_.Calls(), ElementsAre(PluginCall{.method = PluginMethod::kPreStartContainer, .ids = ids}));
}

TEST_F(GrpcPluginClientTest, DevicesComeWithTheirTopology) {
  plugin_.SetDevices(fakes::NumberedDevices("dev-", 2, 2));
  ASSERT_OK_AND_ASSIGN(const ListMessage list, client_->ListAndWatch()->Read());
  ASSERT_EQ(list->devices_size(), 2);
  EXPECT_EQ(list->devices(1).topology().nodes(0).id(), 1);
}

TEST_F(GrpcPluginClientTest, EveryMethodGivesUpWhenItsTimeIsOver) {
  constexpr absl::Duration kShort = absl::Milliseconds(20);
  for (const PluginMethod method : {PluginMethod::kGetOptions, PluginMethod::kAllocate,
                                    PluginMethod::kGetPreferredAllocation, PluginMethod::kPreStartContainer}) {
    plugin_.script().Always(method, {.held = true});
  }
  const auto gave_up = StatusIs(absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(client_->GetOptions(kShort).status(), gave_up);
  EXPECT_THAT(client_->Allocate({}, kShort).status(), gave_up);
  EXPECT_THAT(client_->GetPreferredAllocation({}, {}, 0, kShort).status(), gave_up);
  EXPECT_THAT(client_->PreStartContainer({}, kShort), gave_up);
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
