#include "tools/bench/allocation_counter.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(AllocationCounterTest, CountsWhatTheBodyAllocates) {
  std::string text;
  const Allocations allocations = CountAllocations([&] { text.reserve(1000); });
  EXPECT_EQ(allocations.count, 1);
  EXPECT_EQ(allocations.bytes, 1001);
}

TEST(AllocationCounterTest, CountsNothingForNothing) {
  const Allocations allocations = CountAllocations([] {});
  EXPECT_EQ(allocations.count, 0);
  EXPECT_EQ(allocations.bytes, 0);
}

}  // namespace
}  // namespace kubelet_cm
