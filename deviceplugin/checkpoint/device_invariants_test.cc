#include "deviceplugin/checkpoint/device_invariants.h"

#include "deviceplugin/checkpoint/sample_content.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

auto Problem(CheckpointProblemKind kind, std::string text) {
  return AllOf(Field(&CheckpointProblem::kind, kind), Field(&CheckpointProblem::text, HasSubstr(text)));
}

TEST(DeviceInvariantsTest, AnOrdinaryCheckpointHasNoProblems) {
  EXPECT_THAT(DeviceProblems(SampleContent(1)), IsEmpty());
  EXPECT_THAT(DeviceProblems(DeviceContent()), IsEmpty());
}

TEST(DeviceInvariantsTest, ADeviceOfTwoPodsIsNamedWithBoth) {
  DeviceContent content = SampleContent(1);
  DeviceEntry& other = content.entries->emplace_back(content.entries->front());
  other.pod_uid = "other-pod";
  other.devices = DevicesPerNuma{{0, DeviceIds{"gpu-000002"}}};
  EXPECT_THAT(DeviceProblems(content),
              ElementsAre(Problem(CheckpointProblemKind::kHeldTwice,
                                  "device gpu-000002 of example.com/gpu is held by container main-container of pod "
                                  "00000000-52c5-4c2b-9a51-0d6e0b7a1c01 and by container main-container of pod "
                                  "other-pod")));
}

TEST(DeviceInvariantsTest, ContainersOfOnePodMayShareADevice) {
  DeviceContent content = SampleContent(1);
  DeviceEntry& other = content.entries->emplace_back(content.entries->front());
  other.container_name = "init";
  EXPECT_THAT(DeviceProblems(content), IsEmpty());
}

TEST(DeviceInvariantsTest, EqualIdsOfTwoResourcesAreTwoDevices) {
  DeviceContent content = SampleContent(1);
  DeviceEntry& other = content.entries->emplace_back(content.entries->front());
  other.pod_uid = "other-pod";
  other.resource_name = "example.com/nic";
  content.registered->emplace("example.com/nic", std::optional<DeviceIds>(content.registered->begin()->second));
  EXPECT_THAT(DeviceProblems(content), IsEmpty());
}

TEST(DeviceInvariantsTest, AHeldDeviceThatIsNotRegisteredIsNamed) {
  DeviceContent content = SampleContent(1);
  content.entries->front().devices = DevicesPerNuma{{0, DeviceIds{"gone"}}};
  EXPECT_THAT(DeviceProblems(content),
              ElementsAre(Problem(CheckpointProblemKind::kNotRegistered, "device gone of example.com/gpu, held by")));
}

TEST(DeviceInvariantsTest, AResponseThatDoesNotParseIsNamed) {
  DeviceContent content = SampleContent(1);
  content.entries->front().alloc_response = "\xff";
  EXPECT_THAT(DeviceProblems(content), ElementsAre(Problem(CheckpointProblemKind::kUnreadableAllocation,
                                                           "container main-container of pod 0000")));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
