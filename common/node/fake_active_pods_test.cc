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

}  // namespace
}  // namespace kubelet_cm
