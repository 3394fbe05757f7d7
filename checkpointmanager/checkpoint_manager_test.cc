#include "checkpointmanager/checkpoint_manager.h"

#include <cerrno>

#include "checkpointmanager/checkpoint_error.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kFolder[] = "/var/lib/kubelet/device-plugins";

// A checkpoint that says how often it was verified, and refuses the text "bad".
class TextCheckpoint : public Checkpoint {
 public:
  explicit TextCheckpoint(std::string text = "") : text_(std::move(text)) {}
  absl::StatusOr<std::string> Marshal() const override {
    if (text_ == "unmarshallable") return absl::InvalidArgumentError("cannot marshal");
    return text_;
  }
  absl::Status Unmarshal(std::string_view bytes) override {
    text_ = std::string(bytes);
    return text_ == "no json" ? absl::InvalidArgumentError("unexpected end of JSON input") : absl::OkStatus();
  }
  absl::Status Verify() const override {
    return text_ == "bad" ? CorruptCheckpointError({.expected = 1, .actual = 2}) : absl::OkStatus();
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class CheckpointManagerTest : public ::testing::Test {
 protected:
  CheckpointManager& Manager() {
    if (manager_ == nullptr) manager_ = *CheckpointManager::New(faulty_, random_, kFolder);
    return *manager_;
  }

  FakeFileSystem disk_;
  FaultPlan plan_;
  FaultyFileSystem faulty_{disk_, plan_};
  SeededRandom random_{1};
  std::unique_ptr<CheckpointManager> manager_;
};

TEST_F(CheckpointManagerTest, MakesItsFolder) {
  Manager();
  ASSERT_OK_AND_ASSIGN(const FileStat stat, disk_.Stat(kFolder));
  EXPECT_EQ(stat.kind, FileKind::kFolder);
  EXPECT_EQ(stat.mode, 0755u);
}

TEST_F(CheckpointManagerTest, RefusesAnEmptyFolderName) {
  EXPECT_FALSE(CheckpointManager::New(disk_, random_, "").ok());
}

TEST_F(CheckpointManagerTest, ReadsBackWhatItCreated) {
  ASSERT_OK(Manager().Create("state", TextCheckpoint("one")));
  ASSERT_OK(Manager().Create("state", TextCheckpoint("two")));
  TextCheckpoint read;
  EXPECT_OK(Manager().Get("state", read));
  EXPECT_EQ(read.text(), "two");
}

TEST_F(CheckpointManagerTest, FilesBelongToTheirOwnerAlone) {
  ASSERT_OK(Manager().Create("state", TextCheckpoint("one")));
  ASSERT_OK_AND_ASSIGN(const FileStat stat, disk_.Stat(std::string(kFolder) + "/state"));
  EXPECT_EQ(stat.mode, 0600u);
}

TEST_F(CheckpointManagerTest, AMissingCheckpointIsNotFound) {
  TextCheckpoint read;
  EXPECT_THAT(Manager().Get("state", read), StatusIs(absl::StatusCode::kNotFound, "checkpoint is not found"));
}

TEST_F(CheckpointManagerTest, VerifiesOnlyWhatCouldBeUnmarshalled) {
  ASSERT_OK(Manager().Write("state", "bad"));
  ASSERT_OK(Manager().Write("other", "no json"));
  TextCheckpoint read;
  const absl::Status corrupt = Manager().Get("state", read);
  EXPECT_THAT(corrupt, StatusIs(absl::StatusCode::kDataLoss, "checkpoint is corrupted"));
  EXPECT_EQ(MismatchOf(corrupt), (ChecksumMismatch{.expected = 1, .actual = 2}));
  EXPECT_THAT(Manager().Get("other", read),
              StatusIs(absl::StatusCode::kInvalidArgument, "unexpected end of JSON input"));
}

TEST_F(CheckpointManagerTest, WhatCannotBeMarshalledChangesNothing) {
  ASSERT_OK(Manager().Write("state", "one"));
  EXPECT_THAT(Manager().Create("state", TextCheckpoint("unmarshallable")),
              StatusIs(absl::StatusCode::kInvalidArgument, "cannot marshal"));
  EXPECT_THAT(Manager().Read("state"), IsOkAndHolds("one"));
}

TEST_F(CheckpointManagerTest, RefusesBadKeysBeforeTouchingTheDisk) {
  Manager();
  const size_t before = plan_.operations();
  TextCheckpoint read;
  EXPECT_THAT(Manager().Create("../x", read), StatusIs(absl::StatusCode::kInvalidArgument, "invalid key: \"../x\""));
  EXPECT_THAT(Manager().Get("a/b", read), StatusIs(absl::StatusCode::kInvalidArgument, "invalid key: \"a/b\""));
  EXPECT_THAT(Manager().Remove(""), StatusIs(absl::StatusCode::kInvalidArgument, "invalid key: \"\""));
  EXPECT_EQ(plan_.operations(), before);
}

TEST_F(CheckpointManagerTest, RemovesAndForgivesWhatIsNotThere) {
  ASSERT_OK(Manager().Write("state", "one"));
  EXPECT_OK(Manager().Remove("state"));
  EXPECT_OK(Manager().Remove("state"));
  EXPECT_THAT(Manager().Read("state"), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(CheckpointManagerTest, ListsAllButHiddenNames) {
  ASSERT_OK(Manager().Write("b", ""));
  ASSERT_OK(Manager().Write("a", ""));
  ASSERT_OK(disk_.AddSocket(std::string(kFolder) + "/kubelet.sock"));
  ASSERT_OK(disk_.MakeFolders(std::string(kFolder) + "/folder", 0755));
  ASSERT_OK(disk_.AddSocket(std::string(kFolder) + "/.123"));
  EXPECT_THAT(Manager().List(), IsOkAndHolds(ElementsAre("a", "b", "folder", "kubelet.sock")));
}

TEST_F(CheckpointManagerTest, SaysThatListingFailed) {
  Manager();
  plan_.Arm({.ops = {FileOp::kList}, .error = EIO});
  EXPECT_THAT(Manager().List().status(),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("failed to list checkpoint store: ")));
}

TEST_F(CheckpointManagerTest, MakesAFolderThatWasRemovedMeanwhile) {
  Manager();
  ASSERT_OK(disk_.EraseTree(kFolder));
  ASSERT_OK(Manager().Write("state", "one"));
  EXPECT_THAT(Manager().Read("state"), IsOkAndHolds("one"));
}

TEST_F(CheckpointManagerTest, AFolderThatWasMadeAgainSurvivesAPowerCutEvenIfThatFailedAtFirst) {
  Manager();
  ASSERT_OK(disk_.EraseTree("/var/lib"));
  plan_.Arm({.ops = {FileOp::kSyncFolder}, .path_pattern = "^/var$", .error = EIO});
  EXPECT_FALSE(Manager().Write("state", "one").ok());
  ASSERT_OK(Manager().Write("state", "one"));
  disk_.CutPower({}, [](size_t) { return 0; });  // all that is not durable is lost
  EXPECT_THAT(Manager().Read("state"), IsOkAndHolds("one"));
}

TEST_F(CheckpointManagerTest, WhatIsReadAfterAKillSurvivesAPowerCut) {
  ASSERT_OK(Manager().Write("state", "one"));
  plan_.Arm({.ops = {FileOp::kSyncFolder}, .effect = FaultEffect::kStopBefore});
  EXPECT_FALSE(Manager().Write("state", "two").ok());
  disk_.KillProcess();
  ASSERT_OK_AND_ASSIGN(const auto next, CheckpointManager::New(disk_, random_, kFolder));
  EXPECT_THAT(next->Read("state"), IsOkAndHolds("two"));
  disk_.CutPower({}, [](size_t) { return 0; });
  EXPECT_THAT(next->Read("state"), IsOkAndHolds("two"));
}

TEST_F(CheckpointManagerTest, ARemovalThatFailedToBecomeDurableIsDurableWhenItSucceeds) {
  ASSERT_OK(Manager().Write("state", "one"));
  plan_.Arm({.ops = {FileOp::kSyncFolder}, .error = EIO});
  EXPECT_FALSE(Manager().Remove("state").ok());
  ASSERT_OK(Manager().Remove("state"));
  disk_.CutPower({}, [](size_t) { return 0; });
  EXPECT_THAT(Manager().Read("state"), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(CheckpointManagerTest, NothingIsWrittenThatWouldNotBeReadAgain) {
  ASSERT_OK(Manager().Write("state", "one"));
  const std::string bytes(kMaxCheckpointBytes + 1, 'x');
  EXPECT_THAT(Manager().Write("state", bytes),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("more than 268435456")));
  EXPECT_THAT(Manager().Read("state"), IsOkAndHolds("one"));
}

TEST_F(CheckpointManagerTest, PassesWriteErrorsOnAndKeepsTheOldFile) {
  ASSERT_OK(Manager().Write("state", "one"));
  plan_.Arm({.ops = {FileOp::kWrite}, .error = ENOSPC});
  EXPECT_THAT(Manager().Write("state", "two"), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(Manager().Read("state"), IsOkAndHolds("one"));
}

TEST_F(CheckpointManagerTest, AReplacedFileIsTheOneOfItsKey) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ReplacedFile> file, Manager().Replaced("state"));
  EXPECT_OK(Manager().Write(*file, "one"));
  EXPECT_THAT(Manager().Read("state"), IsOkAndHolds("one"));
  EXPECT_OK(Manager().Write("state", "two"));
  EXPECT_OK(Manager().Write(*file, "three"));
  EXPECT_THAT(Manager().Read("state"), IsOkAndHolds("three"));
  EXPECT_FALSE(Manager().Replaced("a/b").ok());
}

}  // namespace
}  // namespace kubelet_cm
