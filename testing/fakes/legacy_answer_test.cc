#include "testing/fakes/legacy_answer.h"

#include "common/status/status_matchers.h"
#include "deviceplugin/api/legacy_messages.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "testing/fakes/scripted_plugin.h"

namespace kubelet_cm::fakes {
namespace {

using deviceplugin::PluginApi;
using google::protobuf::util::MessageDifferencer;
using ::testing::SizeIs;

// Everything that both older APIs can say.
::v1beta1::AllocateResponse FullAnswer() {
  ::v1beta1::AllocateResponse answer;
  ::v1beta1::ContainerAllocateResponse& container = *answer.add_container_responses();
  (*container.mutable_envs())["GPU"] = "0";
  container.add_mounts()->set_container_path("/usr/lib");
  container.mutable_mounts(0)->set_host_path("/opt/lib");
  container.mutable_mounts(0)->set_read_only(true);
  container.add_devices()->set_container_path("/dev/gpu");
  container.mutable_devices(0)->set_host_path("/dev/gpu0");
  container.mutable_devices(0)->set_permissions("rw");
  return answer;
}

TEST(LegacyAnswerTest, SettingsComeBackAsTheyWere) {
  const ::v1beta1::AllocateResponse answer = FullAnswer();
  for (const PluginApi api : {PluginApi::kV1Alpha2, PluginApi::k01}) {
    ASSERT_OK_AND_ASSIGN(const deviceplugin::LegacyAnswer back,
                         deviceplugin::FromLegacyAnswer(api, ToLegacyAnswer(api, {"a", "b"}, answer)));
    EXPECT_TRUE(MessageDifferencer::Equals(back.response, answer)) << back.response.DebugString();
  }
}

TEST(LegacyAnswerTest, OldestAnswerNamesEachDevice) {
  ::deviceplugin::V01AllocateResponse by_device;
  ASSERT_TRUE(by_device.ParseFromString(ToLegacyAnswer(PluginApi::k01, {"a", "b"}, FullAnswer()).SerializeAsString()));
  ASSERT_THAT(by_device.spec(), SizeIs(2));
  EXPECT_EQ(by_device.spec(1).id(), "b");
}

TEST(LegacyAnswerTest, AnswerAboutNoContainerIsEmpty) {
  EXPECT_EQ(ToLegacyAnswer(PluginApi::kV1Alpha2, {"a"}, {}).SerializeAsString(), "");
}

TEST(LegacyAnswerTest, ListsLoseTheirTopologyOnly) {
  const ::v1beta1::ListAndWatchResponse list = NumberedDevices("dev-", 3, 2);
  EXPECT_TRUE(MessageDifferencer::Equals(deviceplugin::FromLegacyList(ToLegacyList(list)), NumberedDevices("dev-", 3)));
}

}  // namespace
}  // namespace kubelet_cm::fakes
