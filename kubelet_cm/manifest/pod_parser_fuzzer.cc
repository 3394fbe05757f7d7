// Any bytes: what is accepted can be a static pod, is within bounds, and reads the same again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/status/check.h"
#include "kubelet_cm/manifest/pod_manifest.h"
#include "kubelet_cm/manifest/pod_parser.h"

namespace kubelet_cm {
namespace {

void Parse(std::string_view bytes) {
  const auto pods = ParsePods(bytes);
  if (!pods.ok()) {
    CHECK(!pods.status().message().empty());
    return;
  }
  CHECK(*ParsePods(bytes) == *pods);
  for (const PodManifest& manifest : *pods) {
    CHECK(!manifest.pod.containers.empty() && manifest.pod.containers.size() <= 2 * kMaxContainers);
    for (const Container& container : manifest.pod.containers) {
      for (const auto& [resource, limit] : container.limits) CHECK(limit >= 0 && !resource.empty());
    }
    if (const auto placed = AsStaticPod(manifest, "node"); placed.ok()) CHECK(!placed->pod.uid.empty());
  }
}

}  // namespace
}  // namespace kubelet_cm

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kubelet_cm::Parse(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
