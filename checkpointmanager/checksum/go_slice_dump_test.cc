#include "checkpointmanager/checksum/go_slice_dump.h"

#include <map>
#include <string>

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

std::string Text(const GoSlice<std::string>& slice) {
  return GoDumpText([&](GoDump& dump) { dump.Typed("[]string", slice); });
}

TEST(GoSliceDumpTest, NilAndEmptyDiffer) {
  GoSlice<std::string> slice;
  EXPECT_EQ(Text(slice), "([]string)<nil>");
  slice.Finish(0);
  EXPECT_EQ(Text(slice), "([]string)[]");
}

TEST(GoSliceDumpTest, ElementsInsideOfMapsHaveNoTypes) {
  std::map<std::string, GoSlice<std::string>> map;
  map["b"].Set({"x", "y"});
  map["a"].SetNil();
  EXPECT_EQ(GoDumpText([&](GoDump& dump) { dump.Typed("map[string][]string", map); }),
            "(map[string][]string)map[a:<nil> b:[x y]]");
}

TEST(GoSliceDumpTest, WhatLiesBehindTheEndIsNotPrinted) {
  GoSlice<std::string> slice;
  slice.Set({"x", "y"});
  slice.Finish(1);
  EXPECT_EQ(Text(slice), "([]string)[x]");
}

TEST(GoSliceDumpTest, ElementsAreGivenToTheCallersPrinter) {
  GoSlice<int> slice;
  const auto text = [&slice] {
    return GoDumpText(
        [&](GoDump& dump) { dump.Typed("[]x.Y", PrintedSlice(slice, [&](int number) { dump.Value(number + 1); })); });
  };
  EXPECT_EQ(text(), "([]x.Y)<nil>");
  slice.Set({1, 2});
  EXPECT_EQ(text(), "([]x.Y)[2 3]");
}

}  // namespace
}  // namespace kubelet_cm
