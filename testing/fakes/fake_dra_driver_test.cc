#include "testing/fakes/fake_dra_driver.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/pluginregistration/pluginregistration.grpc.pb.h"
#include "common/status/grpc_status.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/deadline.h"
#include "common/unixsocket/short_temp_dir.h"
#include "dra/api/v1.grpc.pb.h"
#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "gtest/gtest.h"

// How it looks to a client is in dra_driver_contract_test.cc.
namespace kubelet_cm::fakes {
namespace {

using ::testing::ElementsAre;

class FakeDraDriverTest : public ::testing::Test {
 protected:
  bool IsThere(const std::string& path) { return files_.Stat(path).ok(); }

  absl::StatusOr<::pluginregistration::PluginInfo> GetInfo(const FakeDraDriver& driver) {
    const auto channel = DialUnixSocket(driver.registration_path());
    if (!channel.ok()) return channel.status();
    grpc::ClientContext context;
    context.set_deadline(DeadlineIn(absl::Seconds(20)));
    ::pluginregistration::PluginInfo info;
    const auto stub = ::pluginregistration::Registration::NewStub(*channel);
    const absl::Status status = FromGrpcStatus(stub->GetInfo(&context, {}, &info));
    if (!status.ok()) return status;
    return info;
  }

  absl::Status Notify(const FakeDraDriver& driver, const std::string& error) {
    const auto channel = DialUnixSocket(driver.registration_path());
    if (!channel.ok()) return channel.status();
    grpc::ClientContext context;
    context.set_deadline(DeadlineIn(absl::Seconds(20)));
    ::pluginregistration::RegistrationStatus status;
    status.set_plugin_registered(error.empty());
    status.set_error(error);
    ::pluginregistration::RegistrationStatusResponse response;
    const auto stub = ::pluginregistration::Registration::NewStub(*channel);
    return FromGrpcStatus(stub->NotifyRegistrationStatus(&context, status, &response));
  }

  // To prepare nothing.
  static absl::Status Ask(const std::shared_ptr<grpc::Channel>& channel) {
    grpc::ClientContext context;
    context.set_deadline(DeadlineIn(absl::Seconds(20)));
    ::k8s::io::kubelet::pkg::apis::dra::v1::NodePrepareResourcesResponse response;
    const auto stub = ::k8s::io::kubelet::pkg::apis::dra::v1::DRAPlugin::NewStub(channel);
    return FromGrpcStatus(stub->NodePrepareResources(&context, {}, &response));
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  ShortTempDir folder_;
  FakeDraDriver driver_{{threads_, files_}, {.folder = folder_.File("d"), .registration_folder = folder_.File("r")}};
};

TEST_F(FakeDraDriverTest, SocketsAreThereFromStartToStop) {
  EXPECT_FALSE(IsThere(driver_.socket_path()));
  ASSERT_OK(driver_.Start());
  EXPECT_TRUE(IsThere(driver_.socket_path()));
  EXPECT_TRUE(IsThere(driver_.registration_path()));
  driver_.Stop();
  EXPECT_FALSE(IsThere(driver_.socket_path()));
  EXPECT_FALSE(IsThere(driver_.registration_path()));
  EXPECT_FALSE(driver_.serving());
}

TEST_F(FakeDraDriverTest, KilledDriverLeavesItsSocketsAndStartsOverThem) {
  ASSERT_OK(driver_.Start());
  driver_.Kill();
  EXPECT_TRUE(IsThere(driver_.registration_path()));
  EXPECT_FALSE(driver_.serving());
  EXPECT_OK(driver_.Start());
  EXPECT_TRUE(driver_.serving());
}

TEST_F(FakeDraDriverTest, OneThatDoesNotListenLivesOnAndCanBeFound) {
  ASSERT_OK(driver_.Start());
  ASSERT_OK_AND_ASSIGN(const auto channel, DialUnixSocket(driver_.socket_path()));
  EXPECT_OK(Ask(channel));
  EXPECT_EQ(driver_.connections(), 1);

  ASSERT_OK(driver_.Listen(false));
  EXPECT_TRUE(driver_.serving());
  EXPECT_OK(GetInfo(driver_));
  EXPECT_THAT(Ask(channel), StatusIs(absl::StatusCode::kUnavailable));

  ASSERT_OK(driver_.Listen(true));
  ASSERT_OK_AND_ASSIGN(const auto another, DialUnixSocket(driver_.socket_path()));
  EXPECT_OK(Ask(another));
}

TEST_F(FakeDraDriverTest, ItDoesNotEndToListenWhileACallIsHeld) {
  ASSERT_OK(driver_.Start());
  driver_.script().Always(DriverMethod::kPrepare, {.held = true});
  ASSERT_OK_AND_ASSIGN(const auto channel, DialUnixSocket(driver_.socket_path()));
  absl::Status answered;
  const std::unique_ptr<Thread> caller = threads_.Start("caller", [&] { answered = Ask(channel); });
  ASSERT_OK(driver_.script().WaitForCall(DriverMethod::kPrepare, 1));
  driver_.script().CallersAreGone();
  EXPECT_OK(driver_.Listen(true));
  EXPECT_THAT(driver_.Listen(false), StatusIs(absl::StatusCode::kFailedPrecondition));
  driver_.Kill();
}

TEST_F(FakeDraDriverTest, TellsOfItselfAndHearsHowItWent) {
  ASSERT_OK(driver_.Start());
  ASSERT_OK_AND_ASSIGN(const ::pluginregistration::PluginInfo info, GetInfo(driver_));
  EXPECT_EQ(info.type(), "DRAPlugin");
  EXPECT_EQ(info.name(), "fake.example.com");
  EXPECT_EQ(info.endpoint(), driver_.socket_path());
  EXPECT_THAT(info.supported_versions(), ElementsAre("v1.DRAPlugin"));
  ASSERT_OK(Notify(driver_, "no"));
  EXPECT_THAT(driver_.script().Calls(), ElementsAre(DriverCall{.method = DriverMethod::kGetInfo},
                                                    DriverCall{.method = DriverMethod::kNotify, .error = "no"}));
}

TEST_F(FakeDraDriverTest, OneThatIsStartedAgainIsNotRegisteredUntilAKubeletSaysSo) {
  ASSERT_OK(driver_.Start());
  ASSERT_OK(Notify(driver_, "no"));
  EXPECT_FALSE(driver_.registered());
  ASSERT_OK(Notify(driver_, ""));
  EXPECT_TRUE(driver_.registered());
  ASSERT_OK(driver_.Listen(false));
  EXPECT_TRUE(driver_.registered());
  ASSERT_OK(driver_.Start());
  EXPECT_FALSE(driver_.registered());
}

TEST_F(FakeDraDriverTest, OneSocketThatIsMadeAnewIsNotRegistered) {
  FakeDraDriver driver({threads_, files_}, {.registration_folder = folder_.File("r"), .one_socket = true});
  ASSERT_OK(driver.Start());
  ASSERT_OK(Notify(driver, ""));
  ASSERT_OK(driver.Listen(false));
  EXPECT_FALSE(driver.registered());
  ASSERT_OK(Notify(driver, ""));
  EXPECT_TRUE(driver.registered());
}

TEST_F(FakeDraDriverTest, DriversOfOldApisRegisterWithAVersion) {
  FakeDraDriver old(
      {threads_, files_},
      {.folder = folder_.File("o"), .registration_folder = folder_.File("r"), .api = dra::DraApi::kV1Alpha2});
  ASSERT_OK(old.Start());
  ASSERT_OK_AND_ASSIGN(const ::pluginregistration::PluginInfo info, GetInfo(old));
  EXPECT_THAT(info.supported_versions(), ElementsAre("1.0.0"));
}

TEST_F(FakeDraDriverTest, ADriverSpeaksAnotherApiOnceItIsStartedAgain) {
  ASSERT_OK(driver_.Start());
  driver_.Speak(dra::DraApi::kV1Beta1);
  ASSERT_OK_AND_ASSIGN(const ::pluginregistration::PluginInfo before, GetInfo(driver_));
  EXPECT_THAT(before.supported_versions(), ElementsAre("v1.DRAPlugin"));
  ASSERT_OK(driver_.Start());
  ASSERT_OK_AND_ASSIGN(const ::pluginregistration::PluginInfo after, GetInfo(driver_));
  EXPECT_THAT(after.supported_versions(), ElementsAre("v1beta1.DRAPlugin"));
}

TEST_F(FakeDraDriverTest, DriversThatTellOfHealthRegisterWithThoseServicesToo) {
  FakeDraDriver driver({threads_, files_}, {.folder = folder_.File("h"),
                                            .registration_folder = folder_.File("r"),
                                            .health_apis = {dra::DraHealthApi::kV1, dra::DraHealthApi::kV1Alpha1}});
  ASSERT_OK(driver.Start());
  ASSERT_OK_AND_ASSIGN(const ::pluginregistration::PluginInfo info, GetInfo(driver));
  EXPECT_THAT(info.supported_versions(),
              ElementsAre("v1.DRAPlugin", "v1.DRAResourceHealth", "v1alpha1.DRAResourceHealth"));
}

TEST_F(FakeDraDriverTest, DriverThatDiesWhileItIsAskedGoesDown) {
  ASSERT_OK(driver_.Start());
  driver_.script().At(DriverMethod::kGetInfo, 1, {.act = DriverAct::kDie});
  EXPECT_FALSE(GetInfo(driver_).ok());
  EXPECT_OK(driver_.WaitUntilDown());
}

}  // namespace
}  // namespace kubelet_cm::fakes
