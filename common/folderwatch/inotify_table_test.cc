#include "common/folderwatch/inotify_table.h"

#include <sys/inotify.h>

#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = FolderEvent::Kind;

// An event as the kernel writes it: the name padded with NULs.
std::string EventBytes(int watch, uint32_t mask, const std::string& name = "") {
  inotify_event event = {};
  event.wd = watch;
  event.mask = mask;
  event.len = name.empty() ? 0 : static_cast<uint32_t>((name.size() / 16 + 1) * 16);
  std::string bytes(reinterpret_cast<const char*>(&event), sizeof(event));
  return bytes + name + std::string(event.len - name.size(), '\0');
}

TEST(InotifyTableTest, NamesAreThoseOfTheFolderThatWasAdded) {
  InotifyTable table;
  table.Added(1, "/a");
  table.Added(2, "/b/");
  const auto heard =
      table.Translate(EventBytes(2, IN_CREATE, "x") + EventBytes(1, IN_MOVED_TO, "y") + EventBytes(1, IN_DELETE, "x") +
                      EventBytes(1, IN_MOVED_FROM | IN_ISDIR, "d") + EventBytes(1, IN_CLOSE_WRITE, "f"));
  EXPECT_THAT(heard.events, ElementsAre(FolderEvent{Kind::kAppeared, "/b/x"}, FolderEvent{Kind::kAppeared, "/a/y"},
                                        FolderEvent{Kind::kVanished, "/a/x"}, FolderEvent{Kind::kVanished, "/a/d"},
                                        FolderEvent{Kind::kWritten, "/a/f"}));
}

TEST(InotifyTableTest, AFullQueueIsToldAsLoss) {
  InotifyTable table;
  EXPECT_THAT(table.Translate(EventBytes(-1, IN_Q_OVERFLOW)).events, ElementsAre(FolderEvent{Kind::kLost, ""}));
}

TEST(InotifyTableTest, WhatIsHeardOfAFolderThatWasRemovedIsLeftOut) {
  InotifyTable table;
  table.Added(1, "/a");
  EXPECT_EQ(table.Removed("/a"), 1);
  EXPECT_EQ(table.Removed("/a"), std::nullopt);
  EXPECT_THAT(table.Translate(EventBytes(1, IN_CREATE, "x") + EventBytes(1, IN_IGNORED)).events, IsEmpty());
}

TEST(InotifyTableTest, AFolderWithTwoNamesIsToldUnderBoth) {
  InotifyTable table;
  table.Added(1, "/a");
  table.Added(1, "/link");
  EXPECT_THAT(table.Translate(EventBytes(1, IN_CREATE, "x")).events,
              ElementsAre(FolderEvent{Kind::kAppeared, "/a/x"}, FolderEvent{Kind::kAppeared, "/link/x"}));
  EXPECT_EQ(table.Removed("/a"), std::nullopt);
  EXPECT_EQ(table.Removed("/link"), 1);
}

TEST(InotifyTableTest, AFolderThatMovedIsGoneAndItsWatchIsFinished) {
  InotifyTable table;
  table.Added(1, "/a");
  const auto heard = table.Translate(EventBytes(1, IN_MOVE_SELF) + EventBytes(1, IN_CREATE, "x"));
  EXPECT_THAT(heard.events, ElementsAre(FolderEvent{Kind::kVanished, "/a"}));
  EXPECT_THAT(heard.finished, ElementsAre(1));
}

TEST(InotifyTableTest, AFolderThatWasDeletedIsToldOnce) {
  InotifyTable table;
  table.Added(1, "/a");
  const auto heard = table.Translate(EventBytes(1, IN_DELETE_SELF) + EventBytes(1, IN_IGNORED));
  EXPECT_THAT(heard.events, ElementsAre(FolderEvent{Kind::kVanished, "/a"}));
  EXPECT_THAT(heard.finished, IsEmpty());
}

TEST(InotifyTableTest, ANameThatStandsForANewFolderSaysNothingOfTheOldOne) {
  InotifyTable table;
  table.Added(1, "/a");
  table.Added(2, "/a");
  EXPECT_THAT(table.Translate(EventBytes(1, IN_DELETE, "old") + EventBytes(1, IN_IGNORED)).events, IsEmpty());
  EXPECT_THAT(table.Translate(EventBytes(2, IN_CREATE, "new")).events,
              ElementsAre(FolderEvent{Kind::kAppeared, "/a/new"}));
  EXPECT_EQ(table.Removed("/a"), 2);
}

TEST(InotifyTableTest, BytesThatEndInAnEventAreReadUpToIt) {
  InotifyTable table;
  table.Added(1, "/a");
  const std::string whole = EventBytes(1, IN_CREATE, "x");
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THAT(table.Translate(std::string_view(whole).substr(0, size)).events, IsEmpty());
  }
}

}  // namespace
}  // namespace kubelet_cm
