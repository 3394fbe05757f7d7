#include "testing/scenarios/output_lines.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(OutputLinesTest, EachLineIsTakenOnceAndWhole) {
  OutputLines lines;
  lines.Add("on");
  EXPECT_THAT(lines.Take(), IsEmpty());
  lines.Add("e\ntwo\nth");
  EXPECT_THAT(lines.Take(), ElementsAre("one", "two"));
  lines.Add("ree\n");
  EXPECT_THAT(lines.Take(), ElementsAre("three"));
  EXPECT_THAT(lines.Take(), IsEmpty());
}

TEST(OutputLinesTest, WhatOneSaidLastComesBeforeTheNextOnesWords) {
  OutputLines lines;
  lines.Add("one\n");
  EXPECT_THAT(lines.Take(), ElementsAre("one"));
  lines.Add("two\nkilled while it sai");
  lines.EndLine();
  lines.Add("three\n");
  EXPECT_THAT(lines.Take(), ElementsAre("two", "killed while it sai", "three"));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
