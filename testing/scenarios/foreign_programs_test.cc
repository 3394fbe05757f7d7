#include "testing/scenarios/foreign_programs.h"

#include <string>

#include "common/clock/real_clock.h"
#include "common/personality/personality.h"
#include "common/status/status_macros.h"
#include "common/status/status_matchers.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

// That programs register with the daemon, and what it sees of them, is in any_plugin_test.
namespace kubelet_cm::scenarios {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace v1 = ::kubeletcm::v1;

constexpr char kWaits[] = "program { name: '/usr/bin/tail' arguments: '-f' arguments: '/dev/null' }";

template <typename Message>
Message Parsed(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

class ForeignProgramsTest : public ::testing::Test {
 protected:
  absl::Status StartPlugin(const std::string& fields) { return programs_.Start(Parsed<proto::StartPlugin>(fields)); }
  // What is not as it should be where the daemon sees these. A kubelet 1.8 has no devices in its file.
  absl::StatusOr<std::string> Look(const std::string& plugins, const std::string& resources,
                                   const std::string& version) {
    ASSIGN_OR_RETURN(const Personality* const kubelet, ParsePersonality(version));
    return programs_.Unseen(
        {Parsed<v1::ListPluginsResponse>(plugins), Parsed<v1::NodeResourcesResponse>(resources), ""}, *kubelet);
  }
  std::string Unseen(const std::string& plugins, const std::string& resources = "",
                     const std::string& version = "1.8") {
    const auto unseen = Look(plugins, resources, version);
    EXPECT_OK(unseen);
    return unseen.value_or("");
  }
  // What ended, after a while.
  absl::Status AwaitEnds() {
    const MonotonicTime deadline = clock_.MonotonicNow() + absl::Seconds(30);
    while (clock_.MonotonicNow() < deadline) {
      RETURN_IF_ERROR(programs_.LookForEnds());
      (void)Notification(threads_, "a process").WaitFor(absl::Milliseconds(5));
    }
    return absl::OkStatus();
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  ForeignPrograms programs_{
      threads_, {.root = "/r", .home = "/h", .kubeconfig = "/k", .node_name = "n"}, {{"given", "/usr/bin/tail"}}};
};

constexpr char kConnected[] = "plugins { type: 'DevicePlugin' name: 'a/b' state: 'connected' }";

TEST_F(ForeignProgramsTest, APluginIsToBeConnectedFromItsStartToItsStop) {
  ASSERT_OK(StartPlugin(std::string("plugin: 'p' resource: 'a/b' ") + kWaits));
  EXPECT_THAT(Unseen(""), HasSubstr("plugin p does not register"));
  EXPECT_EQ(Unseen(kConnected), "");
  EXPECT_EQ(programs_.connected_plugins().at("p"), "a/b");
  ASSERT_OK(programs_.Stop("p", proto::StopPlugin::CRASH));
  EXPECT_THAT(Unseen(kConnected), HasSubstr("is gone, and the daemon sees it"));
  EXPECT_EQ(Unseen(""), "");
  EXPECT_THAT(programs_.connected_plugins(), IsEmpty());
}

TEST_F(ForeignProgramsTest, HowManyDevicesItListsIsLookedAtWhereItIsSaid) {
  ASSERT_OK(StartPlugin(std::string("plugin: 'p' resource: 'a/b' count: 2 ") + kWaits));
  EXPECT_EQ(Unseen(kConnected, "resources { name: 'a/b' capacity: 1 }"), "plugin p lists 1 devices of a/b, not 2");
  EXPECT_EQ(Unseen(kConnected, "resources { name: 'a/b' capacity: 2 }"),
            "plugin p lists 0 healthy devices of a/b, not 2");
  constexpr char kBoth[] = "resources { name: 'a/b' capacity: 2 allocatable: 2 }";
  EXPECT_EQ(Unseen(kConnected, kBoth), "");
  EXPECT_EQ(Unseen(kConnected, kBoth, "latest"), "the state file does not have the devices of plugin p");
}

TEST_F(ForeignProgramsTest, WhomTheDaemonKnowsInsteadIsSaid) {
  ASSERT_OK(StartPlugin(std::string("plugin: 'p' resource: 'c/d' ") + kWaits));
  EXPECT_EQ(Unseen(""), "plugin p does not register c/d; the daemon knows nobody");
  EXPECT_EQ(Unseen(std::string(kConnected) + "plugins { name: 'e/f' state: 'disconnected' }"),
            "plugin p does not register c/d; the daemon knows a/b, e/f (disconnected)");
}

TEST_F(ForeignProgramsTest, HowOftenOneWasStartedAgainIsSaid) {
  ASSERT_OK(StartPlugin("plugin: 'p' resource: 'a/b' program { name: '/bin/false' restarted: true }"));
  EXPECT_THAT(std::string(AwaitEnds().message()),
              AllOf(HasSubstr("p: the program ended "), HasSubstr("by itself"), HasSubstr("exit code 1")));
  EXPECT_THAT(Unseen(""), AllOf(HasSubstr("p does not register a/b; it has ended "), HasSubstr("exit code 1")));
  EXPECT_EQ(Unseen(kConnected), "");
  EXPECT_THAT(Unseen(""), Not(HasSubstr("ended"))) << "it was well in between";
}

TEST_F(ForeignProgramsTest, OneThatStaysAwayIsNotExpectedAtTheNextKubelet) {
  ASSERT_OK(StartPlugin(std::string("plugin: 'p' resource: 'a/b' stays_away: true ") + kWaits));
  ASSERT_OK(StartPlugin(std::string("plugin: 'q' resource: 'c/d' ") + kWaits));
  programs_.KubeletIsGone();
  EXPECT_THAT(Unseen(""), HasSubstr("plugin q does not register"));
}

TEST_F(ForeignProgramsTest, ADriverIsKnownByItsName) {
  ASSERT_OK(programs_.Start(Parsed<proto::StartDriver>(std::string("driver: 'd' ") + kWaits)));
  EXPECT_THAT(Unseen(""), HasSubstr("driver d does not register"));
  EXPECT_EQ(Unseen("plugins { type: 'DRAPlugin' name: 'd' state: 'connected' }"), "");
  EXPECT_TRUE(programs_.connected_drivers().contains("d"));
}

TEST_F(ForeignProgramsTest, APathComesFromWhoeverPlaysTheScenario) {
  EXPECT_OK(
      StartPlugin("plugin: 'p' resource: 'a/b' program { name: 'given' arguments: '-f' arguments: '/dev/null' }"));
  EXPECT_THAT(StartPlugin("plugin: 'q' resource: 'a/b' program { name: 'other' }"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("--program other=PATH")));
  EXPECT_FALSE(programs_.Has(std::string("q")));
  EXPECT_THAT(programs_.TakeOutput(), IsEmpty()) << "of one that was never there, either";
  EXPECT_OK(programs_.KillAll());
}

TEST_F(ForeignProgramsTest, OneThatEndsIsAnErrorThatNamesIt) {
  ASSERT_OK(StartPlugin("plugin: 'p' resource: 'a/b' program { name: '/bin/false' }"));
  EXPECT_THAT(std::string(AwaitEnds().message()), HasSubstr("p: the program ended with exit code 1"));
  EXPECT_THAT(std::string(Look("", "", "1.8").status().message()), HasSubstr("p: the program ended with exit code 1"));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
