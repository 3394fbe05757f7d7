#include "dra/claim/claim_annotations.h"

#include <string>
#include <utility>

#include "common/status/status_macros.h"

namespace kubelet_cm::dra {

absl::StatusOr<std::vector<CdiAnnotation>> AnnotationsOf(const ClaimEntry& entry, AnnotationKey key) {
  std::vector<CdiAnnotation> annotations;
  for (const auto& [name, driver] : entry.drivers) {
    const std::vector<std::string> ids = CdiIdsOf(driver);
    if (ids.empty()) continue;
    const std::string& owner = key == AnnotationKey::kDriver ? name : entry.driver_name;
    ASSIGN_OR_RETURN(CdiAnnotation annotation, MakeCdiAnnotation(owner, entry.id.uid, ids));
    annotations.push_back(std::move(annotation));
  }
  return annotations;
}

}  // namespace kubelet_cm::dra
