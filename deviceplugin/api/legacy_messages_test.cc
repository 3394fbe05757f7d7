#include "deviceplugin/api/legacy_messages.h"

#include <string>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::FieldsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StrEq;

::deviceplugin::AllocateResponse OnTheWire(const google::protobuf::Message& answer) {
  ::deviceplugin::AllocateResponse result;
  EXPECT_TRUE(result.ParseFromString(answer.SerializeAsString()));
  return result;
}

template <typename Container>
void FillContainer(Container& container) {
  (*container.mutable_envs())["GPU"] = "0";
  (*container.mutable_annotations())["vendor/a"] = "b";
  container.add_mounts()->set_container_path("/usr/lib");
  container.mutable_mounts(0)->set_host_path("/opt/lib");
  container.mutable_mounts(0)->set_read_only(true);
  container.add_devices()->set_container_path("/dev/gpu");
  container.mutable_devices(0)->set_host_path("/dev/gpu0");
  container.mutable_devices(0)->set_permissions("rw");
}

// One device of the API 0.1 with an environment variable, a mount and a device node, all from `source`.
void AddSpec(const std::string& source, ::deviceplugin::V01AllocateResponse& answer) {
  ::deviceplugin::DeviceRuntimeSpec& spec = *answer.add_spec();
  (*spec.mutable_envs())["GPU"] = source;
  spec.add_mounts()->set_container_path("/usr/lib");
  spec.mutable_mounts(0)->set_host_path(source);
  spec.add_devices()->set_container_path("/dev/gpu");
  spec.mutable_devices(0)->set_host_path(source);
}

TEST(LegacyMessagesTest, DevicesHaveIdsAndHealthAndNoTopology) {
  ::deviceplugin::ListAndWatchResponse list;
  list.add_devices()->set_id("a");
  list.mutable_devices(0)->set_health("Healthy");
  list.add_devices()->set_id("b");
  const v1beta1::ListAndWatchResponse result = FromLegacyList(list);
  ASSERT_THAT(result.devices(), SizeIs(2));
  EXPECT_EQ(result.devices(0).id(), "a");
  EXPECT_EQ(result.devices(0).health(), "Healthy");
  EXPECT_EQ(result.devices(1).health(), "");
  EXPECT_FALSE(result.devices(0).has_topology());
}

TEST(LegacyMessagesTest, FlatAnswerBecomesOneContainer) {
  ::deviceplugin::V1Alpha2AllocateResponse flat;
  FillContainer(flat);
  v1beta1::AllocateResponse expected;
  FillContainer(*expected.add_container_responses());
  ASSERT_OK_AND_ASSIGN(const LegacyAnswer answer, FromLegacyAnswer(PluginApi::kV1Alpha2, OnTheWire(flat)));
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(answer.response, expected))
      << answer.response.DebugString();
}

TEST(LegacyMessagesTest, EmptyAnswerIsAboutOneContainer) {
  for (const PluginApi api : {PluginApi::kV1Alpha2, PluginApi::k01}) {
    ASSERT_OK_AND_ASSIGN(const LegacyAnswer answer, FromLegacyAnswer(api, {}));
    EXPECT_THAT(answer.response.container_responses(), SizeIs(1));
  }
}

TEST(LegacyMessagesTest, DevicesThatAgreeAreMerged) {
  ::deviceplugin::V01AllocateResponse by_device;
  AddSpec("/opt/0", by_device);
  AddSpec("/opt/0", by_device);
  ASSERT_OK_AND_ASSIGN(const LegacyAnswer answer, FromLegacyAnswer(PluginApi::k01, OnTheWire(by_device)));
  const v1beta1::ContainerAllocateResponse& container = answer.response.container_responses(0);
  EXPECT_EQ(container.envs().at("GPU"), "/opt/0");
  EXPECT_THAT(container.mounts(), SizeIs(1));
  EXPECT_THAT(container.devices(), SizeIs(1));
  EXPECT_THAT(answer.conflicts, IsEmpty());
}

TEST(LegacyMessagesTest, FirstOfContradictingDevicesWinsAndTheRestIsTold) {
  ::deviceplugin::V01AllocateResponse by_device;
  AddSpec("/opt/0", by_device);
  AddSpec("/opt/1", by_device);
  ASSERT_OK_AND_ASSIGN(const LegacyAnswer answer, FromLegacyAnswer(PluginApi::k01, OnTheWire(by_device)));
  const v1beta1::ContainerAllocateResponse& container = answer.response.container_responses(0);
  EXPECT_EQ(container.envs().at("GPU"), "/opt/0");
  EXPECT_EQ(container.mounts(0).host_path(), "/opt/0");
  EXPECT_EQ(container.devices(0).host_path(), "/opt/0");
  EXPECT_THAT(answer.conflicts,
              ElementsAre(FieldsAre(StrEq("Environment variable has conflicting setting"), "GPU"),
                          FieldsAre(StrEq("Container mount has conflicting mapping host mounts"), "/usr/lib"),
                          FieldsAre(StrEq("Container device has conflicting mapping host devices"), "/dev/gpu")));
}

TEST(LegacyMessagesTest, AnswerOfAnotherShapeIsRefused) {
  ::deviceplugin::AllocateResponse answer;
  ASSERT_TRUE(answer.ParseFromString(std::string("\x0a\x01\xff", 3)));  // field 1: a message of one broken byte
  EXPECT_THAT(FromLegacyAnswer(PluginApi::kV1Alpha2, answer),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("API version v1alpha2")));
  EXPECT_THAT(FromLegacyAnswer(PluginApi::k01, answer), StatusIs(absl::StatusCode::kInternal, HasSubstr("0.1")));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
