#include "kubelet_cm/pluginwatcher/grpc_registration_client.h"

#include <string>

#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/short_temp_dir.h"
#include "common/unixsocket/silent_socket.h"
#include "testing/fakes/fake_dra_driver.h"

namespace kubelet_cm::pluginwatcher {
namespace {

using fakes::DriverMethod;
using fakes::FakeDraDriver;
using ::testing::Field;

constexpr absl::Duration kPatience = absl::Seconds(30);

class GrpcRegistrationClientTest : public ::testing::Test {
 protected:
  FakeDraDriver::Options Options() {
    return {.driver_name = "d.example.com", .folder = folder_.path(), .registration_folder = folder_.path()};
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  ShortTempDir folder_;
};

TEST_F(GrpcRegistrationClientTest, APluginSaysWhatItIsAndIsToldHowItWent) {
  FakeDraDriver driver({threads_, files_}, Options());
  ASSERT_OK(driver.Start());
  GrpcRegistrationClient client(driver.registration_path());
  ASSERT_OK(client.Connect(kPatience));
  EXPECT_THAT(client.GetInfo(kPatience), IsOkAndHolds(PluginInfo{.type = "DRAPlugin",
                                                                 .name = "d.example.com",
                                                                 .endpoint = driver.socket_path(),
                                                                 .versions = {"v1.DRAPlugin"}}));
  EXPECT_OK(client.NotifyRegistrationStatus(false, "why", kPatience));
  EXPECT_THAT(
      driver.script().WaitForCall(DriverMethod::kNotify, 1),
      IsOkAndHolds(AllOf(Field(&fakes::DriverCall::registered, false), Field(&fakes::DriverCall::error, "why"))));
}

TEST_F(GrpcRegistrationClientTest, ASocketOnWhichNobodyAnswersIsGivenUpInTime) {
  const SilentSocket silent(folder_.File("s"));
  GrpcRegistrationClient client(folder_.File("s"));
  EXPECT_THAT(client.Connect(absl::Milliseconds(5)),
              StatusIs(absl::StatusCode::kDeadlineExceeded, "context deadline exceeded"));
}

TEST_F(GrpcRegistrationClientTest, APathThatIsNoneIsAnErrorAtOnce) {
  GrpcRegistrationClient client("/" + std::string(200, 'x'));
  EXPECT_THAT(client.Connect(kPatience), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(GrpcRegistrationClientTest, CancelEndsTheWaitForAConnection) {
  const SilentSocket silent(folder_.File("s"));
  GrpcRegistrationClient client(folder_.File("s"));
  const auto thread = threads_.Start("cancels", [&] { client.Cancel(); });
  EXPECT_THAT(client.Connect(absl::InfiniteDuration()), StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(GrpcRegistrationClientTest, CancelEndsACallThatHangs) {
  FakeDraDriver driver({threads_, files_}, Options());
  driver.script().Always(DriverMethod::kGetInfo, {.held = true});
  ASSERT_OK(driver.Start());
  GrpcRegistrationClient client(driver.registration_path());
  ASSERT_OK(client.Connect(kPatience));
  const auto thread = threads_.Start("cancels", [&] {
    EXPECT_OK(driver.script().WaitForCall(DriverMethod::kGetInfo, 1));
    client.Cancel();
  });
  EXPECT_THAT(client.GetInfo(absl::InfiniteDuration()), StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(GrpcRegistrationClientTest, AnAnswerThatIsMuchTooLongIsRefused) {
  FakeDraDriver::Options options = Options();
  options.supported_versions.assign(1000, std::string(100, 'v'));
  FakeDraDriver driver({threads_, files_}, options);
  ASSERT_OK(driver.Start());
  GrpcRegistrationClient client(driver.registration_path());
  ASSERT_OK(client.Connect(kPatience));
  EXPECT_THAT(client.GetInfo(kPatience), StatusIs(absl::StatusCode::kResourceExhausted));
}

}  // namespace
}  // namespace kubelet_cm::pluginwatcher
