#include "testing/scenarios/daemon_log.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(DaemonLogTest, EachLineIsTakenOnceAndWhole) {
  DaemonLog log;
  EXPECT_THAT(log.Take("on"), IsEmpty());
  EXPECT_THAT(log.Take("one\ntwo\nth"), ElementsAre("one", "two"));
  EXPECT_THAT(log.Take("one\ntwo\nthree\n"), ElementsAre("three"));
  EXPECT_THAT(log.Take("one\ntwo\nthree\n"), IsEmpty());
}

TEST(DaemonLogTest, WhatOneSaidLastComesBeforeTheNextOnesWords) {
  DaemonLog log;
  EXPECT_THAT(log.Take("one\n"), ElementsAre("one"));
  log.Next("one\ntwo\nkilled while it sai");
  EXPECT_THAT(log.Take("three\n"), ElementsAre("two", "killed while it sai", "three"));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
