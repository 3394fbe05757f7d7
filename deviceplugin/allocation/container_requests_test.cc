#include "deviceplugin/allocation/container_requests.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

bool IsDevice(std::string_view resource) { return resource.substr(0, 5) == "a.com"; }

Pod PodWith(absl::btree_map<std::string, int64_t> limits) {
  return {.uid = "p", .namespace_name = "n", .name = "p", .containers = {{.name = "c", .limits = std::move(limits)}}};
}

TEST(ContainerRequestsTest, AreTheLimitsThatDevicePluginsHaveSortedByResource) {
  const Pod pod = PodWith({{"a.com/nic", 2}, {"cpu", 4}, {"a.com/gpu", 1}});
  EXPECT_THAT(DeviceRequests(pod, pod.containers[0], IsDevice),
              ElementsAre(DeviceRequest{"a.com/gpu", 1}, DeviceRequest{"a.com/nic", 2}));
}

TEST(ContainerRequestsTest, AskingForNoneIsARequest) {
  const Pod pod = PodWith({{"a.com/gpu", 0}});
  EXPECT_THAT(DeviceRequests(pod, pod.containers[0], IsDevice), ElementsAre(DeviceRequest{"a.com/gpu", 0}));
}

TEST(ContainerRequestsTest, WhatAClaimBacksForThisContainerIsLeftOut) {
  Pod pod = PodWith({{"a.com/gpu", 1}});
  pod.extended_resource_claim = {.object_name = "claim", .mappings = {{"c", "a.com/gpu", "r"}}};
  EXPECT_THAT(DeviceRequests(pod, pod.containers[0], IsDevice), IsEmpty());
}

TEST(ContainerRequestsTest, WhatAClaimBacksForAnotherContainerStays) {
  Pod pod = PodWith({{"a.com/gpu", 1}});
  pod.extended_resource_claim = {.object_name = "claim", .mappings = {{"other", "a.com/gpu", "r"}}};
  EXPECT_THAT(DeviceRequests(pod, pod.containers[0], IsDevice), ElementsAre(DeviceRequest{"a.com/gpu", 1}));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
