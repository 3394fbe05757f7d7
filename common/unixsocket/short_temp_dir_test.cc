#include "common/unixsocket/short_temp_dir.h"

#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::StartsWith;

TEST(ShortTempDirTest, IsThereForItsOwnerOnly) {
  const ShortTempDir dir;
  EXPECT_EQ(std::filesystem::status(dir.path()).permissions(), std::filesystem::perms::owner_all);
}

TEST(ShortTempDirTest, PathIsShort) {
  const ShortTempDir dir;
  EXPECT_LE(dir.path().size(), 20u);
  EXPECT_THAT(dir.File("x"), StartsWith(dir.path()));
}

TEST(ShortTempDirTest, GoesWithWhatIsInIt) {
  std::string path;
  {
    const ShortTempDir dir;
    path = dir.path();
    std::filesystem::create_directories(dir.File("a/b"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ShortTempDirTest, TwoAreApart) {
  const ShortTempDir first;
  const ShortTempDir second;
  EXPECT_NE(first.path(), second.path());
}

}  // namespace
}  // namespace kubelet_cm
