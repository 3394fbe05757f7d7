#include "kubelet_cm/daemon/pod_history.h"

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "common/filesystem/atomic_write.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/log/awaiting_logger.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"
#include "testing/harness/pod_node.h"

namespace kubelet_cm {
namespace {

using harness::PodWith;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kResource[] = "example.com/device";
constexpr char kSocket[] = "/node/kubelet.sock";

// A start of the daemon on a disk, as far as it is about pods.
struct Start {
  Start(FileSystem& files, Random& random, Threads& threads)
      : pods(threads, {}),
        store(*PodStore::New(files, random, {.folder = "/node/pods", .boot_id = "boot"})),
        history({.files = files, .threads = threads, .random = random, .log = log, .pods = pods, .store = *store},
                {.root = "/node",
                 .pods_folder = "/node/pods",
                 .sockets = {.registration = kSocket, .pod_resources = "/node/pod-resources.sock"},
                 .boot_id = "boot",
                 .now = absl::UnixEpoch()}) {}

  AwaitingLogger log;
  PodTable pods;
  std::unique_ptr<PodStore> store;
  PodHistory history;
};

class PodHistoryTest : public ::testing::Test {
 protected:
  // Pod "a" holds a device; the daemon whose history is tested has never heard of it.
  PodHistoryTest() {
    EXPECT_OK(node_.Start());
    EXPECT_OK(node_.RunPlugin(kResource));
    EXPECT_OK(node_.manager().AdmitPod(PodWith("a", {{kResource, 1}}), PodSource::kApi));
  }
  std::unique_ptr<Start> Begin() { return std::make_unique<Start>(faulty_, random_, node_.threads); }
  // A start that goes through; which pods there are then.
  std::vector<std::string> WholeStart() {
    const auto start = Begin();
    EXPECT_OK(start->history.Restore());
    MakeSocket();
    EXPECT_OK(start->history.Adopt(node_.devices(), nullptr));
    std::vector<std::string> uids;
    for (const SharedPodRecord& record : start->pods.All()) uids.push_back(record->pod->uid);
    return uids;
  }
  void MakeSocket() {
    (void)disk_.Unlink(kSocket).ok();
    ASSERT_OK(disk_.Open(kSocket, OpenMode::kCreateExclusive));
  }

  harness::PodNode node_;
  FakeFileSystem disk_;
  FaultPlan faults_;
  FaultyFileSystem faulty_{disk_, faults_};
  SeededRandom random_{1};
};

TEST_F(PodHistoryTest, TheFirstStartAdoptsAndLaterOnesRemember) {
  EXPECT_THAT(WholeStart(), ElementsAre("a"));
  ASSERT_OK(node_.manager().RemovePod({.uid = "a"}, false));
  EXPECT_THAT(WholeStart(), ElementsAre("a"));
}

TEST_F(PodHistoryTest, AStartThatEndsWhileItAdoptsIsMadeUpForByTheNext) {
  const auto start = Begin();
  ASSERT_OK(start->history.Restore());
  faults_.Arm({.path_pattern = "/node/pods", .error = ENOSPC});
  EXPECT_THAT(start->history.Adopt(node_.devices(), nullptr), Not(IsOk()));
  EXPECT_THAT(WholeStart(), ElementsAre("a"));
}

TEST_F(PodHistoryTest, AStartOnAFullDiskServesAndTheNextOneAdoptsAgain) {
  EXPECT_THAT(WholeStart(), ElementsAre("a"));
  faults_.Arm({.ops = {FileOp::kWrite}, .persistent = true, .error = ENOSPC});
  EXPECT_THAT(WholeStart(), ElementsAre("a"));
  EXPECT_THAT(disk_.Lstat("/node/pods/.tenure"), StatusIs(absl::StatusCode::kNotFound));
  faults_.DisarmAll();
  EXPECT_THAT(WholeStart(), ElementsAre("a"));
}

TEST_F(PodHistoryTest, AfterADamagedFileWasSetAsideAKillDoesNotKeepThePodFromBeingAdopted) {
  EXPECT_THAT(WholeStart(), ElementsAre("a"));
  ASSERT_OK(AtomicWrite(disk_, random_, "/node/pods/a", "rubbish", 0600));
  const auto killed = Begin();
  ASSERT_OK(killed->history.Restore());
  EXPECT_THAT(killed->history.found(), Contains("pod a: corrupt, set aside"));
  EXPECT_THAT(WholeStart(), ElementsAre("a"));
}

TEST_F(PodHistoryTest, WhatIsLeftOverOnOurOwnNodeIsNotAdopted) {
  EXPECT_THAT(WholeStart(), ElementsAre("a"));
  ASSERT_OK(disk_.Unlink("/node/pods/a"));
  EXPECT_THAT(WholeStart(), SizeIs(0));
}

TEST_F(PodHistoryTest, AStartThatIsKilledOnceItsSocketIsThereIsNotTakenForAKubelets) {
  EXPECT_THAT(WholeStart(), ElementsAre("a"));
  ASSERT_OK(disk_.Unlink("/node/pods/a"));
  for (int kill = 0; kill < 2; ++kill) {
    const auto killed = Begin();
    ASSERT_OK(killed->history.Restore());
    MakeSocket();
  }
  EXPECT_THAT(WholeStart(), SizeIs(0));
}

TEST_F(PodHistoryTest, AfterAKubeletPodsAreAdoptedAndOurOwnHaveToBeAdmittedAgain) {
  ASSERT_OK(Begin()->store->Save({.pod = std::make_shared<const Pod>(PodWith("b", {})), .phase = PodPhase::kPrepared}));
  EXPECT_THAT(WholeStart(), ElementsAre("a", "b"));
  ASSERT_OK(disk_.Unlink("/node/pods/a"));
  MakeSocket();
  const auto start = Begin();
  ASSERT_OK(start->history.Restore());
  EXPECT_EQ(start->pods.Find("b")->phase, PodPhase::kRestored);
  ASSERT_OK(start->history.Adopt(node_.devices(), nullptr));
  EXPECT_NE(start->pods.Find("a"), nullptr);
}

TEST_F(PodHistoryTest, FilesThatAreNoPodsAreToldOf) {
  ASSERT_OK(AtomicWrite(disk_, random_, "/stray", "mine", 0600));
  const auto start = Begin();
  ASSERT_OK(disk_.Rename("/stray", "/node/pods/note~"));
  ASSERT_OK(start->history.Restore());
  EXPECT_EQ(start->log.Count("Files that are no pods' lie in the folder of pods"), 1);
}

}  // namespace
}  // namespace kubelet_cm
