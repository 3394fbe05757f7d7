// What the product's DRA clients and the fake drivers promise each other, for every API on a socket and for the fake
// without one. Anything a test relies on with one of them holds with the others.
#include <memory>
#include <optional>
#include <set>
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
#include "testing/fakes/fake_dra_client.h"
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

// An API on a socket; none is the fake in memory.
using Kind = std::optional<DraApi>;

std::string NameOf(const ::testing::TestParamInfo<Kind>& info) {
  return info.param.has_value() ? std::string(dra::ApiName(*info.param)) : "InMemory";
}

class DraDriverContractTest : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (!GetParam().has_value()) {
      in_memory_.emplace(threads_, ScriptedDriver::Options{});
      client_ = std::make_unique<FakeDraClient>(threads_, *in_memory_);
      return;
    }
    served_.emplace(FakeDraDriver::Dependencies{threads_, files_},
                    FakeDraDriver::Options{.folder = folder_.path(), .api = *GetParam()});
    ASSERT_OK(served_->Start());
    ASSERT_OK_AND_ASSIGN(
        client_, dra::ConnectDriver(
                     {.driver_name = "fake.example.com", .endpoint = served_->socket_path(), .api = *GetParam()}));
  }

  bool has_devices() const { return GetParam().value_or(DraApi::kV1) <= DraApi::kV1Alpha4; }
  bool is_batched() const { return GetParam().value_or(DraApi::kV1) <= DraApi::kV1Alpha3; }
  DriverScript& script() { return served_.has_value() ? served_->script() : in_memory_->script(); }
  std::set<std::string> PreparedClaims() const {
    return served_.has_value() ? served_->PreparedClaims() : in_memory_->PreparedClaims();
  }
  absl::StatusOr<ClaimAnswers> Prepare(absl::Duration limit = kLimit) { return client_->Prepare(claims_, limit); }

  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  ShortTempDir folder_;
  std::optional<ScriptedDriver> in_memory_;
  std::optional<FakeDraDriver> served_;
  std::unique_ptr<dra::DraClient> client_;
  const std::vector<dra::ClaimRef> claims_ = {{.id = {"ns", "a", "uid-a"}}, {.id = {"ns", "b", "uid-b"}}};
};

INSTANTIATE_TEST_SUITE_P(AllKinds, DraDriverContractTest,
                         ::testing::Values(Kind(), Kind(DraApi::kV1), Kind(DraApi::kV1Beta1), Kind(DraApi::kV1Alpha4),
                                           Kind(DraApi::kV1Alpha3), Kind(DraApi::kV1Alpha2), Kind(DraApi::kV1Alpha1)),
                         NameOf);

TEST_P(DraDriverContractTest, PreparedClaimsHaveTheirDevices) {
  ASSERT_OK_AND_ASSIGN(const ClaimAnswers answers, Prepare());
  ASSERT_THAT(answers, ElementsAre(Key("uid-a"), Key("uid-b")));
  ASSERT_EQ(answers.at("uid-a").devices.size(), 1u);
  const dra::ClaimDevice& device = answers.at("uid-a").devices.front();
  EXPECT_EQ(device.pool_name, has_devices() ? "pool" : "");
  EXPECT_EQ(device.device_name, has_devices() ? "dev-0" : "");
  EXPECT_THAT(device.cdi_device_ids, ElementsAre("example.com/fake=uid-a"));
  EXPECT_THAT(PreparedClaims(), ElementsAre("uid-a", "uid-b"));
}

TEST_P(DraDriverContractTest, UnpreparedClaimsAreGone) {
  ASSERT_OK(Prepare().status());
  ASSERT_OK_AND_ASSIGN(const ClaimAnswers answers, client_->Unprepare(claims_, kLimit));
  EXPECT_THAT(answers, ElementsAre(Key("uid-a"), Key("uid-b")));
  EXPECT_EQ(answers.at("uid-a").error, "");
  EXPECT_THAT(PreparedClaims(), IsEmpty());
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
  EXPECT_THAT(PreparedClaims(), ElementsAre("uid-b"));
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
  EXPECT_THAT(PreparedClaims(), ElementsAre("uid-a", "uid-b"));
}

TEST_P(DraDriverContractTest, FailedCallHasItsStatus) {
  script().At(kPrepare, 1, {.act = DriverAct::kFail, .error = absl::UnavailableError("not yet")});
  EXPECT_THAT(Prepare(), StatusIs(absl::StatusCode::kUnavailable, "not yet"));
  EXPECT_OK(Prepare().status());
}

TEST_P(DraDriverContractTest, HangingCallEndsWhenItsTimeIsOver) {
  script().Always(kPrepare, {.held = true});  // its time may be over before it gets there
  EXPECT_THAT(Prepare(absl::Milliseconds(50)), StatusIs(absl::StatusCode::kDeadlineExceeded));
  script().Always(kPrepare, {});
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

TEST_P(DraDriverContractTest, DelayedCallIsAnsweredWell) {
  script().At(kPrepare, 1, {.delay = absl::Milliseconds(1)});
  EXPECT_THAT(*Prepare(), ElementsAre(Key("uid-a"), Key("uid-b")));
  script().Always(kPrepare, {.delay = absl::Hours(1)});
  EXPECT_THAT(Prepare(absl::Milliseconds(50)), StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST_P(DraDriverContractTest, DriverThatDiesAndComesBackIsTheSameToItsClient) {
  if (!served_.has_value()) return;  // there, a client is one connection
  script().At(kPrepare, 1, {.act = DriverAct::kDie});
  EXPECT_THAT(client_->WaitForConnectionChange(false), IsOkAndHolds(true));
  EXPECT_THAT(Prepare().status().code(), AnyOf(absl::StatusCode::kUnavailable, absl::StatusCode::kCancelled));
  ASSERT_OK(served_->WaitUntilDown());
  EXPECT_THAT(client_->WaitForConnectionChange(true), IsOkAndHolds(false));
  ASSERT_OK(served_->Start());
  EXPECT_THAT(client_->WaitForConnectionChange(false), IsOkAndHolds(true));
  EXPECT_OK(Prepare().status());
}

}  // namespace
}  // namespace kubelet_cm::fakes
