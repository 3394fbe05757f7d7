#include "kubelet_cm/manifest/pod_manifest.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/quote.h"
#include "dra/claim/claim_validation.h"
#include "kubelet_cm/manifest/fingerprint.h"

namespace kubelet_cm {

std::string UidFromContent(const PodManifest& manifest, std::string_view node_name) {
  return Fingerprint(absl::StrCat(manifest.fingerprint, "/", std::string(node_name)));
}

absl::StatusOr<PodManifest> AsStaticPod(PodManifest manifest, std::string_view node_name) {
  Pod& pod = manifest.pod;
  if (pod.uid.empty()) pod.uid = UidFromContent(manifest, node_name);
  pod.name = absl::StrCat(pod.name, "-", absl::AsciiStrToLower(std::string(node_name)));
  if (!dra::IsDnsSubdomain(pod.name)) {
    return absl::InvalidArgumentError(
        absl::StrCat("metadata.name: ", GoQuote(pod.name), " is not a name of an object"));
  }
  manifest.node_name = node_name;
  return manifest;
}

}  // namespace kubelet_cm
