// ManifestObjects: the Kubernetes objects in a text: JSON or YAML, one document or many, lists of any kind taken apart.
//
//   ASSIGN_OR_RETURN(const ManifestObjects objects, ManifestObjects::Read(text));
//   for (const ManifestObject& object : objects.all()) { ... object.kind ... object.value.members() ... }
//
// Immutable after Read.
#ifndef KUBELET_CM_KUBELET_CM_MANIFEST_MANIFEST_OBJECTS_H_
#define KUBELET_CM_KUBELET_CM_MANIFEST_MANIFEST_OBJECTS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/gotext/json_document.h"
#include "kubelet_cm/manifest/manifest_text.h"

namespace kubelet_cm {

// Of JSON; YAML has a bound of its own (yaml_to_json.h).
inline constexpr size_t kMaxManifestBytes = size_t{4} << 20;
inline constexpr size_t kMaxManifestObjects = 10'000;

// Refers to the ManifestObjects that it is of.
struct ManifestObject {
  std::string api_version;  // for an item of a typed list that does not say: the list's
  std::string kind;
  JsonValue value;
  const ManifestText* text;

  // `error` with the object's place, or the place that the JSON reader's error names.
  absl::Status WithPlace(const absl::Status& error) const;
};

class ManifestObjects {
 public:
  // A text that begins with "{" is JSON, any other YAML, as for the kubelet. Errors name line and column.
  static absl::StatusOr<ManifestObjects> Read(std::string_view text);

  // In the order of the text.
  const std::vector<ManifestObject>& all() const { return objects_; }

 private:
  ManifestObjects() = default;
  absl::Status AddDocument(ManifestText text);
  absl::Status Add(JsonValue value, const ManifestText* text, std::string_view list_kind,
                   std::string_view list_version);

  std::vector<std::unique_ptr<const ManifestText>> texts_;
  std::vector<JsonDocument> documents_;
  std::vector<ManifestObject> objects_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_MANIFEST_MANIFEST_OBJECTS_H_
