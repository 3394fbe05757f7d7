#include "common/node/pod.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace kubelet_cm {

const Container* Pod::FindContainer(std::string_view container_name) const {
  const auto found = std::find_if(containers.begin(), containers.end(),
                                  [&](const Container& container) { return container.name == container_name; });
  return found == containers.end() ? nullptr : &*found;
}

std::string Pod::LogName() const { return namespace_name.empty() ? name : absl::StrCat(namespace_name, "/", name); }

bool Pod::BackedByClaim(std::string_view container_name, std::string_view resource_name) const {
  if (!extended_resource_claim.has_value()) return false;
  const auto& mappings = extended_resource_claim->mappings;
  return std::any_of(mappings.begin(), mappings.end(), [&](const ExtendedResourceClaim::Mapping& mapping) {
    return mapping.container_name == container_name && mapping.resource_name == resource_name;
  });
}

}  // namespace kubelet_cm
