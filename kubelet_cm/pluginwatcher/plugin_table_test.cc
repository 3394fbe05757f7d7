#include "kubelet_cm/pluginwatcher/plugin_table.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::pluginwatcher {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = PluginOperation::Kind;

MonotonicTime At(absl::Duration since_start) { return MonotonicTime::FromStart(since_start); }
MonotonicTime At(int seconds) { return At(absl::Seconds(seconds)); }

PluginInfo Plugin(const std::string& name = "n") { return {.type = "T", .name = name, .endpoint = "/" + name}; }
PluginOperation Register(const std::string& path) { return {.kind = Kind::kRegister, .path = path}; }
PluginOperation Unregister(const std::string& path, PluginInfo plugin = Plugin()) {
  return {.kind = Kind::kUnregister, .path = path, .plugin = std::move(plugin)};
}

class PluginTableTest : public ::testing::Test {
 protected:
  // `inode` tells sockets at one path apart.
  void Found(const std::string& path, uint64_t inode = 1) { table_.Found({{path, {.inode = inode}}}); }
  void Registered(const std::string& path, const PluginInfo& plugin = Plugin()) {
    ASSERT_TRUE(table_.MayHold(path, plugin));
    table_.Hold(path, plugin);
    table_.FinishRegistered(path);
  }
  void MakeRegistered(const std::string& path, const PluginInfo& plugin = Plugin()) {
    Found(path);
    ASSERT_THAT(table_.TakeDue(At(0)), ElementsAre(Register(path)));
    Registered(path, plugin);
  }
  // Unregisters it, and says whether the handler was to be told.
  bool Unregistered(const std::string& path) {
    const bool told = table_.BeginRelease(path, /*registered=*/true);
    table_.FinishUnregistered(path);
    return told;
  }

  PluginTable table_{{}};
};

TEST_F(PluginTableTest, ASocketIsRegisteredOnceAndUnregisteredWhenItVanishes) {
  MakeRegistered("/r/a");
  EXPECT_THAT(table_.TakeDue(At(0)), IsEmpty());
  table_.Vanished("/r/a");
  EXPECT_THAT(table_.TakeDue(At(0)), ElementsAre(Unregister("/r/a")));
  EXPECT_TRUE(Unregistered("/r/a"));
  EXPECT_THAT(table_.Rows(), IsEmpty());
}

TEST_F(PluginTableTest, SeeingTheSameSocketAgainChangesNothing) {
  MakeRegistered("/r/a");
  const auto changes = table_.Found({{"/r/a", {.inode = 1}}});
  EXPECT_THAT(changes.replaced, IsEmpty());
  EXPECT_THAT(table_.TakeDue(At(0)), IsEmpty());
}

TEST_F(PluginTableTest, AReplacedSocketIsUnregisteredBeforeItIsRegisteredAgain) {
  MakeRegistered("/r/a");
  EXPECT_THAT(table_.Found({{"/r/a", {.inode = 2}}}).replaced, ElementsAre("/r/a"));
  EXPECT_THAT(table_.TakeDue(At(0)), ElementsAre(Unregister("/r/a")));
  EXPECT_THAT(table_.TakeDue(At(0)), IsEmpty());
  Unregistered("/r/a");
  EXPECT_THAT(table_.TakeDue(At(0)), ElementsAre(Register("/r/a")));
}

TEST_F(PluginTableTest, ASocketThatVanishesAndComesBackBetweenTwoLooksIsAnotherOne) {
  MakeRegistered("/r/a");
  table_.Vanished("/r/a");
  Found("/r/a", 1);  // the file system gave the number of the old one again
  EXPECT_THAT(table_.TakeDue(At(0)), ElementsAre(Unregister("/r/a")));
  Unregistered("/r/a");
  EXPECT_THAT(table_.TakeDue(At(0)), ElementsAre(Register("/r/a")));
}

TEST_F(PluginTableTest, ASocketThatVanishesWhileItIsRegisteredIsUnregisteredAfterwards) {
  Found("/r/a");
  table_.TakeDue(At(0));
  table_.Vanished("/r/a");
  EXPECT_THAT(table_.TakeDue(At(0)), IsEmpty());
  Registered("/r/a");
  EXPECT_THAT(table_.TakeDue(At(0)), ElementsAre(Unregister("/r/a")));
}

TEST_F(PluginTableTest, FailuresAreRetriedAfterDelaysThatDoubleUpToTwoMinutes) {
  Found("/r/a");
  MonotonicTime now = At(0);
  std::vector<absl::Duration> delays;
  for (int i = 0; i < 10; ++i) {
    ASSERT_THAT(table_.TakeDue(now), ElementsAre(Register("/r/a")));
    const PluginTable::Retry retry = table_.FinishFailed("/r/a", {}, "why", now);
    delays.push_back(retry.delay);
    EXPECT_THAT(table_.TakeDue(retry.at - absl::Milliseconds(1)), IsEmpty());
    EXPECT_EQ(table_.NextDue(), retry.at);
    now = retry.at;
  }
  const auto s = [](double seconds) { return absl::Seconds(seconds); };
  EXPECT_THAT(delays, ElementsAre(s(0.5), s(1), s(2), s(4), s(8), s(16), s(32), s(64), s(122), s(122)));
}

TEST_F(PluginTableTest, SuccessForgetsEarlierFailures) {
  Found("/r/a");
  table_.TakeDue(At(0));
  table_.FinishFailed("/r/a", {}, "why", At(0));
  table_.TakeDue(At(1));
  Registered("/r/a");
  ASSERT_THAT(table_.Rows(), SizeIs(1));
  EXPECT_EQ(table_.Rows()[0].failures, 0);
  EXPECT_EQ(table_.Rows()[0].error, "");
  EXPECT_EQ(table_.NextDue(), MonotonicTime::InfiniteFuture());
}

TEST_F(PluginTableTest, ANewSocketDoesNotWaitForTheFailuresOfTheOldOne) {
  Found("/r/a");
  table_.TakeDue(At(0));
  table_.FinishFailed("/r/a", {}, "why", At(0));
  Found("/r/a", 2);
  EXPECT_THAT(table_.TakeDue(At(0)), ElementsAre(Register("/r/a")));
  Found("/r/a", 3);
  table_.FinishFailed("/r/a", {}, "why", At(0));
  EXPECT_THAT(table_.TakeDue(At(0)), ElementsAre(Register("/r/a")));
}

TEST_F(PluginTableTest, NoMoreSocketsAreTakenThanAllowedUntilOneVanishes) {
  PluginTable table({.plugins = 2});
  const FoundSockets three = {{"/a", {}}, {"/b", {}}, {"/c", {}}};
  const auto changes = table.Found(three);
  EXPECT_THAT(changes.appeared, ElementsAre("/a", "/b"));
  EXPECT_THAT(changes.refused, ElementsAre("/c"));
  EXPECT_THAT(table.Found({{"/a", {.inode = 7}}}).replaced, ElementsAre("/a"));
  EXPECT_THAT(table.FoundAll({{"/b", {}}, {"/c", {}}}).appeared, ElementsAre("/c"));
}

TEST_F(PluginTableTest, ALookAtEverythingFindsWhatVanished) {
  Found("/r/a");
  Found("/r/b");
  const auto changes = table_.FoundAll({{"/r/b", {.inode = 1}}, {"/r/c", {}}});
  EXPECT_THAT(changes.appeared, ElementsAre("/r/c"));
  EXPECT_THAT(changes.vanished, ElementsAre("/r/a"));
  EXPECT_THAT(table_.DesiredPaths(), ElementsAre("/r/b", "/r/c"));
}

TEST_F(PluginTableTest, AFolderVanishesWithAllThatIsBelowItAndNothingElse) {
  for (const char* path : {"/r/sub", "/r/sub/a", "/r/sub/x/b", "/r/sub2/c", "/r/sua"}) Found(path);
  EXPECT_THAT(table_.VanishedBelow("/r/sub").vanished, ElementsAre("/r/sub/a", "/r/sub/x/b"));
  EXPECT_THAT(table_.DesiredPaths(), ElementsAre("/r/sua", "/r/sub", "/r/sub2/c"));
}

TEST_F(PluginTableTest, OnlySomeRegistrationsRunAtOnceInTheOrderOfArrival) {
  PluginTable table({.registrations = 2});
  for (const char* path : {"/c", "/b", "/a"}) table.Found({{path, {}}});
  EXPECT_THAT(table.TakeDue(At(0)), ElementsAre(Register("/c"), Register("/b")));
  EXPECT_EQ(table.NextDue(), MonotonicTime::InfiniteFuture());
  table.FinishFailed("/b", {}, "why", At(0));
  EXPECT_THAT(table.TakeDue(At(0)), ElementsAre(Register("/a")));
}

TEST_F(PluginTableTest, SocketsThatFailAgainAndAgainLeaveRoomForNewOnes) {
  PluginTable table({.registrations = 2, .retries = 1});
  for (const char* path : {"/bad1", "/bad2"}) table.Found({{path, {}}});
  table.TakeDue(At(0));
  table.FinishFailed("/bad2", {}, "why", At(0));
  table.FinishFailed("/bad1", {}, "why", At(1));
  EXPECT_THAT(table.TakeDue(At(9)), ElementsAre(Register("/bad2")));
  EXPECT_EQ(table.NextDue(), MonotonicTime::InfiniteFuture());
  table.Found({{"/good", {}}});
  EXPECT_THAT(table.TakeDue(At(9)), ElementsAre(Register("/good")));
}

TEST_F(PluginTableTest, UnregisteringDoesNotWaitForRegistrations) {
  PluginTable table({.registrations = 1});
  table.Found({{"/a", {}}});
  table.TakeDue(At(0));
  table.Hold("/a", Plugin());
  table.FinishRegistered("/a");
  table.Found({{"/hangs", {}}});
  table.TakeDue(At(0));
  table.Vanished("/a");
  EXPECT_THAT(table.TakeDue(At(0)), ElementsAre(Unregister("/a")));
}

TEST_F(PluginTableTest, ARenamedSocketIsHeldAfterItsOldNameWasLetGo) {
  MakeRegistered("/r/a");
  table_.Vanished("/r/a");
  Found("/r/b");
  ASSERT_THAT(table_.TakeDue(At(0)), ElementsAre(Unregister("/r/a"), Register("/r/b")));
  EXPECT_FALSE(table_.MayHold("/r/b", Plugin()));
  EXPECT_TRUE(table_.MayHold("/r/b", Plugin("other")));
  EXPECT_TRUE(Unregistered("/r/a"));
  EXPECT_TRUE(table_.MayHold("/r/b", Plugin()));
}

TEST_F(PluginTableTest, APluginWithTwoSocketsIsTheHandlersUntilTheLastOneGoes) {
  MakeRegistered("/r/a");
  MakeRegistered("/r/b");
  table_.Vanished("/r/a");
  table_.TakeDue(At(0));
  EXPECT_FALSE(Unregistered("/r/a"));
  table_.Vanished("/r/b");
  table_.TakeDue(At(0));
  EXPECT_TRUE(Unregistered("/r/b"));
}

TEST_F(PluginTableTest, ARegistrationThatFailsTellsTheHandlerOfTheSocketThatWentMeanwhile) {
  MakeRegistered("/r/a");
  Found("/r/b");
  table_.TakeDue(At(0));
  table_.Hold("/r/b", Plugin());
  table_.Vanished("/r/a");
  table_.TakeDue(At(0));
  EXPECT_FALSE(Unregistered("/r/a"));
  EXPECT_TRUE(table_.BeginRelease("/r/b", /*registered=*/false));
}

TEST_F(PluginTableTest, ARegistrationThatFailsAloneTellsNobody) {
  Found("/r/b");
  table_.TakeDue(At(0));
  table_.Hold("/r/b", Plugin());
  EXPECT_FALSE(table_.BeginRelease("/r/b", /*registered=*/false));
}

TEST_F(PluginTableTest, RowsTellHowItGoes) {
  MakeRegistered("/r/a");
  for (const char* path : {"/r/b", "/r/c", "/r/d"}) Found(path);
  table_.TakeDue(At(0));
  table_.FinishFailed("/r/b", Plugin("bad"), "why", At(0));
  Found("/r/e");
  table_.Vanished("/r/a");
  const auto state = [](PluginState s) { return Field(&PluginRow::state, s); };
  EXPECT_THAT(table_.Rows(), ElementsAre(state(PluginState::kUnregistering), state(PluginState::kFailed),
                                         state(PluginState::kRegistering), state(PluginState::kRegistering),
                                         state(PluginState::kWaiting)));
  const PluginRow failed = table_.Rows()[1];
  EXPECT_EQ(failed.plugin, Plugin("bad"));
  EXPECT_EQ(failed.error, "why");
  EXPECT_EQ(failed.next_attempt, At(absl::Milliseconds(500)));
}

}  // namespace
}  // namespace kubelet_cm::pluginwatcher
