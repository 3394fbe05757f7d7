#include "common/unixsocket/listening_folder.h"

#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "common/unixsocket/short_temp_dir.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::HasSubstr;

TEST(ListeningFolderTest, PathLeadsIntoTheFolder) {
  const ShortTempDir dir;
  std::filesystem::create_directory(dir.File("inner"));
  ASSERT_OK_AND_ASSIGN(const auto folder, ListeningFolder::Open(dir.path()));
  EXPECT_TRUE(std::filesystem::equivalent(folder->PathOf("inner"), dir.File("inner")));
}

TEST(ListeningFolderTest, PathLeadsNowhereOnceTakenBack) {
  const ShortTempDir dir;
  std::filesystem::create_directory(dir.File("inner"));
  ASSERT_OK_AND_ASSIGN(const auto folder, ListeningFolder::Open(dir.path()));
  folder->TakeBack();
  ASSERT_OK_AND_ASSIGN(const auto successor, ListeningFolder::Open(dir.path()));
  EXPECT_FALSE(std::filesystem::exists(folder->PathOf("inner")));
  EXPECT_TRUE(std::filesystem::exists(successor->PathOf("inner")));
}

TEST(ListeningFolderTest, MissingFolderIsAnError) {
  const ShortTempDir dir;
  EXPECT_THAT(ListeningFolder::Open(dir.File("gone")), StatusIs(absl::StatusCode::kNotFound, HasSubstr("gone")));
}

}  // namespace
}  // namespace kubelet_cm
