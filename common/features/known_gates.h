// The feature gates of this product: the kubelet's that concern its device stack, with the stage and the default of
// the newest version. Gates that the kubelet has since removed stay known and locked: a flag that worked for an older
// kubelet, set to what became fixed, still works.
#ifndef KUBELET_CM_COMMON_FEATURES_KNOWN_GATES_H_
#define KUBELET_CM_COMMON_FEATURES_KNOWN_GATES_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "common/features/feature_gates.h"

namespace kubelet_cm {

// Device plugins.
inline constexpr absl::string_view kDevicePlugins = "DevicePlugins";
inline constexpr absl::string_view kDevicePluginCDIDevices = "DevicePluginCDIDevices";
inline constexpr absl::string_view kResourceHealthStatus = "ResourceHealthStatus";
inline constexpr absl::string_view kResourceHealthStatusMessage = "ResourceHealthStatusMessage";

// Dynamic resource allocation.
inline constexpr absl::string_view kDynamicResourceAllocation = "DynamicResourceAllocation";
inline constexpr absl::string_view kDRAAdminAccess = "DRAAdminAccess";
inline constexpr absl::string_view kDRAConsumableCapacity = "DRAConsumableCapacity";
inline constexpr absl::string_view kDRAExtendedResource = "DRAExtendedResource";
inline constexpr absl::string_view kDRAOptionalNodeOperations = "DRAOptionalNodeOperations";
inline constexpr absl::string_view kDRAWorkloadResourceClaims = "DRAWorkloadResourceClaims";

// The podresources API.
inline constexpr absl::string_view kKubeletPodResources = "KubeletPodResources";
inline constexpr absl::string_view kKubeletPodResourcesGetAllocatable = "KubeletPodResourcesGetAllocatable";
inline constexpr absl::string_view kKubeletPodResourcesGet = "KubeletPodResourcesGet";
inline constexpr absl::string_view kKubeletPodResourcesDynamicResources = "KubeletPodResourcesDynamicResources";
inline constexpr absl::string_view kKubeletPodResourcesListUseActivePods = "KubeletPodResourcesListUseActivePods";
inline constexpr absl::string_view kPodLevelResourceManagers = "PodLevelResourceManagers";

// In static storage.
absl::Span<const FeatureGate> KnownGates();

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FEATURES_KNOWN_GATES_H_
