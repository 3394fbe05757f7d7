#include "common/node/fake_active_pods.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(FakeActivePodsTest, PodsAreActiveBetweenAddAndRemove) {
  FakeActivePods pods;
  EXPECT_THAT(*pods.Uids(), IsEmpty());
  pods.Add("a");
  pods.Add("b");
  pods.Remove("a");
  EXPECT_THAT(*pods.Uids(), UnorderedElementsAre("b"));
}

TEST(FakeActivePodsTest, ASetThatWasHandedOutDoesNotChange) {
  FakeActivePods pods;
  pods.Add("a");
  const auto before = pods.Uids();
  EXPECT_EQ(pods.Uids(), before);
  pods.Add("b");
  EXPECT_THAT(*before, UnorderedElementsAre("a"));
  EXPECT_NE(pods.Uids(), before);
}

TEST(FakeActivePodsTest, SourcesAreReadyUntilTheTestSaysOtherwise) {
  FakeActivePods pods;
  EXPECT_TRUE(pods.SourcesReady());
  pods.SetSourcesReady(false);
  EXPECT_FALSE(pods.SourcesReady());
}

TEST(FakeActivePodsTest, DeparturesAreCountedAndArrivalsAreNot) {
  FakeActivePods pods;
  pods.Add("a");
  EXPECT_EQ(pods.Departures(), 0u);
  pods.Remove("other");
  EXPECT_EQ(pods.Departures(), 0u);
  pods.Remove("a");
  EXPECT_EQ(pods.Departures(), 1u);
}

TEST(FakeActivePodsTest, SourcesThatBecomeReadyCountAsADeparture) {
  FakeActivePods pods;
  pods.SetSourcesReady(false);
  EXPECT_EQ(pods.Departures(), 0u);
  pods.SetSourcesReady(true);
  EXPECT_EQ(pods.Departures(), 1u);
}

}  // namespace
}  // namespace kubelet_cm
