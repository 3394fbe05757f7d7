#include "testing/kills/pod_plan.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::kills {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(PodPlanTest, APodAsksForWhatIsPlanned) {
  const PodPlan plan = {.caller = 1, .number = 7, .plain = 2, .rare = 1, .claim = true};
  EXPECT_EQ(plan.Uid(), "caller-1-pod-7");
  EXPECT_THAT(plan.Manifest(), AllOf(HasSubstr("uid: caller-1-pod-7"), HasSubstr("resourceClaimName: claim-1"),
                                     HasSubstr("{example.com/plain: 2, example.com/rare: 1}")));
}

TEST(PodPlanTest, APodAsksForNothingElse) {
  EXPECT_THAT(PodPlan{}.Manifest(), AllOf(Not(HasSubstr("rare")), Not(HasSubstr("laim"))));
}

TEST(PodPlanTest, TheClaimIsReservedForThePodsOfItsCaller) {
  EXPECT_THAT(PodPlan{.caller = 1}.ClaimManifest(),
              AllOf(HasSubstr("uid: claim-1}"), HasSubstr("uid: caller-1-pod-0}"), HasSubstr("uid: caller-1-pod-199}"),
                    Not(HasSubstr("caller-0"))));
}

}  // namespace
}  // namespace kubelet_cm::kills
