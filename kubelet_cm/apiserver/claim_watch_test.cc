#include "kubelet_cm/apiserver/claim_watch.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/apiserver/api_scene.h"

namespace kubelet_cm::apiserver {
namespace {

using fakes::ApiFault;
using testing::HasSubstr;

constexpr char kRetry[] = "Could not watch the ResourceClaims of the API server, will retry";
constexpr char kList[] = "resourceclaims?limit";
constexpr char kWatch[] = "resourceclaims?watch=1";

class ClaimWatchTest : public ApiScene {
 protected:
  void TearDown() override {
    http_->Stop();
    watch_.reset();
  }

  void Start() { watch_ = std::make_unique<ClaimWatch>(ClaimWatch::Dependencies{threads_, random_, log_, *api_}); }
  // With a list and a watch under way.
  void StartFollowing() {
    server_->PutClaim(SampleClaim("first"));
    Start();
    ASSERT_TRUE(AwaitKnown("first"));
    ASSERT_OK(server_->AwaitWatches(1));
  }
  bool Knows(const std::string& name) const { return watch_->Find("default/" + name).has_value(); }
  bool AwaitKnown(const std::string& name) {
    return log_.Await([&] { return Knows(name); });
  }
  // The watch waits after a failure; then this pause passes, and none that comes after it.
  void PassPause() {
    ASSERT_TRUE(clock_.AwaitAlarms(1));
    clock_.AdvanceTo(*clock_.NextAlarm());
  }

  SeededRandom random_{1};
  std::unique_ptr<ClaimWatch> watch_;
};

TEST_F(ClaimWatchTest, ListsAndFollows) {
  StartFollowing();
  server_->PutClaim(SampleClaim("second"));
  ASSERT_TRUE(AwaitKnown("second"));
  server_->PutClaim(SampleClaim("second", "u2"));
  ASSERT_TRUE(log_.Await([&] { return watch_->Find("default/second")->id.uid == "u2"; }));
  server_->DeleteClaim("default", "first");
  ASSERT_TRUE(log_.Await([&] { return !Knows("first"); }));
  EXPECT_EQ(watch_->size(), 1);
  EXPECT_EQ(server_->CountRequests(kList), 1);
}

TEST_F(ClaimWatchTest, HasNoPictureBeforeTheList) {
  server_->Fail({.path = kList, .how = ApiFault::How::kHang});
  Start();
  ASSERT_OK(server_->AwaitRequests(kList, 1));
  EXPECT_FALSE(watch_->synced());
  EXPECT_FALSE(Knows("first"));
  server_->Release();
  EXPECT_TRUE(log_.Await([&] { return watch_->synced(); }));
}

TEST_F(ClaimWatchTest, ListsInPages) {
  for (size_t i = 0; i < 2 * ClaimWatch::kPageSize + 1; ++i) server_->PutClaim(SampleClaim(absl::StrCat("c", i)));
  Start();
  ASSERT_TRUE(log_.Await([&] { return watch_->synced(); }));
  EXPECT_EQ(watch_->size(), 2 * ClaimWatch::kPageSize + 1);
  EXPECT_EQ(server_->CountRequests(kList), 3);
}

TEST_F(ClaimWatchTest, GoesOnWhereItWasWhenAWatchEnds) {
  StartFollowing();
  server_->PutClaim(SampleClaim("second"));
  ASSERT_TRUE(AwaitKnown("second"));
  server_->EndWatches();
  PassPause();
  ASSERT_OK(server_->AwaitWatches(2));
  EXPECT_THAT(server_->Requests().back(), HasSubstr("allowWatchBookmarks=true&resourceVersion=3&timeoutSeconds="));
  server_->PutClaim(SampleClaim("third"));
  EXPECT_TRUE(AwaitKnown("third"));
  EXPECT_EQ(server_->CountRequests(kList), 1);
}

TEST_F(ClaimWatchTest, KeepsItsPlaceByBookmarks) {
  StartFollowing();
  server_->Compact();
  server_->Bookmark();
  ASSERT_TRUE(log_.AwaitLine("Heard of the ResourceClaims of the API server"));
  server_->EndWatches();
  PassPause();
  ASSERT_OK(server_->AwaitWatches(2));
  server_->PutClaim(SampleClaim("second"));
  EXPECT_TRUE(AwaitKnown("second"));
  EXPECT_EQ(server_->CountRequests(kList), 1);
}

TEST_F(ClaimWatchTest, ListsAgainWhenTheServerHasForgotten) {
  StartFollowing();
  server_->PutClaim(SampleClaim("second"));
  ASSERT_TRUE(AwaitKnown("second"));
  server_->Compact();
  server_->EndWatches();
  PassPause();
  ASSERT_OK(server_->AwaitWatches(2));  // which is told 410
  server_->DeleteClaim("default", "first");
  server_->PutClaim(SampleClaim("third"));
  PassPause();
  ASSERT_TRUE(AwaitKnown("third"));
  EXPECT_FALSE(Knows("first"));
  EXPECT_EQ(server_->CountRequests(kList), 2);
}

TEST_F(ClaimWatchTest, TriesAgainAfterAPause) {
  server_->Fail({.path = kList, .code = 503, .times = 2});
  Start();
  ASSERT_TRUE(log_.AwaitLine(kRetry));
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  clock_.Advance(RetryDelay::kFirst - absl::Milliseconds(1));
  EXPECT_EQ(server_->CountRequests(kList), 1);
  PassPause();
  ASSERT_OK(server_->AwaitRequests(kList, 2));
  PassPause();
  EXPECT_TRUE(log_.Await([&] { return watch_->synced(); }));
  EXPECT_EQ(log_.Count(kRetry), 1);  // the same failure is said once
}

TEST_F(ClaimWatchTest, AsksSeldomWhereItMayNotList) {
  server_->Fail({.path = kList, .code = 403, .times = 1000});
  Start();
  ASSERT_TRUE(log_.AwaitLine(kRetry));
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  clock_.Advance(2 * RetryDelay::kLongest);  // longer than any other pause
  EXPECT_EQ(server_->CountRequests(kList), 1);
  clock_.Advance(ClaimWatch::kRefusedDelay);
  EXPECT_OK(server_->AwaitRequests(kList, 2));
  EXPECT_FALSE(watch_->synced());
}

TEST_F(ClaimWatchTest, GoesOnAfterAWatchThatBreaksOff) {
  server_->Fail({.path = kWatch, .how = ApiFault::How::kBreakOff});
  Start();
  ASSERT_TRUE(log_.AwaitLine(kRetry));
  PassPause();
  ASSERT_OK(server_->AwaitWatches(1));
  server_->PutClaim(SampleClaim("first"));
  EXPECT_TRUE(AwaitKnown("first"));
  EXPECT_EQ(server_->CountRequests(kList), 1);
}

TEST_F(ClaimWatchTest, ListsAgainAfterWhatIsNoEvent) {
  StartFollowing();
  server_->SayToWatches("nonsense");
  ASSERT_TRUE(log_.AwaitLine(kRetry));
  PassPause();
  ASSERT_OK(server_->AwaitWatches(2));
  EXPECT_EQ(server_->CountRequests(kList), 2);
  EXPECT_TRUE(Knows("first"));
}

TEST_F(ClaimWatchTest, GivesUpOnAnEventWithoutEnd) {
  server_->Fail({.path = kWatch, .how = ApiFault::How::kEndless});
  Start();
  ASSERT_TRUE(log_.AwaitLine(kRetry));
  EXPECT_EQ(watch_->size(), 0);
}

TEST_F(ClaimWatchTest, ForgetsAClaimThatCannotBeUsedAnyMore) {
  StartFollowing();
  server_->SayToWatches(
      R"({"type":"MODIFIED","object":{"metadata":{"name":"first","namespace":"default","resourceVersion":"9"}}})");
  ASSERT_TRUE(log_.Await([&] { return !Knows("first"); }));
  EXPECT_EQ(log_.Count("A ResourceClaim of the API server that cannot be used"), 1);
}

TEST_F(ClaimWatchTest, FollowsAServerThatIsUpgraded) {
  server_->SetVersions({"v1beta1"});
  StartFollowing();
  server_->PutClaim(SampleClaim("second"));
  ASSERT_TRUE(AwaitKnown("second"));
  server_->SetVersions({"v1"});
  server_->EndWatches();
  PassPause();
  ASSERT_TRUE(log_.AwaitLine(kRetry));
  PassPause();
  ASSERT_OK(server_->AwaitWatches(2));
  server_->PutClaim(SampleClaim("third"));
  EXPECT_TRUE(AwaitKnown("third"));
}

}  // namespace
}  // namespace kubelet_cm::apiserver
