// What the product's DRA clients and the fake drivers promise each other, for every API. Anything a test relies on with
// one of them holds with the others.
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/short_temp_dir.h"
#include "dra/api/dra_api.h"
#include "dra/plugin/connect_driver.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_dra_driver.h"

namespace kubelet_cm::fakes {
namespace {

using dra::ClaimAnswers;
using dra::DraApi;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;

constexpr absl::Duration kLimit = absl::Seconds(20);
constexpr DriverMethod kPrepare = DriverMethod::kPrepare;

class DraDriverContractTest : public ::testing::TestWithParam<DraApi> {
 protected:
  void SetUp() override {
    ASSERT_OK(driver_.Start());
    ASSERT_OK_AND_ASSIGN(
        client_,
        dra::ConnectDriver({.driver_name = "fake.example.com", .endpoint = driver_.socket_path(), .api = GetParam()}));
  }

  bool has_devices() const { return GetParam() <= DraApi::kV1Alpha4; }
  bool is_batched() const { return GetParam() <= DraApi::kV1Alpha3; }
  DriverScript& script() { return driver_.script(); }
  absl::StatusOr<ClaimAnswers> Prepare(absl::Duration limit = kLimit) { return client_->Prepare(claims_, limit); }

  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  ShortTempDir folder_;
  FakeDraDriver driver_{{threads_, files_}, {.folder = folder_.path(), .api = GetParam()}};
  std::unique_ptr<dra::DraClient> client_;
  const std::vector<dra::ClaimRef> claims_ = {{.id = {"ns", "a", "uid-a"}}, {.id = {"ns", "b", "uid-b"}}};
};

INSTANTIATE_TEST_SUITE_P(EveryApi, DraDriverContractTest,
                         ::testing::Values(DraApi::kV1, DraApi::kV1Beta1, DraApi::kV1Alpha4, DraApi::kV1Alpha3,
                                           DraApi::kV1Alpha2, DraApi::kV1Alpha1),
                         [](const auto& test) { return std::string(dra::ApiName(test.param)); });

TEST_P(DraDriverContractTest, PreparedClaimsHaveTheirDevices) {
  ASSERT_OK_AND_ASSIGN(const ClaimAnswers answers, Prepare());
  ASSERT_THAT(answers, ElementsAre(Key("uid-a"), Key("uid-b")));
  ASSERT_EQ(answers.at("uid-a").devices.size(), 1u);
  const dra::ClaimDevice& device = answers.at("uid-a").devices.front();
  EXPECT_EQ(device.pool_name, has_devices() ? "pool" : "");
  EXPECT_EQ(device.device_name, has_devices() ? "dev-0" : "");
  EXPECT_THAT(device.cdi_device_ids, ElementsAre("example.com/fake=uid-a"));
  EXPECT_THAT(driver_.PreparedClaims(), ElementsAre("uid-a", "uid-b"));
}

TEST_P(DraDriverContractTest, UnpreparedClaimsAreGone) {
  ASSERT_OK(Prepare().status());
  ASSERT_OK_AND_ASSIGN(const ClaimAnswers answers, client_->Unprepare(claims_, kLimit));
  EXPECT_THAT(answers, ElementsAre(Key("uid-a"), Key("uid-b")));
  EXPECT_EQ(answers.at("uid-a").error, "");
  EXPECT_THAT(driver_.PreparedClaims(), IsEmpty());
}

TEST_P(DraDriverContractTest, OneCallForAllClaimsOrOneForEach) {
  ASSERT_OK(Prepare().status());
  EXPECT_EQ(script().CallCount(kPrepare), is_batched() ? 1 : 2);
  EXPECT_THAT(script().Calls().front().claim_uids.front(), "uid-a");
}

TEST_P(DraDriverContractTest, ErrorAboutAClaimIsThatClaims) {
  script().At(kPrepare, 1, {.act = DriverAct::kClaimError, .error = absl::InternalError("busy")});
  ASSERT_OK_AND_ASSIGN(const ClaimAnswers answers, Prepare());
  EXPECT_THAT(answers.at("uid-a").error, HasSubstr("busy"));
  EXPECT_THAT(answers.at("uid-a").devices, IsEmpty());
  EXPECT_EQ(answers.at("uid-b").error, "");
  EXPECT_THAT(driver_.PreparedClaims(), ElementsAre("uid-b"));
}

TEST_P(DraDriverContractTest, NonsenseIsHandedOnAsItIs) {
  if (!is_batched()) return;  // there is no such nonsense
  script().At(kPrepare, 1, {.act = DriverAct::kUnknownClaim});
  EXPECT_THAT(*Prepare(), ElementsAre(Key("nobody-mentioned-me"), Key("uid-a"), Key("uid-b")));
  script().At(kPrepare, 2, {.act = DriverAct::kSkipClaim});
  EXPECT_THAT(*Prepare(), ElementsAre(Key("uid-b")));
}

TEST_P(DraDriverContractTest, ClaimWithoutDevicesIsPrepared) {
  script().Always(kPrepare, {.act = DriverAct::kNoDevices});
  EXPECT_THAT(Prepare()->at("uid-a"), dra::ClaimAnswer());
  EXPECT_THAT(driver_.PreparedClaims(), ElementsAre("uid-a", "uid-b"));
}

TEST_P(DraDriverContractTest, FailedCallHasItsStatus) {
  script().At(kPrepare, 1, {.act = DriverAct::kFail, .error = absl::UnavailableError("not yet")});
  EXPECT_THAT(Prepare(), StatusIs(absl::StatusCode::kUnavailable, "not yet"));
  EXPECT_OK(Prepare().status());
}

TEST_P(DraDriverContractTest, HangingCallEndsWhenItsTimeIsOver) {
  script().At(kPrepare, 1, {.held = true});
  EXPECT_THAT(Prepare(absl::Milliseconds(50)), StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_OK(Prepare().status());
}

TEST_P(DraDriverContractTest, CallIsHeldUntilItIsReleased) {
  script().At(kPrepare, 1, {.held = true});
  const std::unique_ptr<Thread> caller = threads_.Start("caller", [this] { EXPECT_OK(Prepare().status()); });
  EXPECT_OK(script().WaitForCall(kPrepare, 1).status());
  script().Release(kPrepare, 1);
}

TEST_P(DraDriverContractTest, DisconnectEndsWhatIsInFlightAndWhatComesLater) {
  script().At(kPrepare, 1, {.held = true});
  const std::unique_ptr<Thread> caller =
      threads_.Start("caller", [this] { EXPECT_THAT(Prepare(), StatusIs(absl::StatusCode::kCancelled)); });
  ASSERT_OK(script().WaitForCall(kPrepare, 1).status());
  client_->Disconnect();
  EXPECT_THAT(client_->Unprepare(claims_, kLimit), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(client_->WaitForConnectionChange(false), StatusIs(absl::StatusCode::kCancelled));
}

TEST_P(DraDriverContractTest, DriverThatDiesAndComesBackIsTheSameToItsClient) {
  script().At(kPrepare, 1, {.act = DriverAct::kDie});
  EXPECT_THAT(client_->WaitForConnectionChange(false), IsOkAndHolds(true));
  EXPECT_THAT(Prepare().status().code(), AnyOf(absl::StatusCode::kUnavailable, absl::StatusCode::kCancelled));
  ASSERT_OK(driver_.WaitUntilDown());
  EXPECT_THAT(client_->WaitForConnectionChange(true), IsOkAndHolds(false));
  ASSERT_OK(driver_.Start());
  EXPECT_THAT(client_->WaitForConnectionChange(false), IsOkAndHolds(true));
  EXPECT_OK(Prepare().status());
}

}  // namespace
}  // namespace kubelet_cm::fakes
