#include "common/features/known_gates.h"

namespace kubelet_cm {
namespace {

using enum FeatureStage;

// What upstream's 1.37 says; the history of each gate is its comment.
constexpr FeatureGate kGates[] = {
    // alpha 1.8, beta 1.10, GA 1.26
    {.name = kDevicePlugins, .stage = kGa, .on_by_default = true, .locked = true},
    // alpha 1.28, beta 1.29, GA 1.31
    {.name = kDevicePluginCDIDevices, .stage = kGa, .on_by_default = true, .locked = true},
    // alpha 1.31, on 1.36
    {.name = kResourceHealthStatus, .stage = kBeta, .on_by_default = true},
    // on 1.36
    {.name = kResourceHealthStatusMessage, .stage = kBeta, .on_by_default = true},

    // alpha 1.26, beta but off 1.32, GA 1.34, locked 1.35
    {.name = kDynamicResourceAllocation, .stage = kGa, .on_by_default = true, .locked = true},
    // alpha 1.32, on 1.34, GA 1.36
    {.name = kDRAAdminAccess, .stage = kGa, .on_by_default = true},
    // alpha 1.34, on 1.36
    {.name = kDRAConsumableCapacity, .stage = kBeta, .on_by_default = true},
    // alpha 1.34, on 1.36, GA and locked 1.37
    {.name = kDRAExtendedResource, .stage = kGa, .on_by_default = true, .locked = true},
    // alpha 1.37
    {.name = kDRAOptionalNodeOperations, .stage = kAlpha},
    // alpha 1.36, beta but off 1.37
    {.name = kDRAWorkloadResourceClaims, .stage = kBeta},

    // alpha 1.13, beta 1.15, GA 1.28
    {.name = kKubeletPodResources, .stage = kGa, .on_by_default = true, .locked = true},
    // alpha 1.21, beta 1.23, GA 1.28
    {.name = kKubeletPodResourcesGetAllocatable, .stage = kGa, .on_by_default = true, .locked = true},
    // alpha 1.27, on 1.34, GA 1.36
    {.name = kKubeletPodResourcesGet, .stage = kGa, .on_by_default = true},
    // alpha 1.27, on 1.34, GA 1.36
    {.name = kKubeletPodResourcesDynamicResources, .stage = kGa, .on_by_default = true},
    // 1.34, the way back to listing all pods; to be locked in 1.38
    {.name = kKubeletPodResourcesListUseActivePods, .stage = kDeprecated, .on_by_default = true},
    // alpha 1.36, beta but off 1.37
    {.name = kPodLevelResourceManagers, .stage = kBeta},
};

}  // namespace

absl::Span<const FeatureGate> KnownGates() { return kGates; }

}  // namespace kubelet_cm
