#include "kubelet_cm/claims/claim_folder.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/folderwatch/fake_folder_watches.h"
#include "common/log/awaiting_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

constexpr char kClaim[] = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\n";

class ClaimFolderTest : public testing::Test {
 protected:
  ClaimFolderTest() { EXPECT_OK(files_.MakeFolders("/claims", 0755)); }

  void Put(const std::string& name, const std::string& text) {
    ASSERT_OK_AND_ASSIGN(const auto file, files_.Open("/new", OpenMode::kCreate));
    ASSERT_OK(file->Write(text));
    ASSERT_OK(files_.Rename("/new", "/claims/" + name));
    watches_.Push({FolderEvent::Kind::kAppeared, "/claims/" + name});
  }

  void Start() {
    ASSERT_OK_AND_ASSIGN(claims_, ClaimFolder::New({threads_, faulty_, watches_, log_},
                                                   {.folder = "/claims", .settle = absl::ZeroDuration()}));
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  FakeFileSystem files_;
  FaultPlan faults_;
  FaultyFileSystem faulty_{files_, faults_};
  FakeFolderWatches watches_{threads_};
  AwaitingLogger log_;
  std::unique_ptr<ClaimFolder> claims_;
};

TEST_F(ClaimFolderTest, HasReadTheFolderWhenItIsThere) {
  Put("c.yaml", kClaim);
  Start();
  EXPECT_OK(claims_->Get("default", "c"));
  EXPECT_THAT(claims_->List(), SizeIs(1));
  EXPECT_THAT(claims_->Get("default", "d"),
              StatusIs(absl::StatusCode::kNotFound, "resourceclaims.resource.k8s.io \"d\" not found"));
}

TEST_F(ClaimFolderTest, AFolderThatCannotBeListedHoldsUpNobodyAndIsTriedAgain) {
  Put("c.yaml", kClaim);
  faults_.Arm({.ops = {FileOp::kList}, .error = EACCES});
  Start();
  EXPECT_THAT(claims_->Get("default", "c"), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("/claims")));
  EXPECT_THAT(claims_->Get("default", "d"), StatusIs(absl::StatusCode::kUnavailable));
  Put("d.yaml", "# nothing\n");
  ASSERT_OK(watches_.AwaitIdle());
  EXPECT_OK(claims_->Get("default", "c"));
  EXPECT_THAT(claims_->Get("default", "d"), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(ClaimFolderTest, FollowsTheFolder) {
  Start();
  EXPECT_THAT(claims_->Get("default", "c"), StatusIs(absl::StatusCode::kNotFound));
  Put("c.yaml", kClaim);
  ASSERT_OK(watches_.AwaitIdle());
  EXPECT_OK(claims_->Get("default", "c"));
  ASSERT_OK(files_.Unlink("/claims/c.yaml"));
  watches_.Push({FolderEvent::Kind::kVanished, "/claims/c.yaml"});
  ASSERT_OK(watches_.AwaitIdle());
  EXPECT_THAT(claims_->Get("default", "c"), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(ClaimFolderTest, LogsAndListsAFileThatIsBroken) {
  Start();
  Put("broken.yaml", "kind: Pod\n");
  ASSERT_TRUE(log_.AwaitLine("Could not use a manifest of claims"));
  ASSERT_THAT(claims_->Problems(), SizeIs(1));
  EXPECT_THAT(claims_->Problems()[0].error,
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("line 1, column 1: kind")));
}

}  // namespace
}  // namespace kubelet_cm
