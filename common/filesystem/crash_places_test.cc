#include "common/filesystem/crash_places.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const auto kNoCalls = [](const FileOperation&) { return false; };

std::vector<std::string> NamesOf(const std::vector<CrashPlace>& places) {
  std::vector<std::string> names;
  for (const CrashPlace& place : places) names.push_back(place.name + (place.last_of_its_kind ? "" : " -"));
  return names;
}

TEST(CrashPlacesTest, BeforeAndAfterWhatChangesTheDiskAndInTheMiddleOfAWrite) {
  EXPECT_THAT(NamesOf(CrashPlaces({{FileOp::kOpen, "/a"}, {.op = FileOp::kWrite, .path = "/a", .bytes = 5}},
                                  {{.disk = 0}, {.disk = 1}}, 2, kNoCalls)),
              ElementsAre("before operation 1 (open /a)", "after operation 1 (open /a) -",
                          "before operation 2 (write /a)", "after 2 bytes of operation 2 (write /a)",
                          "after 4 bytes of operation 2 (write /a)", "after operation 2 (write /a)"));
}

TEST(CrashPlacesTest, WhatChangesNothingAddsNoPlace) {
  EXPECT_THAT(NamesOf(CrashPlaces({{FileOp::kStat, "/a"}, {FileOp::kSyncFolder, "/"}, {FileOp::kUnlink, "/a"}},
                                  {{.disk = 4}, {.disk = 4}, {.disk = 4}}, 2, kNoCalls)),
              ElementsAre("before operation 3 (unlink /a)", "after operation 3 (unlink /a)"));
}

TEST(CrashPlacesTest, WhatChangesElsewhereAfterAnOperationMakesItAPlaceOfItsOwn) {
  EXPECT_THAT(NamesOf(CrashPlaces({{FileOp::kStat, "/a"}, {FileOp::kUnlink, "/a"}}, {{.outside = 1}, {.outside = 2}}, 2,
                                  kNoCalls)),
              ElementsAre("before operation 1 (stat /a)", "after operation 1 (stat /a)",
                          "before operation 2 (unlink /a)", "after operation 2 (unlink /a)"));
}

TEST(CrashPlacesTest, TheEdgeOfACallIsAPlaceThoughTheDiskStays) {
  EXPECT_THAT(
      NamesOf(CrashPlaces({{FileOp::kStat, "/call"}, {FileOp::kStat, "/a"}, {FileOp::kUnlink, "/a"}}, {{}, {}, {}}, 2,
                          [](const FileOperation& operation) { return operation.path == "/call"; })),
      ElementsAre("before operation 1 (stat /call)", "after operation 1 (stat /call)", "before operation 3 (unlink /a)",
                  "after operation 3 (unlink /a)"));
}

TEST(CrashPlacesTest, NothingDoneIsNoPlace) { EXPECT_THAT(CrashPlaces({}, {}, 2, kNoCalls), IsEmpty()); }

}  // namespace
}  // namespace kubelet_cm
