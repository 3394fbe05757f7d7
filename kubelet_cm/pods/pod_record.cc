#include "kubelet_cm/pods/pod_record.h"

#include "absl/strings/str_cat.h"

namespace kubelet_cm {

std::string_view PodSourceName(PodSource source) {
  switch (source) {
    case PodSource::kApi:
      return "api";
    case PodSource::kFolder:
      return "folder";
    case PodSource::kStateFile:
      return "state-file";
  }
  return "unknown";
}

std::string PodDisplayName(const Pod& pod) {
  return pod.name.empty() ? pod.uid : absl::StrCat(pod.namespace_name, "/", pod.name);
}

}  // namespace kubelet_cm
