#include "kubelet_cm/apiserver/claim_messages.h"

#include <string>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::apiserver {
namespace {

using Kind = ClaimEvent::Kind;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr dra::ClaimApi kApi = dra::ClaimApi::kResults;

absl::StatusOr<ClaimEvent> Event(const std::string& type, const std::string& object) {
  return ParseClaimEvent(R"({"type":")" + type + R"(","object":)" + object + "}", kApi);
}

std::string Claim(const std::string& name) {
  return R"({"metadata":{"name":")" + name + R"(","namespace":"ns","uid":"u","resourceVersion":"7"}})";
}

TEST(ClaimMessagesTest, ReadsAPageOfAList) {
  ASSERT_OK_AND_ASSIGN(const ClaimPage page,
                       ParseClaimPage(R"({"kind":"ResourceClaimList","metadata":{"resourceVersion":"9","continue":"x"},
                                          "items":[)" +
                                          Claim("a") + "," + Claim("b") + "]}",
                                      kApi));
  EXPECT_THAT(page.claims, SizeIs(2));
  EXPECT_EQ(page.claims[1].id.name, "b");
  EXPECT_EQ(page.resource_version, "9");
  EXPECT_EQ(page.next, "x");
  EXPECT_OK(page.first_error);
}

TEST(ClaimMessagesTest, LeavesOutClaimsThatCannotBeUsed) {
  ASSERT_OK_AND_ASSIGN(const ClaimPage page,
                       ParseClaimPage(R"({"kind":"ResourceClaimList","metadata":{"resourceVersion":"9"},
                                          "items":[{"metadata":5},)" +
                                          Claim("UP") + "," + Claim("b") + "]}",
                                      kApi));
  EXPECT_THAT(page.claims, SizeIs(1));
  EXPECT_EQ(page.unusable, 2);
  EXPECT_THAT(page.first_error, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cannot unmarshal number")));
}

TEST(ClaimMessagesTest, RefusesWhatIsNoListOfClaims) {
  for (const char* text : {"", "[]", "{}", R"({"kind":"PodList","metadata":{"resourceVersion":"9"}})",
                           R"({"kind":"ResourceClaimList","metadata":{}})", R"({"kind":5})"}) {
    EXPECT_THAT(ParseClaimPage(text, kApi), StatusIs(absl::StatusCode::kInvalidArgument)) << text;
  }
  ASSERT_OK_AND_ASSIGN(
      const ClaimPage page,
      ParseClaimPage(R"({"kind":"ResourceClaimList","metadata":{"resourceVersion":"9"},"items":null})", kApi));
  EXPECT_THAT(page.claims, IsEmpty());
}

TEST(ClaimMessagesTest, ReadsChangesOfClaims) {
  for (const char* type : {"ADDED", "MODIFIED"}) {
    ASSERT_OK_AND_ASSIGN(const ClaimEvent event, Event(type, Claim("a")));
    EXPECT_EQ(event.kind, Kind::kPut);
    EXPECT_EQ(event.claim.id.Key(), "ns/a");
    EXPECT_EQ(event.resource_version, "7");
  }
  ASSERT_OK_AND_ASSIGN(const ClaimEvent gone, Event("DELETED", Claim("a")));
  EXPECT_EQ(gone.kind, Kind::kGone);
  EXPECT_EQ(gone.claim.id.Key(), "ns/a");
}

TEST(ClaimMessagesTest, TakesAClaimThatCannotBeUsedForGone) {
  ASSERT_OK_AND_ASSIGN(const ClaimEvent event, Event("MODIFIED", Claim("UP")));
  EXPECT_EQ(event.kind, Kind::kGone);
  EXPECT_THAT(event.error, StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ClaimMessagesTest, ReadsBookmarks) {
  ASSERT_OK_AND_ASSIGN(const ClaimEvent event, Event("BOOKMARK", R"({"metadata":{"resourceVersion":"12"}})"));
  EXPECT_EQ(event.kind, Kind::kBookmark);
  EXPECT_EQ(event.resource_version, "12");
}

TEST(ClaimMessagesTest, PassesOnTheServersErrors) {
  EXPECT_THAT(Event("ERROR", R"({"kind":"Status","code":410,"message":"too old"})"),
              StatusIs(absl::StatusCode::kOutOfRange, "too old"));
}

TEST(ClaimMessagesTest, IgnoresEventsThatItDoesNotKnow) {
  ASSERT_OK_AND_ASSIGN(const ClaimEvent event, Event("MYSTERY", "{}"));
  EXPECT_EQ(event.kind, Kind::kIgnored);
}

TEST(ClaimMessagesTest, RefusesWhatIsNoEvent) {
  for (const char* line : {"", "{", "5", "{}", R"({"type":"ADDED"})", R"({"type":5,"object":{}})",
                           R"({"type":"ADDED","object":{}})", R"({"type":"BOOKMARK","object":{}})"}) {
    EXPECT_THAT(ParseClaimEvent(line, kApi), StatusIs(absl::StatusCode::kInvalidArgument)) << line;
  }
}

}  // namespace
}  // namespace kubelet_cm::apiserver
