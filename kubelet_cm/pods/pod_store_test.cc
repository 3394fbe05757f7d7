#include "kubelet_cm/pods/pod_store.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/clock/fake_clock.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/crash_explorer.h"
#include "common/filesystem/fake_file_system.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kFolder[] = "/var/lib/kubelet/kubelet_cm/pods";

PodRecord RecordOf(const std::string& uid) {
  return {.pod = std::make_shared<const Pod>(Pod{.uid = uid, .namespace_name = "default", .name = "pod-" + uid}),
          .phase = PodPhase::kAdmitted};
}

class PodStoreTest : public ::testing::Test {
 protected:
  std::unique_ptr<PodStore> Open(RecoverPolicy recover = RecoverPolicy::kQuarantine) {
    auto store = PodStore::New(files_, random_, {.folder = kFolder, .boot_id = "boot", .recover = recover});
    EXPECT_OK(store);
    return *std::move(store);
  }
  void WriteFile(const std::string& name, const std::string& bytes) {
    auto file = files_.Open(std::string(kFolder) + "/" + name, OpenMode::kCreate);
    ASSERT_OK(file);
    ASSERT_OK((*file)->Write(bytes));
    ASSERT_OK((*file)->Close());
  }

  FakeFileSystem files_;
  SeededRandom random_{1};
  FakeClock clock_;
  RealClock real_clock_;
  RealThreads threads_{real_clock_};
};

TEST_F(PodStoreTest, PodsAreThereAfterARestart) {
  auto store = Open();
  ASSERT_OK(store->Save(RecordOf("a")));
  ASSERT_OK(store->Save(RecordOf("b")));
  ASSERT_OK(store->Remove("a"));
  ASSERT_OK_AND_ASSIGN(const PodStore::Loaded loaded, Open()->Load(threads_));
  ASSERT_THAT(loaded.records, SizeIs(1));
  EXPECT_EQ(loaded.records[0].record.pod->name, "pod-b");
  EXPECT_EQ(loaded.records[0].boot_id, "boot");
}

// Whoever starts again answers for the pods that it reads, as for those that it has saved itself.
TEST_F(PodStoreTest, NoPodThatWasAnsweredForIsLostOverAKillARestartAndAPowerCut) {
  bool answered = false;
  const auto start = [&](FileSystem& files) {
    return PodStore::New(files, random_, {.folder = kFolder, .boot_id = "boot"});
  };
  const auto is_there = [&](FileSystem& files) {
    const auto store = start(files);
    return store.ok() && !(*store)->Load(threads_)->records.empty();
  };
  ASSERT_OK_AND_ASSIGN(
      const CrashCoverage coverage,
      ExploreCrashes({.set_up = [&](FakeFileSystem&) { answered = false; },
                      .run =
                          [&](FileSystem& files) {
                            const auto store = start(files);
                            answered = store.ok() && (*store)->Save(RecordOf("a")).ok();
                          },
                      .check = [&](FakeFileSystem& left,
                                   const std::string& where) { EXPECT_TRUE(!answered || is_there(left)) << where; },
                      .restart = [&](FileSystem& files) { answered = is_there(files); }}));
  EXPECT_THAT(coverage.restarts, Ge(coverage.places / 2));  // of two places with the same disk, one
}

// So many that several threads read them.
TEST_F(PodStoreTest, ThousandsOfPodsComeBackByUidWithTheDamagedOneTold) {
  const auto store = Open();
  std::vector<std::string> uids;
  for (int i = 1000; i < 3000; ++i) uids.push_back(absl::StrCat("uid-", i));
  for (const std::string& uid : uids) ASSERT_OK(store->Save(RecordOf(uid)));
  WriteFile("uid-9999", "rubbish");
  ASSERT_OK_AND_ASSIGN(const PodStore::Loaded loaded, Open()->Load(threads_));
  ASSERT_THAT(loaded.damaged, SizeIs(1));
  EXPECT_EQ(loaded.damaged[0].file, "uid-9999");
  ASSERT_THAT(loaded.records, SizeIs(uids.size()));
  for (size_t i = 0; i < uids.size(); ++i) EXPECT_EQ(loaded.records[i].record.pod->uid, uids[i]);
}

TEST_F(PodStoreTest, RemovingWhatIsNotThereIsNoError) { EXPECT_OK(Open()->Remove("a")); }

TEST_F(PodStoreTest, AUidThatIsAPathIsRefused) {
  EXPECT_THAT(Open()->Save(RecordOf("../a")), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(PodStoreTest, ADamagedFileIsToldOfUntilItIsSetAsideAndTheOthersAreRead) {
  auto store = Open();
  ASSERT_OK(store->Save(RecordOf("good")));
  WriteFile("bad", "rubbish");
  ASSERT_OK_AND_ASSIGN(const PodStore::Loaded loaded, Open()->Load(threads_));
  EXPECT_THAT(loaded.records, SizeIs(1));
  ASSERT_THAT(loaded.damaged, SizeIs(1));
  EXPECT_EQ(loaded.damaged[0].file, "bad");
  EXPECT_THAT(*files_.List(kFolder), ElementsAre("bad", "good"));
  ASSERT_OK_AND_ASSIGN(const std::string set_aside_as, Open()->SetAside("bad", clock_.WallNow()));
  EXPECT_THAT(*files_.List(kFolder), ElementsAre(set_aside_as, "good"));
  EXPECT_THAT(Open()->Load(threads_)->damaged, IsEmpty());
}

TEST_F(PodStoreTest, NamesThatNoStoreMadeAreLeftAlone) {
  ASSERT_OK(Open()->Save(RecordOf("good")));
  WriteFile("good~", "an editor's");
  WriteFile("note.txt", "somebody's");
  ASSERT_OK(files_.MakeFolders(std::string(kFolder) + "/folder", 0750));
  ASSERT_OK_AND_ASSIGN(const PodStore::Loaded loaded, Open(RecoverPolicy::kStrict)->Load(threads_));
  EXPECT_THAT(loaded.records, SizeIs(1));
  EXPECT_THAT(loaded.damaged, IsEmpty());
  EXPECT_THAT(loaded.strays, ElementsAre("folder", "good~", "note.txt"));
  EXPECT_THAT(*files_.List(kFolder), ElementsAre("folder", "good", "good~", "note.txt"));
}

TEST_F(PodStoreTest, AFileUnderTheNameOfAnotherPodIsDamaged) {
  ASSERT_OK(Open()->Save(RecordOf("a")));
  ASSERT_OK(files_.Rename(std::string(kFolder) + "/a", std::string(kFolder) + "/b"));
  ASSERT_OK_AND_ASSIGN(const PodStore::Loaded loaded, Open()->Load(threads_));
  EXPECT_THAT(loaded.records, IsEmpty());
  EXPECT_THAT(loaded.damaged, SizeIs(1));
}

TEST_F(PodStoreTest, StrictRefusesADamagedFileAndChangesNothing) {
  Open();
  WriteFile("bad", "rubbish");
  EXPECT_THAT(Open(RecoverPolicy::kStrict)->Load(threads_), StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(*files_.List(kFolder), ElementsAre("bad"));
}

TEST_F(PodStoreTest, LeftoversOfAKilledWriterAreSwept) {
  Open();
  WriteFile(".123", "half");
  ASSERT_OK_AND_ASSIGN(const PodStore::Loaded loaded, Open()->Load(threads_));
  EXPECT_THAT(loaded.damaged, IsEmpty());
  EXPECT_THAT(*files_.List(kFolder), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm
