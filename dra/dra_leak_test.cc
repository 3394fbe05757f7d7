// The leak of 2023: until 1.30 a kubelet wrote down a claim only after its driver had prepared it. Killed in between,
// it knew nothing of the claim, and never unprepared it.
#include <string>
#include <vector>

#include "common/filesystem/crash_explorer.h"
#include "common/status/status_matchers.h"
#include "dra/dra_crash_world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// Prepares a claim of one pod as this kubelet, wherever it may be killed; then the pod is terminated, and that is all.
// The places where the driver is left with the claim.
class DraLeakTest : public testing::TestWithParam<const char*> {
 protected:
  std::vector<std::string> Leaks() {
    std::vector<std::string> leaks;
    const CrashScenario scenario = {.set_up =
                                        [this](FakeFileSystem&) {
                                          world_ = {};
                                          world_.AddClaim("claim", "uid", {"gpu"});
                                          world_.AddPod("pod", {"claim"});
                                        },
                                    .run =
                                        [this](FileSystem& files) {
                                          EXPECT_OK(CrashLife(world_, files, 1, GetParam()).Run([](CrashLife& life) {
                                            (void)life.Prepare("pod");
                                          }));
                                        },
                                    .check =
                                        [&](FakeFileSystem& left, const std::string& where) {
                                          CrashWorld world = world_;
                                          EXPECT_OK(CrashLife(world, left, 1, GetParam()).Run([](CrashLife& life) {
                                            EXPECT_OK(life.Unprepare("pod"));
                                          }));
                                          if (!world.prepared["gpu"].empty()) leaks.push_back(where);
                                        },
                                    .is_call = IsEdgeOfACall};
    EXPECT_OK(ExploreCrashes(scenario));
    return leaks;
  }

  CrashWorld world_;
};

class LeakingKubeletTest : public DraLeakTest {};

TEST_P(LeakingKubeletTest, AKillBetweenTheDriversAnswerAndTheWriteLeavesAClaimThatNobodyKnows) {
  // At the later edge of the call, and on until the file is replaced.
  EXPECT_THAT(Leaks(), Contains(AllOf(HasSubstr("kill after"), HasSubstr("the-edge-of-a-call"))));
}

TEST_P(LeakingKubeletTest, AndSoDoesAKillBeforeTheFileIsReplaced) {
  EXPECT_THAT(Leaks(), Contains(AllOf(HasSubstr("kill before"), HasSubstr("rename"))));
}

INSTANTIATE_TEST_SUITE_P(Until130, LeakingKubeletTest, testing::Values("1.27", "1.28", "1.30"));

class DraNoLeakTest : public DraLeakTest {};

TEST_P(DraNoLeakTest, NoKillLeavesAClaimThatNobodyKnows) { EXPECT_THAT(Leaks(), IsEmpty()); }

INSTANTIATE_TEST_SUITE_P(Since131, DraNoLeakTest, testing::Values("1.31", "1.36", "1.37", "latest"));

}  // namespace
}  // namespace kubelet_cm::dra
