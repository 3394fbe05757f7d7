#include "common/filesystem/fake_directory_log.h"

#include <memory>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

std::shared_ptr<FakeInode> NewFolder() {
  auto folder = std::make_shared<FakeInode>();
  folder->kind = FileKind::kFolder;
  return folder;
}

class FakeDirectoryLogTest : public ::testing::Test {
 protected:
  const std::shared_ptr<FakeInode> folder_ = NewFolder();
  const std::shared_ptr<FakeInode> other_ = NewFolder();
  const std::shared_ptr<FakeInode> file_ = std::make_shared<FakeInode>();
  FakeDirectoryLog log_;
};

TEST_F(FakeDirectoryLogTest, ChangesAreSeenAtOnceAndNotDurable) {
  log_.Apply({{folder_, "a", file_}});
  EXPECT_THAT(folder_->entries, ElementsAre(Pair("a", file_)));
  EXPECT_THAT(folder_->durable_entries, IsEmpty());
  EXPECT_THAT(log_.pending(), SizeIs(1));
}

TEST_F(FakeDirectoryLogTest, SyncOfTheFolderMakesItsChangesDurable) {
  log_.Apply({{folder_, "a", file_}});
  log_.Apply({{folder_, "b", file_}, {folder_, "a", nullptr}});
  log_.SyncFolder(*folder_);
  EXPECT_THAT(folder_->durable_entries, ElementsAre(Pair("b", file_)));
  EXPECT_THAT(log_.pending(), IsEmpty());
}

TEST_F(FakeDirectoryLogTest, SyncOfOneFolderLeavesTheOthersPending) {
  log_.Apply({{other_, "a", file_}, {folder_, "a", nullptr}});
  log_.SyncFolder(*folder_);
  EXPECT_THAT(other_->durable_entries, IsEmpty());
  EXPECT_THAT(log_.pending(), ElementsAre(SizeIs(1)));
}

TEST_F(FakeDirectoryLogTest, SyncAllLeavesNothingPending) {
  log_.Apply({{other_, "a", file_}});
  log_.Apply({{folder_, "a", file_}});
  log_.SyncAll();
  EXPECT_THAT(log_.pending(), IsEmpty());
  EXPECT_THAT(other_->durable_entries, SizeIs(1));
  EXPECT_THAT(folder_->durable_entries, SizeIs(1));
}

}  // namespace
}  // namespace kubelet_cm
