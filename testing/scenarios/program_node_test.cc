#include "testing/scenarios/program_node.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "testing/scenarios/fake_steps.h"
#include "testing/scenarios/pod_fields.h"

// What whole scenarios do on it is in the scenarios' own tests, *_daemon.
namespace kubelet_cm::scenarios {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;

template <typename Message>
Message Text(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

Pod PodThatWants(int devices) {
  Pod pod{.uid = "p", .namespace_name = "default", .name = "p"};
  pod.containers.push_back({.name = "main", .limits = {{"a/b", devices}}});
  return pod;
}

class ProgramNodeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(node_.Start("latest"));
    ASSERT_OK(node_.StartPlugin(Text<proto::StartPlugin>("resource: 'a/b' count: 2")));
    ASSERT_OK(node_.Settle());
  }

  ProgramNode node_{proto::Node()};
};

TEST_F(ProgramNodeTest, WhatAPodHoldsIsSeenOverASigkillAndThePluginIsBack) {
  ASSERT_TRUE(node_.Admit(PodThatWants(1)).ok);
  node_.Kill();
  EXPECT_THAT(node_.Look(), StatusIs(absl::StatusCode::kFailedPrecondition));
  ASSERT_OK(node_.Start("latest"));
  ASSERT_OK_AND_ASSIGN(const Sight seen, node_.Look());
  EXPECT_THAT(seen.holdings, ElementsAre(Pair(Sight::Holder("p", "main", "a/b"), ElementsAre("dev-0"))));
  EXPECT_EQ(seen.resources.at("a/b").allocatable, 2);
  EXPECT_THAT(seen.pods, ElementsAre(Pair("p", "admitted")));
  EXPECT_EQ(seen.devices_restored, "restored");
  EXPECT_THAT(node_.ConnectedPlugins(), ElementsAre(Pair("a/b", "a/b")));
}

TEST_F(ProgramNodeTest, ADaemonDiesBeforeItsPluginIsAskedAndTheNextOneAsks) {
  ASSERT_OK(node_.KillAt(Text<proto::DiesAt>("call: 'Allocate'")));
  EXPECT_FALSE(node_.dead());
  EXPECT_FALSE(node_.Admit(PodThatWants(1)).ok);
  EXPECT_TRUE(node_.dead());
  ASSERT_OK(node_.Settle());
  EXPECT_TRUE(node_.TakeDeath());
  EXPECT_FALSE(node_.running());
  EXPECT_THAT(node_.PluginCalls("a/b"), Not(Contains(Field(&SeenCall::method, "Allocate"))));
  ASSERT_OK(node_.Start("latest"));
  EXPECT_TRUE(node_.Admit(PodThatWants(1)).ok);
  EXPECT_THAT(node_.PluginCalls("a/b"), Contains(Field(&SeenCall::method, "Allocate")));
}

TEST_F(ProgramNodeTest, APlaceThatADaemonIsNotStoppedAtIsRefused) {
  EXPECT_THAT(node_.KillAt(Text<proto::DiesAt>("op: 'write'")), StatusIs(absl::StatusCode::kUnimplemented));
  ASSERT_OK(node_.KillAt(Text<proto::DiesAt>("call: 'PreStartContainer'")));
  EXPECT_TRUE(node_.Admit(PodThatWants(1)).ok);
  EXPECT_FALSE(node_.TakeDeath()) << "it does not come there";
  EXPECT_TRUE(node_.running());
}

TEST_F(ProgramNodeTest, ARefusalHasTheDaemonsWords) {
  const Reply reply = node_.Admit(PodThatWants(3));
  EXPECT_FALSE(reply.ok);
  EXPECT_EQ(reply.reason, "UnexpectedAdmissionError");
  EXPECT_THAT(reply.message, HasSubstr("Requested: 3, Available: 2"));
}

TEST_F(ProgramNodeTest, WhatAPluginDoesIsSeenOnceItHasSettled) {
  ASSERT_OK(
      node_.ChangeDevices(Text<proto::ChangeDevices>("plugin: 'a/b' health { id: 'dev-0' health: 'Unhealthy' }")));
  ASSERT_OK(node_.Settle());
  ASSERT_OK_AND_ASSIGN(const Sight ill, node_.Look());
  EXPECT_EQ(ill.resources.at("a/b").allocatable, 1);
  ASSERT_OK(node_.StopPlugin(Text<proto::StopPlugin>("plugin: 'a/b'")));
  ASSERT_OK(node_.Settle());
  ASSERT_OK_AND_ASSIGN(const Sight gone, node_.Look());
  EXPECT_EQ(gone.resources.at("a/b").allocatable, 0);
}

TEST_F(ProgramNodeTest, AClaimIsPreparedByTheDriverThatIsUp) {
  ASSERT_OK(node_.StartDriver(Text<proto::StartDriver>("driver: 'd.example.com'")));
  ASSERT_OK(node_.Settle());
  ASSERT_OK(node_.SetClaim(Text<proto::AddClaim>("claim: 'c' drivers: 'd.example.com'"), {"p"}));
  Pod pod = PodThatWants(0);
  pod.claims.push_back({.name = "c", .object_name = "c"});
  pod.containers[0].claims.push_back({.name = "c", .request = ""});
  ASSERT_TRUE(node_.Admit(pod).ok);
  const Reply prepared = node_.Prepare("p");
  EXPECT_TRUE(prepared.ok) << prepared.message;
  EXPECT_THAT(node_.PreparedClaims("d.example.com"), ElementsAre("c-uid"));
  ASSERT_OK_AND_ASSIGN(const Sight seen, node_.Look());
  EXPECT_THAT(seen.claims, ElementsAre(Key("c")));
  EXPECT_TRUE(seen.claims.at("c").prepared);
}

TEST_F(ProgramNodeTest, ADriverHasSettledOnceItsNewSocketIsRegisteredAndTheOneBeforeForgotten) {
  const auto registrations = [this] {
    const std::vector<SeenCall> calls = node_.DriverCalls("d.example.com");
    return std::count_if(calls.begin(), calls.end(),
                         [](const SeenCall& call) { return call.method == "NotifyRegistrationStatus"; });
  };
  ASSERT_OK(node_.StartDriver(Text<proto::StartDriver>("driver: 'd.example.com' one_socket: true")));
  ASSERT_OK(node_.Settle());
  for (int made = 2; made < 6; ++made) {
    ASSERT_OK(node_.ListenAt(Text<proto::DriverSocket>(
        absl::StrCat("driver: 'd.example.com' listens: ", made % 2 == 0 ? "false" : "true"))));
    ASSERT_OK(node_.Settle());
    EXPECT_EQ(registrations(), made);
  }
}

TEST(ProgramNodeLogTest, WhatDaemonsSayIsTakenOnceOverAKill) {
  ProgramNode node({});
  EXPECT_THAT(node.TakeLog(), IsEmpty());
  node.Listen(0);
  ASSERT_OK(node.Start("latest"));
  node.Kill();
  ASSERT_OK(node.Start("latest"));
  const auto says_that_it_is_ready = HasSubstr(" is ready (");
  EXPECT_THAT(node.TakeLog(), Contains(says_that_it_is_ready).Times(2));
  EXPECT_THAT(node.TakeLog(), Not(Contains(says_that_it_is_ready)));
}

TEST_F(ProgramNodeTest, WhatNeedsAnotherClockOrDiskIsRefused) {
  EXPECT_THAT(node_.Advance(absl::Seconds(1)), StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(node_.FailDisk({}), StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(node_.CutPower(proto::PowerCut::EVERYTHING), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST(FakeStepsTest, AFaultIsWhatAFakeDoes) {
  EXPECT_TRUE(StepOf(Text<proto::PluginFault>("act: HANG")).held);
  EXPECT_EQ(StepOf(Text<proto::PluginFault>("act: EXTRA_IDS")).act, fakes::PluginAct::kExtraIds);
  EXPECT_EQ(StepOf(Text<proto::DriverFault>("act: NO_DEVICES")).act, fakes::DriverAct::kNoDevices);
  const fakes::DriverStep failing = StepOf(Text<proto::DriverFault>("act: FAIL code: 'UNAVAILABLE' message: 'm'"));
  EXPECT_EQ(failing.act, fakes::DriverAct::kFail);
  EXPECT_EQ(failing.error, absl::UnavailableError("m"));
}

TEST(PodFieldsTest, EverythingOfAPodIsWritten) {
  Pod pod = PodThatWants(2);
  pod.containers.insert(pod.containers.begin(), {.name = "init", .kind = ContainerKind::kInit});
  pod.claims.push_back({.name = "c", .object_name = "claim"});
  pod.containers[1].claims.push_back({.name = "c", .request = "r"});
  const ::kubeletcm::v1::PodFields fields = FieldsOf(pod).fields();
  EXPECT_EQ(fields.uid(), "p");
  EXPECT_EQ(fields.containers(0).kind(), "init");
  EXPECT_EQ(fields.containers(1).limits().at("a/b"), 2);
  EXPECT_EQ(fields.containers(1).claims(0).request(), "r");
  EXPECT_EQ(fields.claims(0).resource_claim_name(), "claim");
}

}  // namespace
}  // namespace kubelet_cm::scenarios
