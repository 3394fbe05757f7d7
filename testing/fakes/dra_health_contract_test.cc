// What the product's health client and the fake drivers promise each other, for every health API.
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/short_temp_dir.h"
#include "dra/api/dra_api.h"
#include "dra/health/grpc_health_client.h"
#include "dra/plugin/connect_driver.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_dra_driver.h"

namespace kubelet_cm::fakes {
namespace {

using dra::DraHealthApi;
using dra::HealthReports;
using dra::HealthValue;

class DraHealthContractTest : public ::testing::TestWithParam<DraHealthApi> {
 protected:
  void SetUp() override {
    ASSERT_OK(driver_.Start());
    ASSERT_OK(dra::ConnectDriver({.driver_name = "fake.example.com", .endpoint = driver_.socket_path()}, &connection_)
                  .status());
    client_ = dra::NewGrpcHealthClient(GetParam(), connection_);
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  ShortTempDir folder_;
  FakeDraDriver driver_{{threads_, files_}, {.folder = folder_.path(), .health_apis = {GetParam()}}};
  std::shared_ptr<dra::DriverConnection> connection_;
  std::unique_ptr<dra::HealthClient> client_;
  const HealthReports first_ = {{.pool = "pool", .device = "a", .health = HealthValue::kHealthy, .timeout_seconds = 7},
                                {.pool = "pool", .device = "b", .health = HealthValue::kUnhealthy, .message = "heiß"},
                                {.pool = "pool", .device = "c"}};
  const HealthReports second_ = {{.pool = "pool", .device = "a", .health = HealthValue::kUnhealthy}};
};

INSTANTIATE_TEST_SUITE_P(EveryApi, DraHealthContractTest, ::testing::Values(DraHealthApi::kV1, DraHealthApi::kV1Alpha1),
                         [](const auto& test) { return test.param == DraHealthApi::kV1 ? "v1" : "v1alpha1"; });

TEST_P(DraHealthContractTest, StreamBringsWhatIsPublishedInOrder) {
  driver_.health().Publish(first_);
  const auto stream = client_->Watch();
  EXPECT_THAT(stream->Read(), IsOkAndHolds(first_));
  driver_.health().Publish(second_);
  driver_.health().Publish({});
  EXPECT_THAT(stream->Read(), IsOkAndHolds(second_));
  EXPECT_THAT(stream->Read(), IsOkAndHolds(HealthReports()));
}

TEST_P(DraHealthContractTest, EndHasItsStatus) {
  driver_.health().Refuse(absl::OutOfRangeError("EOF"));
  EXPECT_THAT(client_->Watch()->Read(), StatusIs(absl::StatusCode::kOutOfRange, "EOF"));
  driver_.health().Refuse(absl::ResourceExhaustedError("too many"));
  EXPECT_THAT(client_->Watch()->Read(), StatusIs(absl::StatusCode::kResourceExhausted, "too many"));
}

TEST_P(DraHealthContractTest, HangingStreamIsCancelled) {
  const auto stream = client_->Watch();
  const std::unique_ptr<Thread> canceller = threads_.Start("canceller", [&] {
    EXPECT_OK(driver_.health().WaitForStreams(1));
    stream->Cancel();
  });
  EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kCancelled));
}

TEST_P(DraHealthContractTest, DisconnectEndsStreams) {
  const auto stream = client_->Watch();
  const std::unique_ptr<Thread> canceller = threads_.Start("canceller", [&] {
    EXPECT_OK(driver_.health().WaitForStreams(1));
    connection_->Disconnect();
  });
  EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kCancelled));
}

TEST_P(DraHealthContractTest, DriverThatDiesAndComesBackIsHeardAgain) {
  driver_.health().Publish(first_);
  const auto stream = client_->Watch();
  EXPECT_OK(stream->Read().status());
  driver_.Kill();
  EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(connection_->WaitForConnectionChange(true), IsOkAndHolds(false));
  ASSERT_OK(driver_.Start());
  EXPECT_THAT(connection_->WaitForConnectionChange(false), IsOkAndHolds(true));
  EXPECT_THAT(client_->Watch()->Read(), IsOkAndHolds(first_));
}

TEST_P(DraHealthContractTest, OtherApiIsUnimplemented) {
  const DraHealthApi other = GetParam() == DraHealthApi::kV1 ? DraHealthApi::kV1Alpha1 : DraHealthApi::kV1;
  EXPECT_THAT(dra::NewGrpcHealthClient(other, connection_)->Watch()->Read(),
              StatusIs(absl::StatusCode::kUnimplemented));
}

}  // namespace
}  // namespace kubelet_cm::fakes
