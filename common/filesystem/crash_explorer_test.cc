#include "common/filesystem/crash_explorer.h"

#include <set>
#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

const auto kNoSetUp = [](FakeFileSystem&) {};
const auto kNoCheck = [](FakeFileSystem&, const std::string&) {};

void WriteInPlace(FileSystem& fs, const std::string& bytes) {
  const auto file = fs.Open("/a", OpenMode::kCreate);
  if (file.ok()) (*file)->Write(bytes).IgnoreError();
}

TEST(CrashExplorerTest, KillsBeforeAndAfterEveryOperationAndInEveryWrite) {
  std::vector<std::string> places;
  ASSERT_OK_AND_ASSIGN(const CrashCoverage coverage,
                       ExploreCrashes({.set_up = kNoSetUp,
                                       .run = [](FileSystem& fs) { WriteInPlace(fs, "abcde"); },
                                       .check =
                                           [&](FakeFileSystem&, const std::string& where) {
                                             if (where.starts_with("kill ")) places.push_back(where.substr(5));
                                           }},
                                      {.block = 2}));
  EXPECT_THAT(places,
              ElementsAre("before operation 1 (open /a)", "after operation 1 (open /a)",
                          "before operation 2 (write /a)", "after 2 bytes of operation 2 (write /a)",
                          "after 4 bytes of operation 2 (write /a)", "after operation 2 (write /a)", "at the end"));
  EXPECT_EQ(coverage.operations, 2u);
  EXPECT_EQ(coverage.places, places.size());
}

TEST(CrashExplorerTest, AKillKeepsWhatThePowerCutMayLose) {
  std::set<std::string> after_kill;
  std::set<std::string> after_power_cut;
  ASSERT_OK(
      ExploreCrashes({.set_up = [](FakeFileSystem& disk) { ASSERT_OK(disk.Open("/a", OpenMode::kCreate).status()); },
                      .run = [](FileSystem& fs) { WriteInPlace(fs, "abc"); },
                      .check =
                          [&](FakeFileSystem& left, const std::string& where) {
                            const uint64_t size = left.Stat("/a")->size;
                            (where.starts_with("kill") ? after_kill : after_power_cut)
                                .insert(where.substr(where.find(' ')) + ": " + std::to_string(size));
                          }})
          .status());
  EXPECT_TRUE(after_kill.contains(" at the end: 3"));
  EXPECT_FALSE(after_kill.contains(" at the end: 0"));
  EXPECT_TRUE(after_power_cut.contains(" cut at the end: 0"));
  EXPECT_TRUE(after_power_cut.contains(" cut at the end: 3"));
}

TEST(CrashExplorerTest, WhatWasSetUpIsDurable) {
  std::set<bool> is_there;
  ASSERT_OK(ExploreCrashes(
                {.set_up = [](FakeFileSystem& disk) { ASSERT_OK(disk.MakeFolders("/state", 0755)); },
                 .run = [](FileSystem&) {},
                 .check = [&](FakeFileSystem& left, const std::string&) { is_there.insert(left.Stat("/state").ok()); }})
                .status());
  EXPECT_THAT(is_there, UnorderedElementsAre(true));
}

TEST(CrashExplorerTest, ARestartMayHaveReadWhatAPowerCutThenLoses) {
  std::set<bool> survived;
  bool was_read = false;
  ASSERT_OK_AND_ASSIGN(const CrashCoverage coverage,
                       ExploreCrashes({.set_up = [&](FakeFileSystem&) { was_read = false; },
                                       .run = [](FileSystem& fs) { (void)fs.Open("/a", OpenMode::kCreate); },
                                       .check =
                                           [&](FakeFileSystem& left, const std::string& where) {
                                             if (was_read && where.ends_with(", restart, power cut"))
                                               survived.insert(left.Stat("/a").ok());
                                           },
                                       .restart = [&](FileSystem& fs) { was_read = fs.Stat("/a").ok(); }}));
  EXPECT_THAT(survived, UnorderedElementsAre(false, true));
  EXPECT_EQ(coverage.restarts, coverage.places);
}

TEST(CrashExplorerTest, TooManyImagesAreAnError) {
  EXPECT_THAT(
      ExploreCrashes({.set_up = kNoSetUp, .run = [](FileSystem& fs) { WriteInPlace(fs, "abc"); }, .check = kNoCheck},
                     {.max_images = 2}),
      StatusIs(absl::StatusCode::kResourceExhausted));
}

}  // namespace
}  // namespace kubelet_cm
