// A DRA manager is killed at every file operation and at both edges of every call to a driver, and its power is cut
// there: whatever happened, nothing that a driver prepared is left over in the end, nothing is taken from a pod that
// runs, and nothing is prepared again whose success was answered (C1 to C4).
#include <string>
#include <utility>

#include "common/filesystem/crash_explorer.h"
#include "common/filesystem/file_functions.h"
#include "common/status/status_matchers.h"
#include "dra/dra_crash_world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using testing::Ge;
using testing::IsEmpty;
using testing::ValuesIn;

constexpr char kFile[] = "/state/dra_manager_state";

struct Story {
  const char* name;
  void (*begin)(CrashWorld& world);  // what there is before
  void (*happens)(CrashLife& life);  // what is cut somewhere
  // After the restart another pod wants the claim, before those that were ending have ended.
  bool another_comes = false;
};

void OnePod(CrashWorld& world) {
  world.AddClaim("claim", "uid", {"gpu"});
  world.AddPod("a", {"claim"});
}
void TwoPods(CrashWorld& world) {
  OnePod(world);
  world.AddPod("b", {"claim"});
}

void PrepareOne(CrashLife& life) { EXPECT_TRUE(life.Prepare("a").ok() || life.IsDead()); }
void PrepareShared(CrashLife& life) { life.PrepareAll({"a", "b"}); }
void PrepareWithOneOfTwoDriversFailing(CrashLife& life) {
  life.world().failing = {"nic"};
  (void)life.Prepare("a");
  EXPECT_TRUE(life.Prepare("a").ok() || life.IsDead());
}
void UnprepareLast(CrashLife& life) {
  (void)life.Prepare("a");
  EXPECT_TRUE(life.Unprepare("a").ok() || life.IsDead());
}
void UnprepareOneOfTwo(CrashLife& life) {
  life.PrepareAll({"a", "b"});
  EXPECT_TRUE(life.Unprepare("a").ok() || life.IsDead());
}
void UnprepareWithOneOfTwoDriversFailing(CrashLife& life) {
  (void)life.Prepare("a");
  life.world().failing = {"gpu"};
  (void)life.Unprepare("a");
  EXPECT_TRUE(life.Unprepare("a").ok() || life.IsDead());
}
void ForceDeletedAndSameName(CrashLife& life) {
  (void)life.Prepare("a");
  life.Remove("a");
  life.AddClaim("claim", "next-uid", {"gpu"});
  life.AddPod("b", {"claim"});
  (void)life.Prepare("b");
  life.manager().Reconcile();
  EXPECT_TRUE(life.Prepare("b").ok() || life.IsDead());
}

constexpr Story kStories[] = {
    {"PrepareShared", TwoPods, PrepareShared},
    {"UnprepareOneOfTwo", TwoPods, UnprepareOneOfTwo},
    {"PrepareOne", OnePod, PrepareOne},
    {"PrepareWithOneOfTwoDriversFailing",
     [](CrashWorld& world) {
       world.AddClaim("claim", "uid", {"gpu", "nic"});
       world.AddPod("a", {"claim"});
     },
     PrepareWithOneOfTwoDriversFailing},
    {"UnprepareLast", OnePod, UnprepareLast},
    {"UnprepareLastAndAnotherComes", OnePod, UnprepareLast, true},
    {"UnprepareWithOneOfTwoDriversFailing",
     [](CrashWorld& world) {
       world.AddClaim("claim", "uid", {"gpu", "nic"});
       world.AddPod("a", {"claim"});
     },
     UnprepareWithOneOfTwoDriversFailing},
    {"ForceDeletedAndSameName", OnePod, ForceDeletedAndSameName},
};

constexpr int kStoriesWithThreads = 2;  // the first ones

class DraCrashTest : public testing::TestWithParam<std::tuple<Story, uint64_t>> {
 protected:
  const Story& story() const { return std::get<0>(GetParam()); }
  uint64_t seed() const { return std::get<1>(GetParam()); }

  CrashScenario Scenario() {
    return {.set_up =
                [this](FakeFileSystem&) {
                  world_ = {};
                  story().begin(world_);
                },
            .run = [this](FileSystem& files) { EXPECT_OK(CrashLife(world_, files, seed()).Run(story().happens)); },
            .check = [this](FakeFileSystem& left, const std::string& where) { Check(left, where); },
            .restart = [this](FileSystem& files) { Restart(files); },
            .is_call = IsEdgeOfACall};
  }

 private:
  // The kubelet is back and asks again for what its pods need.
  void Restart(FileSystem& files) {
    world_.failing.clear();
    EXPECT_OK(CrashLife(world_, files, seed()).Run([this](CrashLife& life) {
      life.manager().Reconcile();
      const auto pods = world_.pods;
      for (const auto& [uid, pod] : pods) {
        if (world_.ending.contains(uid)) continue;
        EXPECT_OK(life.Prepare(uid));
      }
    }));
  }

  void Check(FakeFileSystem& left, const std::string& where) {
    SCOPED_TRACE(where);
    left.Settle();
    const auto copies = left.AfterPowerCut();
    ASSERT_OK(copies);
    CheckThatPodsCanBeGone(*copies->front());
    CheckThatPodsCanStay(left);
  }

  // While nobody looked all pods were deleted by force.
  void CheckThatPodsCanBeGone(FakeFileSystem& left) {
    CrashWorld world = world_;
    world.failing.clear();
    world.pods.clear();
    world.running.clear();
    EXPECT_OK(CrashLife(world, left, seed()).Run([](CrashLife& life) { life.manager().Reconcile(); }));
    for (const auto& [driver, claims] : world.prepared) EXPECT_THAT(claims, IsEmpty()) << driver << " has a leak";
  }

  void CheckThatPodsCanStay(FakeFileSystem& left) {
    CrashWorld world = world_;  // of which several images are looked at
    world.failing.clear();
    bool started = false;
    EXPECT_OK(CrashLife(world, left, seed()).Run([&](CrashLife& life) {
      started = true;
      if (story().another_comes) {
        life.AddPod("c", {"claim"});
        EXPECT_OK(life.Prepare("c"));
      }
      GoOn(life);
    }));
    EXPECT_TRUE(started);
    CheckThatARestartChangesNothing(world, left);
    EXPECT_OK(CrashLife(world, left, seed()).Run([&](CrashLife& life) { EndAll(life); }));
    EXPECT_THAT(world.violations, IsEmpty());
    CheckHowOftenDriversWereCalled(world);
    for (const auto& [driver, claims] : world.prepared) EXPECT_THAT(claims, IsEmpty()) << driver << " has a leak";
  }

  // The kubelet is back: pods that were ending go on ending, and others get sandboxes.
  static void GoOn(CrashLife& life) {
    CrashWorld& world = life.world();
    EXPECT_NE(life.manager().restore_outcome(), RecoveryOutcome::kCorrupt);
    const auto running = world.running;
    for (const auto& [pod, uids] : running) {
      EXPECT_OK(life.manager().GetResources(world.pods.at(pod), world.pods.at(pod).containers[0])) << pod;
    }
    world.prepares.clear();
    life.manager().Reconcile();
    const auto ending = world.ending;
    for (const std::string& pod : ending) EXPECT_OK(life.Unprepare(pod));
    const auto pods = world.pods;
    for (const auto& [uid, pod] : pods) EXPECT_OK(life.Prepare(uid));
    std::set<std::string> needed;
    for (const auto& [pod, uids] : world.running) needed.insert(uids.begin(), uids.end());
    for (const auto& [driver, claims] : world.prepared) EXPECT_EQ(claims, needed) << driver;
    for (const auto& [pod, uids] : running) {
      for (const auto& [call, count] : world.prepares) {
        EXPECT_FALSE(uids.contains(call.second)) << call.first << " was told again to prepare " << call.second;
      }
    }
  }

  void CheckThatARestartChangesNothing(CrashWorld& world, FakeFileSystem& left) {
    const std::string before = *ReadFile(left, kFile, 1 << 20);
    const auto prepares = world.prepares;
    const auto unprepares = world.unprepares;
    EXPECT_OK(CrashLife(world, left, seed()).Run([](CrashLife& life) { life.manager().Reconcile(); }));
    EXPECT_EQ(*ReadFile(left, kFile, 1 << 20), before);
    EXPECT_EQ(world.prepares, prepares);
    EXPECT_EQ(world.unprepares, unprepares);
  }

  // What was prepared was unprepared, and no more often than by each life that was killed, by the call of which the
  // driver says that it failed, and by the one that was answered.
  static void CheckHowOftenDriversWereCalled(CrashWorld& world) {
    constexpr int kMostLivesThatAreKilled = 2;
    for (const auto& [call, count] : world.prepares) {
      EXPECT_GE(world.unprepares[call], 1) << call.first << " about " << call.second;
    }
    for (const auto& [call, count] : world.unprepares) {
      EXPECT_LE(count, kMostLivesThatAreKilled + 2) << call.first << " about " << call.second;
    }
  }

  // One pod says that it ends, others are just gone.
  static void EndAll(CrashLife& life) {
    const auto pods = life.world().pods;
    bool says_so = true;
    for (const auto& [uid, pod] : pods) {
      if (std::exchange(says_so, !says_so)) {
        EXPECT_OK(life.Unprepare(uid));
      } else {
        life.Remove(uid);
      }
    }
    life.manager().Reconcile();
  }

  CrashWorld world_;
};

TEST_P(DraCrashTest, NothingLeaksAndNothingIsTakenAwayWhereverItIsKilled) {
  ASSERT_OK_AND_ASSIGN(const CrashCoverage coverage, ExploreCrashes(Scenario()));
  EXPECT_THAT(coverage.operations, Ge(20u));
  EXPECT_THAT(coverage.images, Ge(coverage.places));
}

std::string NameOf(const testing::TestParamInfo<std::tuple<Story, uint64_t>>& info) {
  return std::string(std::get<0>(info.param).name) + std::to_string(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Stories, DraCrashTest, testing::Combine(ValuesIn(kStories), testing::Values(0)), NameOf);
INSTANTIATE_TEST_SUITE_P(OtherOrdersOfThreads, DraCrashTest,
                         testing::Combine(ValuesIn(kStories, kStories + kStoriesWithThreads), testing::Values(1, 2)),
                         NameOf);

}  // namespace
}  // namespace kubelet_cm::dra
