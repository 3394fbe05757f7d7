#include "testing/scenarios/foreign_programs.h"

#include <string>

#include "common/clock/real_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

// That programs register with the daemon, and what it sees of them, is in any_plugin_test.
namespace kubelet_cm::scenarios {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace v1 = ::kubeletcm::v1;

constexpr char kWaits[] = "program { name: '/bin/cat' arguments: '/dev/zero' }";

template <typename Message>
Message Parsed(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

class ForeignProgramsTest : public ::testing::Test {
 protected:
  absl::Status StartPlugin(const std::string& fields) { return programs_.Start(Parsed<proto::StartPlugin>(fields)); }
  // What is not as it should be where the daemon sees these.
  std::string Unseen(const std::string& plugins, const std::string& resources = "") {
    const auto unseen =
        programs_.Unseen(Parsed<v1::ListPluginsResponse>(plugins), Parsed<v1::NodeResourcesResponse>(resources));
    EXPECT_OK(unseen);
    return unseen.value_or("");
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  ForeignPrograms programs_{
      threads_, {.root = "/r", .home = "/h", .kubeconfig = "/k", .node_name = "n"}, {{"given", "/bin/cat"}}};
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
  EXPECT_EQ(Unseen(kConnected, "resources { name: 'a/b' capacity: 2 }"), "");
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
  EXPECT_OK(StartPlugin("plugin: 'p' resource: 'a/b' program { name: 'given' arguments: '/dev/zero' }"));
  EXPECT_THAT(StartPlugin("plugin: 'q' resource: 'a/b' program { name: 'other' }"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("--program other=PATH")));
  EXPECT_FALSE(programs_.Has(std::string("q")));
  EXPECT_THAT(programs_.TakeOutput(), IsEmpty()) << "of one that was never there, either";
  EXPECT_OK(programs_.KillAll());
}

TEST_F(ForeignProgramsTest, OneThatEndsIsAnErrorThatNamesIt) {
  ASSERT_OK(StartPlugin("plugin: 'p' resource: 'a/b' program { name: '/bin/false' }"));
  absl::Status failed;
  while (failed.ok()) failed = programs_.Unseen({}, {}).status();
  EXPECT_THAT(std::string(failed.message()), HasSubstr("p: the program ended with exit code 1"));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
