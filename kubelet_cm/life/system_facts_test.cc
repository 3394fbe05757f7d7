#include "kubelet_cm/life/system_facts.h"

#include <string>

#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/path.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::life {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

class SystemFactsTest : public ::testing::Test {
 protected:
  void Write(const std::string& path, const std::string& text) {
    ASSERT_OK(files_.MakeFolders(FolderOf(path), 0755));
    const auto file = files_.Open(path, OpenMode::kCreate);
    ASSERT_OK(file.status());
    ASSERT_OK((*file)->Write(text));
  }

  FakeFileSystem files_;
};

TEST(ParseNodeListTest, ReadsTheKernelsLists) {
  EXPECT_THAT(ParseNodeList("0").value(), ElementsAre(0));
  EXPECT_THAT(ParseNodeList("0-2,5").value(), ElementsAre(0, 1, 2, 5));
  EXPECT_THAT(ParseNodeList("3,1-3").value(), ElementsAre(1, 2, 3));
  EXPECT_EQ(ParseNodeList("0-63").value().size(), 64u);
}

TEST(ParseNodeListTest, WhatIsNoListIsRefused) {
  for (const char* text : {"", "a", "1-", "-1", "2-1", "0-64", "0-1-2", "0,,1", "99999999999"}) {
    EXPECT_THAT(ParseNodeList(text), StatusIs(kInvalid)) << text;
  }
}

TEST_F(SystemFactsTest, NodesAreThoseOnline) {
  Write("/sys/devices/system/node/online", "0-1\n");
  EXPECT_THAT(ReadNumaNodes(files_).value(), ElementsAre(0, 1));
}

TEST_F(SystemFactsTest, ASystemThatShowsNoNodesHasOne) { EXPECT_THAT(ReadNumaNodes(files_).value(), ElementsAre(0)); }

TEST_F(SystemFactsTest, DistancesAreReadForEachNode) {
  Write("/sys/devices/system/node/node0/distance", "10 21\n");
  Write("/sys/devices/system/node/node1/distance", "21 10\n");
  EXPECT_THAT(ReadNumaDistances(files_, {0, 1, 2}).value(),
              ElementsAre(Pair(0, ElementsAre(10, 21)), Pair(1, ElementsAre(21, 10))));
  Write("/sys/devices/system/node/node2/distance", "far\n");
  EXPECT_THAT(ReadNumaDistances(files_, {2}), StatusIs(kInvalid, HasSubstr("node2/distance")));
}

TEST_F(SystemFactsTest, TheBootIdIsTheTextOfItsFile) {
  Write("/boot_id", "0f3c\n");
  EXPECT_THAT(ReadBootId(files_, "/boot_id"), IsOkAndHolds("0f3c"));
  Write("/empty", "\n");
  EXPECT_THAT(ReadBootId(files_, "/empty"), StatusIs(kInvalid, "/empty: empty"));
  EXPECT_THAT(ReadBootId(files_, "/none"), StatusIs(absl::StatusCode::kNotFound));
}

TEST(SystemFactsOfThisMachineTest, AreThere) {
  PosixFileSystem files;
  EXPECT_OK(ReadNumaNodes(files).status());
  EXPECT_EQ(ReadBootId(files, "/proc/sys/kernel/random/boot_id").value().size(), 36u);
  EXPECT_FALSE(HostName().empty());
}

}  // namespace
}  // namespace kubelet_cm::life
