#include "dra/plugin/claim_results.h"

#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::EndsWith;
using ::testing::SizeIs;

constexpr DraCall kPrepare = DraCall::kPrepare;
constexpr DraCall kUnprepare = DraCall::kUnprepare;

ClaimRef Claim(const std::string& n) { return {.id = {"ns", "claim-" + n, "uid-" + n}}; }

ClaimAnswer Device(const std::string& name) {
  ClaimDevice device;
  device.device_name = name;
  return {.devices = {device}};
}

class ClaimResultsTest : public ::testing::Test {
 protected:
  const std::vector<ClaimRef> asked_ = {Claim("b"), Claim("a")};
};

TEST_F(ClaimResultsTest, DevicesAreThoseOfTheirClaimInTheOrderOfTheQuestion) {
  const ClaimResults results =
      JudgeAnswers(kPrepare, asked_, ClaimAnswers{{"uid-a", Device("0")}, {"uid-b", Device("1")}});
  EXPECT_OK(results.error);
  ASSERT_THAT(results.claims, SizeIs(2));
  EXPECT_EQ(results.claims[0].devices, Device("1").devices);
  EXPECT_EQ(results.claims[1].devices, Device("0").devices);
}

TEST_F(ClaimResultsTest, EmptyAnswerIsSuccessWithoutDevices) {
  const ClaimResults results = JudgeAnswers(kPrepare, asked_, ClaimAnswers{{"uid-a", {}}, {"uid-b", {}}});
  EXPECT_OK(results.error);
  EXPECT_THAT(results.claims[0].devices, SizeIs(0));
}

TEST_F(ClaimResultsTest, MoreDevicesThanAnyClaimHasFailThatClaim) {
  ClaimAnswer many;
  many.devices.resize(4097);
  const ClaimResults results = JudgeAnswers(kPrepare, asked_, ClaimAnswers{{"uid-a", many}, {"uid-b", Device("1")}});
  EXPECT_THAT(results.error, StatusIs(absl::StatusCode::kResourceExhausted,
                                      "NodePrepareResources failed for ResourceClaim claim-a: the driver names 4097 "
                                      "devices, more than 4096"));
  EXPECT_OK(results.claims[0].status);
  EXPECT_FALSE(results.claims[1].status.ok());
  EXPECT_THAT(results.claims[1].devices, SizeIs(0));
}

TEST_F(ClaimResultsTest, FailedCallFailsAllInGosWords) {
  const ClaimResults results = JudgeAnswers(kUnprepare, asked_, absl::UnavailableError("gone"));
  const auto failed =
      StatusIs(absl::StatusCode::kUnavailable, "NodeUnprepareResources: rpc error: code = Unavailable desc = gone");
  EXPECT_THAT(results.error, failed);
  ASSERT_THAT(results.claims, SizeIs(2));
  EXPECT_THAT(results.claims[1].status, failed);
}

TEST_F(ClaimResultsTest, AnswerAboutAnUnknownClaimFailsAllOfThem) {
  const ClaimResults results =
      JudgeAnswers(kPrepare, asked_, ClaimAnswers{{"uid-a", {}}, {"uid-b", {}}, {"uid-c", {}}});
  const auto failed =
      StatusIs(absl::StatusCode::kInternal, "NodePrepareResources returned result for unknown claim UID uid-c");
  EXPECT_THAT(results.error, failed);
  EXPECT_THAT(results.claims[0].status, failed);
}

TEST_F(ClaimResultsTest, ErrorAboutAClaimFailsThatClaim) {
  const ClaimResults results =
      JudgeAnswers(kUnprepare, asked_, ClaimAnswers{{"uid-a", {.error = "busy"}}, {"uid-b", {}}});
  EXPECT_THAT(results.error,
              StatusIs(absl::StatusCode::kUnknown, "NodeUnprepareResources failed for ResourceClaim claim-a: busy"));
  EXPECT_OK(results.claims[0].status);
  EXPECT_EQ(results.claims[1].status, results.error);
}

TEST_F(ClaimResultsTest, SkippedClaimsAreCountedAndFail) {
  const ClaimResults results = JudgeAnswers(kPrepare, asked_, ClaimAnswers{{"uid-b", Device("1")}});
  EXPECT_THAT(results.error, StatusIs(absl::StatusCode::kInternal, "NodePrepareResources skipped 1 ResourceClaims"));
  EXPECT_OK(results.claims[0].status);
  EXPECT_THAT(results.claims[0].devices, SizeIs(1));
  EXPECT_EQ(results.claims[1].status, results.error);
}

TEST_F(ClaimResultsTest, ErrorsComeBeforeSkippedClaimsAndInTheOrderOfTheQuestion) {
  const std::vector<ClaimRef> asked = {Claim("c"), Claim("b"), Claim("a")};
  const ClaimResults results =
      JudgeAnswers(kPrepare, asked, ClaimAnswers{{"uid-a", {.error = "x"}}, {"uid-b", {.error = "y"}}});
  EXPECT_THAT(results.error,
              StatusIs(absl::StatusCode::kUnknown, "NodePrepareResources failed for ResourceClaim claim-b: y"));
}

constexpr CallWording Words(CallWords words) { return {.words = words, .driver = "gpu", .pod_name = "pod"}; }

TEST_F(ClaimResultsTest, Until133FailedCallsWereToldInOtherWords) {
  const absl::Status gone = absl::UnavailableError("gone");
  EXPECT_EQ(JudgeAnswers(kPrepare, asked_, gone, Words(CallWords::kUntil133)).error.message(),
            "NodePrepareResources failed: rpc error: code = Unavailable desc = gone");
  EXPECT_EQ(JudgeAnswers(kUnprepare, asked_, gone, Words(CallWords::kUntil129)).error.message(),
            "NodeUnprepareResources failed: rpc error: code = Unavailable desc = gone");
}

TEST_F(ClaimResultsTest, Until133ClaimsThatFailedHadTheirNamespaceAndSkippedOnesWereLeftOut) {
  const ClaimResults results =
      JudgeAnswers(kPrepare, asked_, ClaimAnswers{{"uid-a", {.error = "busy"}}}, Words(CallWords::kUntil133));
  EXPECT_EQ(results.claims[1].status.message(), "NodePrepareResources failed for claim ns/claim-a: busy");
  EXPECT_EQ(results.claims[0].status.message(), "NodePrepareResources left out 1 claims");
}

TEST_F(ClaimResultsTest, Until129AnUnprepareThatFailedHadNoReason) {
  const ClaimAnswers busy = {{"uid-a", {.error = "busy"}}, {"uid-b", {}}};
  EXPECT_EQ(JudgeAnswers(kUnprepare, asked_, busy, Words(CallWords::kUntil129)).error.message(),
            "NodeUnprepareResources failed for claim ns/claim-a: %!s(<nil>)");
  EXPECT_EQ(JudgeAnswers(kUnprepare, asked_, busy, Words(CallWords::kUntil130)).error.message(),
            "NodeUnprepareResources failed for claim ns/claim-a: busy");
  EXPECT_EQ(JudgeAnswers(kPrepare, asked_, busy, Words(CallWords::kUntil129)).error.message(),
            "NodePrepareResources failed for claim ns/claim-a: busy");
}

TEST_F(ClaimResultsTest, Until127FailuresNameTheClaimTheHandleAndThePod) {
  ClaimRef claim = Claim("a");
  claim.handles = {ResourceHandle{.driver_name = "gpu", .data = "42", .structured_data = {}}};
  claim.cdi_device_ids = {"v/c=0", "v/c=1"};
  const std::vector<ClaimRef> asked = {claim};
  const absl::Status gone = absl::UnavailableError("gone");
  EXPECT_EQ(JudgeAnswers(kPrepare, asked, gone, Words(CallWords::kUntil127)).error.message(),
            "NodePrepareResource failed, claim UID: uid-a, claim name: claim-a, resource handle: 42, err: rpc error: "
            "code = Unavailable desc = gone");
  EXPECT_EQ(JudgeAnswers(kUnprepare, asked, gone, Words(CallWords::kUntil126)).error.message(),
            "NodeUnprepareResource failed, pod: pod, claim UID: uid-a, claim name: claim-a, CDI devices: "
            "[v/c=0 v/c=1], err: rpc error: code = Unavailable desc = gone");
  EXPECT_EQ(JudgeAnswers(kUnprepare, asked, ClaimAnswers{{"uid-a", {.error = "busy"}}}, Words(CallWords::kUntil127))
                .error.message(),
            "NodeUnprepareResource failed, pod: pod, claim UID: uid-a, claim name: claim-a, CDI devices: "
            "map[gpu:[v/c=0 v/c=1]], err: busy");
}

TEST_F(ClaimResultsTest, ACallThatWasNotMadeIsNoErrorOfAnRpc) {
  const absl::Status late = NotSent(absl::DeadlineExceededError("timed out"));
  EXPECT_EQ(JudgeAnswers(kPrepare, asked_, late).error.message(), "NodePrepareResources: timed out");
}

TEST_F(ClaimResultsTest, EachTimeHadItsWordsForADriverThatIsNotThere) {
  const auto said = [](DraCall call, CallWords words) {
    return std::string(CannotCall(call, absl::NotFoundError("who?"), Words(words)).message());
  };
  EXPECT_EQ(said(kPrepare, CallWords::kNewest), "who?");
  EXPECT_EQ(said(kPrepare, CallWords::kUntil133), "failed to get gRPC client for driver gpu: who?");
  EXPECT_EQ(said(kUnprepare, CallWords::kUntil133), "get gRPC client for DRA driver gpu: who?");
  EXPECT_EQ(said(kPrepare, CallWords::kUntil130), "failed to get DRA Plugin client for plugin name gpu: who?");
  EXPECT_EQ(said(kUnprepare, CallWords::kUntil126), "failed to get DRA Plugin client for plugin name gpu, err=who?");
}

TEST_F(ClaimResultsTest, EndlessErrorsOfDriversAreCut) {
  const ClaimResults results =
      JudgeAnswers(kPrepare, asked_, ClaimAnswers{{"uid-a", {.error = std::string(1 << 20, 'x')}}, {"uid-b", {}}});
  EXPECT_THAT(std::string(results.error.message()), EndsWith("xxx..."));
  EXPECT_LT(results.error.message().size(), 10'000u);
}

}  // namespace
}  // namespace kubelet_cm::dra
