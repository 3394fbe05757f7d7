#include "testing/fakes/fake_slice_client.h"

#include <vector>

#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/threads/seeded_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::fakes {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr absl::Duration kLimit = absl::Seconds(1);

class FakeSliceClientTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  RealThreads threads_{clock_};
  FakeSliceClient slices_{threads_, "n1"};
};

TEST_F(FakeSliceClientTest, SlicesGoByDriverOrAllAtOnce) {
  for (const char* driver : {"a", "b", "c"}) slices_.Publish(driver);
  EXPECT_THAT(slices_.CheckNode(kLimit), IsOkAndHolds("n1"));
  EXPECT_OK(slices_.DeleteSlices({.node_name = "n1", .driver_name = "b"}, kLimit));
  EXPECT_THAT(slices_.Published(), ElementsAre("a", "c"));
  EXPECT_OK(slices_.DeleteSlices({.node_name = "n1"}, kLimit));
  EXPECT_THAT(slices_.Published(), IsEmpty());
  EXPECT_THAT(slices_.Deletes(), SizeIs(2));
  EXPECT_EQ(slices_.NodeChecks(), 1u);
}

TEST_F(FakeSliceClientTest, SlicesOfAnotherNodeStay) {
  slices_.Publish("a");
  EXPECT_THAT(slices_.DeleteSlices({.node_name = "n2"}, kLimit), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(slices_.Published(), ElementsAre("a"));
}

TEST_F(FakeSliceClientTest, ScriptedErrorsAreAnsweredOnceEachAndOthersUntilTakenBack) {
  slices_.Publish("a");
  slices_.FailNodeChecks({absl::NotFoundError("x")});
  slices_.FailDeletes({absl::InternalError("y")});
  EXPECT_THAT(slices_.CheckNode(kLimit), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_OK(slices_.CheckNode(kLimit));
  EXPECT_THAT(slices_.DeleteSlices({.node_name = "n1"}, kLimit), StatusIs(absl::StatusCode::kInternal));
  slices_.FailAll(absl::UnavailableError("down"));
  EXPECT_THAT(slices_.CheckNode(kLimit), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(slices_.DeleteSlices({.node_name = "n1"}, kLimit), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(slices_.Published(), ElementsAre("a"));
  slices_.FailAll(absl::OkStatus());
  EXPECT_OK(slices_.DeleteSlices({.node_name = "n1"}, kLimit));
}

TEST_F(FakeSliceClientTest, SlicesWithModelsAreMadeUpdatedAndDeleted) {
  EXPECT_OK(slices_.CreateModelSlice({.driver_name = "d"}, kLimit));
  ASSERT_OK_AND_ASSIGN(const std::vector<dra::ModelSlice> listed, slices_.ListModelSlices(kLimit));
  ASSERT_THAT(listed, SizeIs(1));
  EXPECT_EQ(listed[0].name, "n1-d-1");
  EXPECT_OK(slices_.UpdateModelSlice(listed[0], kLimit));
  EXPECT_THAT(slices_.UpdateModelSlice(listed[0], kLimit), StatusIs(absl::StatusCode::kAborted));
  slices_.FailModelCalls({absl::UnavailableError("down")});
  EXPECT_THAT(slices_.DeleteModelSlice("n1-d-1", kLimit), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_OK(slices_.DeleteModelSlice("n1-d-1", kLimit));
  EXPECT_THAT(slices_.DeleteModelSlice("n1-d-1", kLimit), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(slices_.ModelCalls(), ElementsAre("create d", "list", "update n1-d-1", "update n1-d-1", "delete n1-d-1",
                                                "delete n1-d-1", "delete n1-d-1"));
  EXPECT_THAT(slices_.WaitForModelCalls("create", 2, absl::ZeroDuration()),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST(FakeSliceClientSeededTest, HeldDeletesAreKnownAndWaitUntilTheyAreLetGo) {
  FakeClock clock;
  SeededThreads threads(clock, {.seed = 7});
  EXPECT_OK(threads.Run([&] {
    FakeSliceClient slices(threads);
    slices.Publish("a");
    slices.HoldDeletes();
    const auto deleting = threads.Start("deleting", [&] { EXPECT_OK(slices.DeleteSlices({"node"}, kLimit)); });
    EXPECT_OK(slices.WaitForDeletes(1));
    EXPECT_THAT(slices.WaitForDeletes(2), StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_THAT(slices.Published(), ElementsAre("a"));
    slices.LetDeletesGo();
  }));
}

}  // namespace
}  // namespace kubelet_cm::fakes
