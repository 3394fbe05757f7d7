// Golden files are read in the tests of the state files.
#include "testing/harness/file_damage.h"

#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::harness {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(FileDamageTest, EveryTruncationAndEveryRemovedByteIsLookedAt) {
  std::vector<std::string> seen;
  const auto look = [&](const std::string& bytes) { seen.push_back(bytes); };
  WithEachTruncation("abc", look);
  WithEachRemovedByte("abc", look);
  EXPECT_THAT(seen, ElementsAre("", "a", "ab", "bc", "ac", "ab"));
}

TEST(FileDamageTest, EveryBitIsFlippedAlone) {
  std::set<std::string> seen;
  WithEachFlippedBit("ab", [&](const std::string& bytes) { seen.insert(bytes); });
  EXPECT_THAT(seen, SizeIs(16));
  EXPECT_TRUE(seen.contains("`b") && seen.contains("a\xe2"));
}

}  // namespace
}  // namespace kubelet_cm::harness
