#include "deviceplugin/topology/pod_requests.h"

#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr char kGpu[] = "example.com/gpu";
constexpr char kNic[] = "example.com/nic";
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

bool IsDevice(std::string_view resource) { return resource == kGpu || resource == kNic; }

// A pod of containers that want gpus.
struct Wish {
  ContainerKind kind;
  int64_t gpus;
};
constexpr auto kInit = ContainerKind::kInit;
constexpr auto kSidecar = ContainerKind::kSidecar;
constexpr auto kApp = ContainerKind::kApp;

Pod PodOf(const std::vector<Wish>& wishes) {
  Pod pod;
  for (const Wish& wish : wishes)
    pod.containers.push_back({.name = "c", .kind = wish.kind, .limits = {{kGpu, wish.gpus}}});
  return pod;
}

int64_t Gpus(const std::vector<Wish>& wishes) { return PodLimits(PodOf(wishes)).at(kGpu); }

TEST(PodRequestsTest, AppContainersRunTogether) { EXPECT_EQ(Gpus({{kApp, 2}, {kApp, 3}}), 5); }

TEST(PodRequestsTest, InitContainersRunOneAfterTheOther) {
  EXPECT_EQ(Gpus({{kInit, 4}, {kInit, 7}, {kInit, 5}, {kApp, 1}, {kApp, 2}}), 7);
  EXPECT_EQ(Gpus({{kInit, 2}, {kApp, 1}, {kApp, 2}}), 3);
}

TEST(PodRequestsTest, SidecarsRunBesideTheAppContainers) {
  EXPECT_EQ(Gpus({{kSidecar, 1}, {kSidecar, 2}, {kApp, 3}}), 6);
}

TEST(PodRequestsTest, AnInitContainerRunsBesideTheSidecarsBeforeItOnly) {
  EXPECT_EQ(Gpus({{kSidecar, 1}, {kInit, 9}, {kSidecar, 2}, {kApp, 3}}), 10);
  EXPECT_EQ(Gpus({{kInit, 9}, {kSidecar, 1}, {kSidecar, 2}, {kApp, 3}}), 9);
  EXPECT_EQ(Gpus({{kSidecar, 1}, {kSidecar, 2}, {kInit, 9}, {kApp, 3}}), 12);
}

TEST(PodRequestsTest, EachResourceIsCountedByItself) {
  Pod pod;
  pod.containers = {{.name = "c", .kind = kInit, .limits = {{kGpu, 4}}},
                    {.name = "c", .kind = kSidecar, .limits = {{kNic, 1}}},
                    {.name = "c", .kind = kApp, .limits = {{kGpu, 1}, {kNic, 2}}},
                    {.name = "c", .kind = kApp}};
  EXPECT_THAT(PodLimits(pod), ElementsAre(Pair(kGpu, 4), Pair(kNic, 3)));
  EXPECT_THAT(PodLimits(Pod()), IsEmpty());
}

TEST(PodRequestsTest, AResourceThatOnlyAnInitContainerWantsIsOneOfThePod) {
  Pod pod;
  pod.containers = {{.name = "c", .kind = kSidecar, .limits = {{kGpu, 1}}},
                    {.name = "c", .kind = kInit, .limits = {{kNic, 2}}},
                    {.name = "c", .kind = kApp}};
  EXPECT_THAT(PodLimits(pod), ElementsAre(Pair(kGpu, 1), Pair(kNic, 2)));
}

TEST(PodRequestsTest, ThePodsOwnLimitCountsWhereAPodCanHaveOne) {
  Pod pod;
  pod.containers = {{.name = "c", .limits = {{"cpu", 1}, {"hugepages-2Mi", 8}, {"memory", 100}, {kGpu, 2}}}};
  pod.pod_limits = {{"cpu", 4}, {"hugepages-2Mi", 16}, {"hugepages-1Gi", 1}, {"memory", 50}};
  EXPECT_THAT(PodLimits(pod), ElementsAre(Pair("cpu", 4), Pair(kGpu, 2), Pair("hugepages-1Gi", 1),
                                          Pair("hugepages-2Mi", 16), Pair("memory", 50)));
}

TEST(PodRequestsTest, DevicesCannotBeLimitedForThePodAsAWhole) {
  Pod pod = PodOf({{kApp, 2}});
  pod.pod_limits = {{kGpu, 9}, {kNic, 1}};
  EXPECT_THAT(PodLimits(pod), ElementsAre(Pair(kGpu, 2)));
}

TEST(PodRequestsTest, WhatAClaimBacksIsNotAskedOfDevicePlugins) {
  Pod pod;
  pod.containers = {{.name = "init", .kind = kInit, .limits = {{kGpu, 5}}},
                    {.name = "claimed", .limits = {{kGpu, 4}, {kNic, 1}}},
                    {.name = "other", .limits = {{kGpu, 2}}}};
  pod.extended_resource_claim = ExtendedResourceClaim{
      .object_name = "c", .mappings = {{"init", kGpu, "r"}, {"claimed", kGpu, "s"}, {"other", kNic, "t"}}};
  EXPECT_THAT(PodLimits(pod), ElementsAre(Pair(kGpu, 2), Pair(kNic, 1)));
}

TEST(PodRequestsTest, SumsStopAtTheEndOfTheirRange) {
  EXPECT_EQ(Gpus({{kApp, kMost}, {kApp, 1}}), kMost);
  EXPECT_EQ(Gpus({{kSidecar, 2}, {kInit, kMost}, {kApp, 1}}), kMost);
  EXPECT_EQ(Gpus({{kApp, std::numeric_limits<int64_t>::min()}, {kApp, -1}}), std::numeric_limits<int64_t>::min());
}

TEST(PodRequestsTest, ContainerScopeAsksForTheDevicesOfTheContainersLimitsZeroIncluded) {
  const Container container = {.name = "c", .limits = {{"cpu", 4}, {kGpu, 2}, {kNic, 0}, {"example.org/unknown", 1}}};
  EXPECT_THAT(ContainerDeviceRequests(container, IsDevice), ElementsAre(Pair(kGpu, 2), Pair(kNic, 0)));
}

TEST(PodRequestsTest, PodScopeAsksForTheDevicesOfThePodsLimits) {
  Pod pod = PodOf({{kInit, 3}, {kApp, 1}, {kApp, 1}});
  pod.containers.back().limits["cpu"] = 4;
  pod.containers.back().limits["example.org/unknown"] = 1;
  EXPECT_THAT(PodDeviceRequests(pod, IsDevice), ElementsAre(Pair(kGpu, 3)));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
