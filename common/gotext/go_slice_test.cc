#include "common/gotext/go_slice.h"

#include <initializer_list>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;

// A list in which an empty text stands for null, which leaves the element as it is.
void Decode(std::initializer_list<std::string> list, GoSlice<std::string>* slice) {
  size_t i = 0;
  for (const std::string& text : list) {
    std::string& element = slice->Grow(i++);
    if (!text.empty()) element = text;
  }
  slice->Finish(i);
}

TEST(GoSliceTest, StartsNil) {
  GoSlice<std::string> slice;
  EXPECT_TRUE(slice.is_nil());
  EXPECT_TRUE(slice.empty());
}

TEST(GoSliceTest, EmptyListIsNotNil) {
  GoSlice<std::string> slice;
  Decode({}, &slice);
  EXPECT_FALSE(slice.is_nil());
  EXPECT_EQ(slice.size(), 0u);
}

TEST(GoSliceTest, SecondListIsDecodedOverTheFirst) {
  GoSlice<std::string> slice;
  Decode({"a", "b", "c"}, &slice);
  Decode({"", "x"}, &slice);
  EXPECT_THAT(slice, ElementsAre("a", "x"));
}

TEST(GoSliceTest, WhatAShorterListHidComesBack) {
  GoSlice<std::string> slice;
  Decode({"a", "b", "c"}, &slice);
  Decode({"x"}, &slice);
  Decode({"", "", "", ""}, &slice);
  EXPECT_THAT(slice, ElementsAre("x", "b", "c", ""));
}

TEST(GoSliceTest, EmptyListAndNilForgetTheOldElements) {
  GoSlice<std::string> slice;
  Decode({"a", "b"}, &slice);
  Decode({}, &slice);
  Decode({""}, &slice);
  EXPECT_THAT(slice, ElementsAre(""));
  Decode({"a", "b"}, &slice);
  slice.SetNil();
  EXPECT_TRUE(slice.is_nil());
  Decode({"", ""}, &slice);
  EXPECT_THAT(slice, ElementsAre("", ""));
}

TEST(GoSliceTest, TakeLeavesHiddenElementsOut) {
  GoBytes bytes;
  bytes.Set("abc");
  bytes.Grow(0) = 'x';
  bytes.Finish(1);
  EXPECT_EQ(std::move(bytes).Take(), "x");
}

TEST(GoSliceTest, EqualIsWhatLooksEqual) {
  GoSlice<int> empty;
  empty.Finish(0);
  EXPECT_FALSE(GoSlice<int>() == empty);
  GoSlice<int> shortened;
  shortened.Set({1, 2});
  shortened.Finish(1);
  GoSlice<int> one;
  one.Set({1});
  EXPECT_TRUE(shortened == one);
  one.Set({2});
  EXPECT_FALSE(shortened == one);
}

}  // namespace
}  // namespace kubelet_cm
