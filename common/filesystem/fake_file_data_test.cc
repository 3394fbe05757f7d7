#include "common/filesystem/fake_file_data.h"

#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

std::set<std::string> Outcomes(const FakeFileData& data, size_t block) {
  std::set<std::string> outcomes;
  for (size_t i = 0; i < data.CountOutcomes(block); ++i) outcomes.insert(data.Outcome(i, block));
  return outcomes;
}

TEST(FakeFileDataTest, WritesOverwriteAndExtend) {
  FakeFileData data("abcdef");
  data.Write(4, "XYZ");
  EXPECT_EQ(data.current(), "abcdXYZ");
}

TEST(FakeFileDataTest, WriteBehindTheEndLeavesZeros) {
  FakeFileData data;
  data.Write(2, "x");
  EXPECT_EQ(data.current(), std::string("\0\0x", 3));
}

TEST(FakeFileDataTest, SyncedBytesAreTheOnlyOutcome) {
  FakeFileData data;
  data.Write(0, "abc");
  data.Sync();
  EXPECT_THAT(Outcomes(data, 1), ElementsAre("abc"));
}

TEST(FakeFileDataTest, UnsyncedBytesAreLostKeptTornOrZero) {
  FakeFileData data;
  data.Write(0, "abcde");
  EXPECT_THAT(Outcomes(data, 2), UnorderedElementsAre("", "ab", "abcd", "abcde", std::string(5, '\0')));
}

TEST(FakeFileDataTest, LaterWritesArriveOnlyAfterEarlierOnes) {
  FakeFileData data("....");
  data.Write(2, "cd");
  data.Write(0, "ab");
  EXPECT_THAT(Outcomes(data, 1), UnorderedElementsAre("....", "..c.", "..cd", "a.cd", "abcd"));
}

TEST(FakeFileDataTest, AChangeOfTheLengthIsLostOrKept) {
  FakeFileData data("abcd");
  data.Write(3, "D");
  data.Resize(2);
  data.Write(0, "A");
  EXPECT_EQ(data.current(), "Ab");
  EXPECT_THAT(Outcomes(data, 1), UnorderedElementsAre("abcd", "abcD", "ab", "Ab"));
  data.Sync();
  data.Resize(3);
  EXPECT_THAT(Outcomes(data, 1), UnorderedElementsAre("Ab", std::string("Ab\0", 3)));
}

TEST(FakeFileDataTest, FirstOutcomeIsTheDurableOne) {
  FakeFileData data("old");
  data.Write(0, "new");
  EXPECT_EQ(data.Outcome(0, 64), "old");
}

}  // namespace
}  // namespace kubelet_cm
