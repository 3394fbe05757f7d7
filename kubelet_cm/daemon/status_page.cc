#include "kubelet_cm/daemon/status_page.h"

#include "absl/container/btree_map.h"
#include "absl/strings/str_cat.h"

namespace kubelet_cm {
namespace {

absl::btree_map<std::string, int> PodsByState(const NodePicture& node) {
  absl::btree_map<std::string, int> counts;
  for (const ::kubeletcm::v1::PodView& pod : node.pods.pods()) {
    ++counts[::kubeletcm::v1::PodState_Name(pod.state())];
  }
  return counts;
}

}  // namespace

std::string RenderStatusPage(const ::kubeletcm::v1::VersionResponse& version, const NodePicture& node, absl::Time now) {
  const absl::Time started = absl::FromUnixNanos(version.started_unix_nanos());
  std::string page = absl::StrCat("kubelet_cm statusz\n\nversion: ", version.version(),
                                  "\nemulated kubelet: ", version.emulated_kubelet(), "\nnode: ", version.node_name(),
                                  "\nroot: ", version.root_dir(), "\nstarted: ", absl::FormatTime(started),
                                  "\nup: ", absl::FormatDuration(absl::Trunc(now - started, absl::Seconds(1))), "\n");
  for (const std::string& outcome : version.restored()) absl::StrAppend(&page, "found at the start: ", outcome, "\n");
  absl::StrAppend(&page, "\npods\n");
  for (const auto& [state, count] : PodsByState(node)) absl::StrAppend(&page, "  ", state, ": ", count, "\n");
  absl::StrAppend(&page, "\nresources (held / allocatable / capacity)\n");
  for (const auto& resource : node.resources.resources()) {
    absl::StrAppend(&page, "  ", resource.name(), ": ", resource.allocated(), " / ", resource.allocatable(), " / ",
                    resource.capacity(), resource.connected() ? "" : " (no plugin)", "\n");
  }
  absl::StrAppend(&page, "\nclaims: ", node.claims.claims_size(), "\n\nplugins\n");
  for (const auto& plugin : node.plugins.plugins()) {
    absl::StrAppend(&page, "  ", plugin.type(), " ", plugin.name(), " ", plugin.state(), "\n");
  }
  return page;
}

}  // namespace kubelet_cm
