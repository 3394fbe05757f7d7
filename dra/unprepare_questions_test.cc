#include "dra/unprepare_questions.h"

#include <string>
#include <utility>

#include "common/status/status_matchers.h"
#include "dra/dra_parts_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

class UnprepareQuestionsTest : public DraPartsFixture {
 protected:
  // What the API server has of a claim that the pod references.
  void SetObject(std::vector<ResourceHandle> handles) {
    ClaimObject object;
    object.id = SampleClaim("a").id;
    object.allocation.emplace();
    object.allocation->handles = std::move(handles);
    claims_.Set(object);
  }
  std::string Asked() { return std::string(AskBeforeUnprepare(parts_, pod_).message()); }
  std::vector<ResourceHandle> Handles() {
    MutexLock lock(&state_.mu);
    return state_.table.claims().Find(SampleClaim("a").id.Key())->handles;
  }

  Pod pod_{.uid = "pod", .namespace_name = "ns", .name = "pod"};
  const PodClaim unmade_{.name = "unmade", .from_template = true};
};

TEST_F(UnprepareQuestionsTest, NobodyIsAskedByThisProject) {
  pod_.claims = {unmade_};
  rules_.unprepare_asks = UnprepareAsks::kNothing;
  EXPECT_EQ(Asked(), "");
  EXPECT_EQ(claims_.gets(), 0);
}

TEST_F(UnprepareQuestionsTest, APodIsAskedForNamesAlwaysOrIfNothingIsKnownOfIt) {
  pod_.claims = {unmade_};
  rules_.unprepare_asks = UnprepareAsks::kIfNoneIsKnown;
  EXPECT_THAT(Asked(), HasSubstr("ResourceClaim not created yet"));
  Plan(SampleClaim("a"));
  EXPECT_EQ(Asked(), "");
  rules_.unprepare_asks = UnprepareAsks::kAlways;
  EXPECT_THAT(Asked(), HasSubstr("ResourceClaim not created yet"));
}

TEST_F(UnprepareQuestionsTest, HandlesAreTakenOverFromTheApiServer) {
  Plan(SampleClaim("a"));
  SetObject({ResourceHandle{.driver_name = "gpu", .data = "42", .structured_data = {}}});
  rules_.unprepare_asks = UnprepareAsks::kAlways;
  EXPECT_EQ(Asked(), "");
  EXPECT_THAT(Handles(), IsEmpty());
  rules_.fetches_to_unprepare = true;
  EXPECT_EQ(Asked(), "");
  EXPECT_THAT(Handles(), ElementsAre(Field(&ResourceHandle::data, "42")));
}

TEST_F(UnprepareQuestionsTest, AClaimThatIsGoneIsAnErrorForItsLastPodAlone) {
  Plan(SampleClaim("a"));
  rules_.unprepare_asks = UnprepareAsks::kAlways;
  rules_.fetches_to_unprepare = true;
  EXPECT_THAT(Asked(), HasSubstr("failed to fetch ResourceClaim a referenced by pod pod: "));
  {
    MutexLock lock(&state_.mu);
    ASSERT_OK(state_.table.Reference(std::vector<AllocatedClaim>{SampleClaim("a")}, "other").status());
  }
  EXPECT_EQ(Asked(), "");
}

}  // namespace
}  // namespace kubelet_cm::dra
