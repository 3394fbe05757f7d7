// State files for tests, small ones of each kind with right checksums.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_SAMPLE_FILES_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_SAMPLE_FILES_H_

#include <string>

namespace kubelet_cm::cmctl {

inline constexpr char kDevicesV1[] =
    R"({"Data":{"PodDeviceEntries":[{"PodUID":"pod1","ContainerName":"con1","ResourceName":"example.com/gpu",)"
    R"("DeviceIDs":["dev1","dev2"],"AllocResp":"CgYKAUESAUI="}],"RegisteredDevices":{"example.com/gpu":["dev1",)"
    R"("dev2"]}},"Checksum":4071032665})";

inline constexpr char kDevicesV2[] =
    R"({"Data":{"PodDeviceEntries":[{"PodUID":"pod1","ContainerName":"con1","ResourceName":"example.com/gpu",)"
    R"("DeviceIDs":{"-1":["dev5"],"0":["dev1","dev2"],"10":["dev4"],"2":["dev3"]},"AllocResp":"CgYKAUESAUI="}],)"
    R"("RegisteredDevices":{"example.com/gpu":["dev1","dev2","dev3","dev4","dev5"]}},"Checksum":398046882})";

// 1.30, with a resource handle.
inline constexpr char kClaims130[] =
    R"({"version":"v1","entries":[{"DriverName":"drv.example.com","ClassName":"gold","ClaimUID":"u-1",)"
    R"("ClaimName":"c1","Namespace":"ns1","PodUIDs":{"p1":{},"p2":{}},"ResourceHandles":[{"driverName":)"
    R"("drv.example.com","data":"opaque"}],"CDIDevices":{"drv.example.com":["ex.com/gpu=0","ex.com/gpu=1"]}}],)"
    R"("checksum":1695457872})";

// 1.37, prepared, for two pods.
inline constexpr char kClaims137[] =
    R"({"Data":"{\"kind\":\"DRACheckpoint\",\"apiVersion\":\"checkpoint.dra.kubelet.k8s.io/v1\",)"
    R"(\"ClaimInfoStateList\":[{\"ClaimUID\":\"uid-1\",\"ClaimName\":\"c1\",\"Namespace\":\"ns\",)"
    R"(\"PodUIDs\":{\"p1\":{},\"p2\":{}},\"DriverState\":{\"drv.example.com\":{\"Devices\":[{\"PoolName\":\"pool\",)"
    R"(\"DeviceName\":\"dev\",\"ShareID\":null,\"RequestNames\":[\"r1\"],\"CDIDeviceIDs\":[\"v.com/c=d\"]}],)"
    R"(\"skipNodeOperations\":[\"*\"]}}}]}","Checksum":3447039487})";

inline constexpr char kHealth[] =
    R"({"drv.example.com":{"Devices":{"pool/dev":{"PoolName":"pool","DeviceName":"dev","Health":"Unhealthy",)"
    R"("LastUpdated":"2026-08-01T10:00:00Z","HealthCheckTimeout":30000000000,"Message":"fan"}}}})";

// `text` with the first `from` made `to`.
inline std::string Altered(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_SAMPLE_FILES_H_
