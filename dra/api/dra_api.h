// DraApi: the DRA protocols there were between the kubelet and drivers.
#ifndef KUBELET_CM_DRA_API_DRA_API_H_
#define KUBELET_CM_DRA_API_DRA_API_H_

#include <string_view>

namespace kubelet_cm::dra {

// Newest first.
enum class DraApi {
  kV1,        // Kubernetes 1.34 and newer
  kV1Beta1,   // 1.32 and newer
  kV1Alpha4,  // 1.31 to 1.33; v1alpha3.Node on the wire
  kV1Alpha3,  // 1.28 to 1.30; falls back to v1alpha2
  kV1Alpha2,  // 1.27
  kV1Alpha1,  // 1.26
};

// The name by which people know it: "v1", "v1alpha4".
constexpr std::string_view ApiName(DraApi api) {
  switch (api) {
    case DraApi::kV1:
      return "v1";
    case DraApi::kV1Beta1:
      return "v1beta1";
    case DraApi::kV1Alpha4:
      return "v1alpha4";
    case DraApi::kV1Alpha3:
      return "v1alpha3";
    case DraApi::kV1Alpha2:
      return "v1alpha2";
    case DraApi::kV1Alpha1:
      return "v1alpha1";
  }
  return "";
}

// What drivers tell a kubelet that they serve, when they register; empty for APIs of before there were such names.
constexpr std::string_view ServiceName(DraApi api) {
  switch (api) {
    case DraApi::kV1:
      return "v1.DRAPlugin";
    case DraApi::kV1Beta1:
      return "v1beta1.DRAPlugin";
    case DraApi::kV1Alpha4:
      return "v1alpha3.NodeService";
    case DraApi::kV1Alpha3:
    case DraApi::kV1Alpha2:
    case DraApi::kV1Alpha1:
      return "";
  }
  return "";
}

// The protocols by which drivers tell of their devices' health. Newest first.
enum class DraHealthApi {
  kV1,        // Kubernetes 1.37 and newer
  kV1Alpha1,  // 1.34 and newer
};

constexpr std::string_view ServiceName(DraHealthApi api) {
  switch (api) {
    case DraHealthApi::kV1:
      return "v1.DRAResourceHealth";
    case DraHealthApi::kV1Alpha1:
      return "v1alpha1.DRAResourceHealth";
  }
  return "";
}

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_API_DRA_API_H_
