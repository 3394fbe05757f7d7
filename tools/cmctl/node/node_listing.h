// What `cmctl get` lists: rows made of the answers of the control API, and the answers themselves.
//
// Pure functions.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_NODE_LISTING_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_NODE_LISTING_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "kubelet_cm/api/control.pb.h"

namespace kubelet_cm::cmctl {

struct ListedItem {
  std::string name = {};  // "pod/default/web"
  std::vector<std::string> cells = {};
};

struct Listing {
  std::vector<std::string> headings = {};
  size_t state_column = 0;  // the one that says "Gone" of an item that is not there any more
  // The one that changes with time alone, which is no change of the item.
  std::optional<size_t> age_column = {};
  std::vector<ListedItem> items = {};
};

// `wide` adds columns behind.
Listing ListPods(const ::kubeletcm::v1::ListPodsResponse& answer, bool wide, absl::Time now);
Listing ListDevices(const ::kubeletcm::v1::NodeResourcesResponse& answer, bool wide);
Listing ListResources(const ::kubeletcm::v1::NodeResourcesResponse& answer, bool wide);
Listing ListPlugins(const ::kubeletcm::v1::ListPluginsResponse& answer, bool wide);
// The plugins that have a socket, by it.
Listing ListEndpoints(const ::kubeletcm::v1::ListPluginsResponse& answer, bool wide);
Listing ListClaims(const ::kubeletcm::v1::ListClaimsResponse& answer, bool wide);
Listing ListEvents(const std::vector<::kubeletcm::v1::Event>& events, bool wide);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_NODE_LISTING_H_
