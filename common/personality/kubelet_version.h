// A kubelet's version as far as behaviour depends on it: 1.20, 1.20.15, v1.22.17, v1.38.0-alpha.0+e81f39c0.
//
// A plain value. Pre-releases and build metadata are accepted and left out: a pre-release counts as its release.
#ifndef KUBELET_CM_COMMON_PERSONALITY_KUBELET_VERSION_H_
#define KUBELET_CM_COMMON_PERSONALITY_KUBELET_VERSION_H_

#include <compare>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace kubelet_cm {

struct KubeletVersion {
  int major = 1;
  int minor = 0;
  int patch = 0;

  // Without a patch number, the first release of that minor version is meant: "1.20" is 1.20.0.
  static absl::StatusOr<KubeletVersion> Parse(std::string_view text);

  std::string ToString() const;

  friend auto operator<=>(const KubeletVersion&, const KubeletVersion&) = default;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_PERSONALITY_KUBELET_VERSION_H_
