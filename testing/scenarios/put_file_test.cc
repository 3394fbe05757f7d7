#include "testing/scenarios/put_file.h"

#include <unistd.h>

#include <string>

#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::scenarios {
namespace {

constexpr size_t kMost = 100;

// In a folder of the test's own, which is the working directory.
class PutFileTest : public testing::Test {
 protected:
  PutFileTest() : folder_(testing::TempDir() + "/" + testing::UnitTest::GetInstance()->current_test_info()->name()) {
    EXPECT_OK(files_.MakeFolders(folder_, 0750));
    EXPECT_EQ(chdir(folder_.c_str()), 0);
  }

  PosixFileSystem files_;
  const std::string folder_;
};

TEST_F(PutFileTest, ALoneNameIsAFileInTheWorkingDirectory) {
  ASSERT_OK(PutFile(files_, "page.html", "bytes"));
  EXPECT_THAT(ReadFile(files_, folder_ + "/page.html", kMost), IsOkAndHolds("bytes"));
}

TEST_F(PutFileTest, FoldersAreMade) {
  ASSERT_OK(PutFile(files_, "a/b/page.html", "bytes"));
  EXPECT_THAT(ReadFile(files_, folder_ + "/a/b/page.html", kMost), IsOkAndHolds("bytes"));
}

TEST_F(PutFileTest, WhatIsThereGivesWay) {
  ASSERT_OK(PutFile(files_, "page.html", "a long text"));
  ASSERT_OK(PutFile(files_, "page.html", "short"));
  EXPECT_THAT(ReadFile(files_, "page.html", kMost), IsOkAndHolds("short"));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
