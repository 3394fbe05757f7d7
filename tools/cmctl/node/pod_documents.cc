#include "tools/cmctl/node/pod_documents.h"

#include <utility>

#include "absl/status/status.h"
#include "common/gotext/json_writer.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/manifest/manifest_objects.h"

namespace kubelet_cm::cmctl {
namespace {

// With its kind, which an item of a list may leave to the list.
std::string PodJson(const ManifestObject& object) {
  std::string json;
  JsonWriter writer(&json);
  writer.BeginObject();
  writer.Key("apiVersion");
  writer.String(object.api_version);
  writer.Key("kind");
  writer.String(object.kind);
  for (const auto [key, value] : object.value.members()) {
    if (key.text() == "apiVersion" || key.text() == "kind") continue;
    writer.Key(key.text());
    writer.Raw(value.literal());
  }
  writer.EndObject();
  return json;
}

}  // namespace

absl::StatusOr<PodDocuments> SplitPods(const std::string& text) {
  ASSIGN_OR_RETURN(const ManifestObjects objects, ManifestObjects::Read(text));
  PodDocuments documents;
  for (const ManifestObject& object : objects.all()) {
    if (object.kind == "Pod") {
      documents.pods.push_back(PodJson(object));
    } else {
      documents.passed_over.push_back(object.kind);
    }
  }
  if (documents.pods.empty()) return absl::InvalidArgumentError("there is no pod in it");
  if (objects.all().size() == 1) documents.pods = {text};
  return documents;
}

}  // namespace kubelet_cm::cmctl
