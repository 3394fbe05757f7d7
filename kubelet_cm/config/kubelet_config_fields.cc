#include "kubelet_cm/config/kubelet_config_fields.h"

#include <algorithm>

namespace kubelet_cm::config {
namespace {

using enum FieldType;
constexpr bool kHonoured = true;

constexpr KubeletConfigField kX509[] = {{"clientCAFile", kString}};
constexpr KubeletConfigField kTokenWebhook[] = {{"cacheTTL", kDuration}, {"enabled", kBool}};
constexpr KubeletConfigField kAnonymous[] = {{"enabled", kBool}};
constexpr KubeletConfigField kAuthentication[] = {
    {"anonymous", kObject, kAnonymous},
    {"webhook", kObject, kTokenWebhook},
    {"x509", kObject, kX509},
};
constexpr KubeletConfigField kAccessWebhook[] = {{"cacheAuthorizedTTL", kDuration},
                                                 {"cacheUnauthorizedTTL", kDuration}};
constexpr KubeletConfigField kAuthorization[] = {{"mode", kString}, {"webhook", kObject, kAccessWebhook}};

constexpr KubeletConfigField kOutput[] = {{"infoBufferSize", kQuantity}, {"splitStream", kBool}};
constexpr KubeletConfigField kFormatOptions[] = {{"json", kObject, kOutput}, {"text", kObject, kOutput}};
constexpr KubeletConfigField kVModule[] = {{"filePattern", kString}, {"verbosity", kUint32}};
constexpr KubeletConfigField kLogging[] = {
    {"flushFrequency", kDurationOrNanos},  {"format", kString, {}, kHonoured}, {"options", kObject, kFormatOptions},
    {"verbosity", kUint32, {}, kHonoured}, {"vmodule", kObjects, kVModule},
};

constexpr KubeletConfigField kCrashLoopBackOff[] = {{"maxContainerRestartPeriod", kDuration}};
constexpr KubeletConfigField kMemoryReservation[] = {{"limits", kQuantityMap}, {"numaNode", kInt32}};
constexpr KubeletConfigField kMemorySwap[] = {{"swapBehavior", kString}};
constexpr KubeletConfigField kPriorityGracePeriod[] = {{"priority", kInt32}, {"shutdownGracePeriodSeconds", kInt64}};
constexpr KubeletConfigField kTaint[] = {
    {"effect", kString}, {"key", kString}, {"timeAdded", kString}, {"value", kString}};
constexpr KubeletConfigField kTracing[] = {{"endpoint", kString}, {"samplingRatePerMillion", kInt32}};
constexpr KubeletConfigField kUserNamespaces[] = {{"idsPerPod", kInt64}};

constexpr KubeletConfigField kTop[] = {
    {"address", kString},
    {"allowedUnsafeSysctls", kStrings},
    {"apiVersion", kString, {}, kHonoured},
    {"authentication", kObject, kAuthentication},
    {"authorization", kObject, kAuthorization},
    {"cgroupDriver", kString},
    {"cgroupRoot", kString},
    {"cgroupsPerQOS", kBool},
    {"clusterDNS", kStrings},
    {"clusterDomain", kString},
    {"configMapAndSecretChangeDetectionStrategy", kString},
    {"containerLogMaxFiles", kInt32},
    {"containerLogMaxSize", kString},
    {"containerLogMaxWorkers", kInt32},
    {"containerLogMonitorInterval", kDuration},
    {"containerRuntimeEndpoint", kString},
    {"contentType", kString},
    {"cpuCFSQuota", kBool},
    {"cpuCFSQuotaPeriod", kDuration},
    {"cpuManagerPolicy", kString},
    {"cpuManagerPolicyOptions", kStringMap},
    {"cpuManagerReconcilePeriod", kDuration},
    {"crashLoopBackOff", kObject, kCrashLoopBackOff},
    {"defaultPodSysctls", kStringMap},
    {"enableContentionProfiling", kBool},
    {"enableControllerAttachDetach", kBool},
    {"enableDebugFlagsHandler", kBool},
    {"enableDebuggingHandlers", kBool},
    {"enableProfilingHandler", kBool},
    {"enableServer", kBool},
    {"enableSystemLogHandler", kBool},
    {"enableSystemLogQuery", kBool},
    {"enforceNodeAllocatable", kStrings},
    {"eventBurst", kInt32},
    {"eventRecordQPS", kInt32},
    {"evictionHard", kStringMap},
    {"evictionMaxPodGracePeriod", kInt32},
    {"evictionMinimumReclaim", kStringMap},
    {"evictionPressureTransitionPeriod", kDuration},
    {"evictionSoft", kStringMap},
    {"evictionSoftGracePeriod", kStringMap},
    {"failCgroupV1", kBool},
    {"failSwapOn", kBool},
    {"featureGates", kBoolMap, {}, kHonoured},
    {"fileCheckFrequency", kDuration},
    {"hairpinMode", kString},
    {"healthzBindAddress", kString, {}, kHonoured},
    {"healthzPort", kInt32, {}, kHonoured},
    {"httpCheckFrequency", kDuration},
    {"imageGCHighThresholdPercent", kInt32},
    {"imageGCLowThresholdPercent", kInt32},
    {"imageMaximumGCAge", kDuration},
    {"imageMinimumGCAge", kDuration},
    {"imagePullCredentialsVerificationPolicy", kString},
    {"imageServiceEndpoint", kString},
    {"iptablesDropBit", kInt32},
    {"iptablesMasqueradeBit", kInt32},
    {"kernelMemcgNotification", kBool},
    {"kind", kString, {}, kHonoured},
    {"kubeAPIBurst", kInt32},
    {"kubeAPIQPS", kInt32},
    {"kubeReserved", kStringMap},
    {"kubeReservedCgroup", kString},
    {"kubeletCgroups", kString},
    {"localStorageCapacityIsolation", kBool},
    {"logging", kObject, kLogging},
    {"makeIPTablesUtilChains", kBool},
    {"maxOpenFiles", kInt64},
    {"maxParallelImagePulls", kInt32},
    {"maxPods", kInt32},
    {"memoryManagerPolicy", kString},
    {"memoryReservationPolicy", kString},
    {"memorySwap", kObject, kMemorySwap},
    {"memoryThrottlingFactor", kFloat},
    {"mergeDefaultEvictionSettings", kBool},
    {"nodeLeaseDurationSeconds", kInt32},
    {"nodeStatusMaxImages", kInt32},
    {"nodeStatusReportFrequency", kDuration},
    {"nodeStatusUpdateFrequency", kDuration},
    {"oomScoreAdj", kInt32},
    {"podCIDR", kString},
    {"podLogsDir", kString},
    {"podPidsLimit", kInt64},
    {"podsPerCore", kInt32},
    {"port", kInt32},
    {"preloadedImagesVerificationAllowlist", kStrings},
    {"protectKernelDefaults", kBool},
    {"providerID", kString},
    {"qosReserved", kStringMap},
    {"readOnlyPort", kInt32},
    {"registerNode", kBool},
    {"registerWithTaints", kObjects, kTaint},
    {"registryBurst", kInt32},
    {"registryPullQPS", kInt32},
    {"reservedMemory", kObjects, kMemoryReservation},
    {"reservedSystemCPUs", kString},
    {"resolvConf", kString},
    {"rotateCertificates", kBool},
    {"runOnce", kBool},
    {"runtimeRequestTimeout", kDuration},
    {"seccompDefault", kBool},
    {"serializeImagePulls", kBool},
    {"serverTLSBootstrap", kBool},
    {"showHiddenMetricsForVersion", kString},
    {"shutdownGracePeriod", kDuration},
    {"shutdownGracePeriodByPodPriority", kObjects, kPriorityGracePeriod},
    {"shutdownGracePeriodCriticalPods", kDuration},
    {"singleProcessOOMKill", kBool},
    {"staticPodPath", kString, {}, kHonoured},
    {"staticPodURL", kString},
    {"staticPodURLHeader", kStringsMap},
    {"streamingConnectionIdleTimeout", kDuration},
    {"syncFrequency", kDuration},
    {"systemCgroups", kString},
    {"systemReserved", kStringMap},
    {"systemReservedCgroup", kString},
    {"tlsCertFile", kString},
    {"tlsCipherSuites", kStrings},
    {"tlsCurvePreferences", kInt32s},
    {"tlsMinVersion", kString},
    {"tlsPrivateKeyFile", kString},
    {"topologyManagerPolicy", kString, {}, kHonoured},
    {"topologyManagerPolicyOptions", kStringMap, {}, kHonoured},
    {"topologyManagerScope", kString, {}, kHonoured},
    {"tracing", kObject, kTracing},
    {"userNamespaces", kObject, kUserNamespaces},
    {"volumePluginDir", kString},
    {"volumeStatsAggPeriod", kDuration},
};

}  // namespace

absl::Span<const KubeletConfigField> KubeletConfigFields() { return kTop; }

const KubeletConfigField* FindField(absl::Span<const KubeletConfigField> fields, std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [name](const KubeletConfigField& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

}  // namespace kubelet_cm::config
