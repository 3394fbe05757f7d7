#include "kubelet_cm/control/pod_request.h"

#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/quote.h"
#include "common/status/status_macros.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "kubelet_cm/manifest/pod_manifest.h"
#include "kubelet_cm/manifest/pod_parser.h"

namespace kubelet_cm {
namespace {

using ::kubeletcm::v1::AdmitPodRequest;
using ::kubeletcm::v1::PodFields;
using ::kubeletcm::v1::PodReference;

constexpr int kMostContainers = 1000;
constexpr int kMostClaims = 1000;

absl::StatusOr<ContainerKind> KindOf(const std::string& kind) {
  if (kind == "init") return ContainerKind::kInit;
  if (kind == "sidecar") return ContainerKind::kSidecar;
  if (kind == "app" || kind.empty()) return ContainerKind::kApp;
  return absl::InvalidArgumentError(
      absl::StrCat("a container is of kind init, sidecar or app, and not ", GoQuote(kind)));
}

absl::StatusOr<Container> ContainerOf(const PodFields::Container& fields) {
  if (fields.name().empty()) return absl::InvalidArgumentError("a container has no name");
  if (fields.claims_size() > kMostClaims) return absl::InvalidArgumentError("a container has too many claims");
  Container container{.name = fields.name()};
  ASSIGN_OR_RETURN(container.kind, KindOf(fields.kind()));
  for (const auto& [resource, count] : fields.limits()) {
    if (count < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("container ", GoQuote(fields.name()), " has a negative limit of ", GoQuote(resource)));
    }
    container.limits[resource] = count;
  }
  for (const PodFields::ClaimUse& use : fields.claims()) {
    container.claims.push_back({.name = use.name(), .request = use.request()});
  }
  return container;
}

absl::Status CheckUniqueContainers(const Pod& pod) {
  absl::flat_hash_set<std::string_view> names;
  bool app_seen = false;
  for (const Container& container : pod.containers) {
    if (!names.insert(container.name).second) {
      return absl::InvalidArgumentError(absl::StrCat("there are two containers ", GoQuote(container.name)));
    }
    if (app_seen && container.kind != ContainerKind::kApp) {
      return absl::InvalidArgumentError("init containers and sidecars come before app containers");
    }
    app_seen = container.kind == ContainerKind::kApp;
  }
  return absl::OkStatus();
}

absl::StatusOr<Pod> PodOfFields(const PodFields& fields) {
  if (fields.name().empty()) return absl::InvalidArgumentError("the pod has no name");
  if (fields.containers_size() > kMostContainers) return absl::InvalidArgumentError("the pod has too many containers");
  if (fields.claims_size() > kMostClaims) return absl::InvalidArgumentError("the pod has too many claims");
  Pod pod{.uid = fields.uid(), .namespace_name = fields.namespace_(), .name = fields.name()};
  if (pod.namespace_name.empty()) pod.namespace_name = "default";
  for (const PodFields::Container& container : fields.containers()) {
    ASSIGN_OR_RETURN(Container read, ContainerOf(container));
    pod.containers.push_back(std::move(read));
  }
  RETURN_IF_ERROR(CheckUniqueContainers(pod));
  for (const PodFields::Claim& claim : fields.claims()) {
    if (claim.name().empty() || claim.resource_claim_name().empty()) {
      return absl::InvalidArgumentError("a claim needs a name and the name of its ResourceClaim");
    }
    pod.claims.push_back({.name = claim.name(), .object_name = claim.resource_claim_name()});
  }
  return pod;
}

// The same for the same fields, in whatever order their maps are.
std::string BytesOf(const PodFields& fields) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream output(&stream);
  output.SetSerializationDeterministic(true);
  fields.SerializeToCodedStream(&output);
  output.Trim();
  return bytes;
}

}  // namespace

absl::StatusOr<PodName> PodNameOf(const PodReference& reference) {
  if (reference.uid().empty() && reference.name().empty()) {
    return absl::InvalidArgumentError("say which pod: its uid, or its namespace and name");
  }
  PodName name{.uid = reference.uid(), .namespace_name = reference.namespace_(), .name = reference.name()};
  if (name.namespace_name.empty()) name.namespace_name = "default";
  return name;
}

absl::StatusOr<Pod> PodOf(const AdmitPodRequest& request, std::string_view node_name) {
  PodManifest manifest;
  switch (request.pod_case()) {
    case AdmitPodRequest::kManifest: {
      ASSIGN_OR_RETURN(manifest, ParsePod(request.manifest()));
      break;
    }
    case AdmitPodRequest::kFields: {
      ASSIGN_OR_RETURN(manifest.pod, PodOfFields(request.fields()));
      manifest.fingerprint = BytesOf(request.fields());
      break;
    }
    case AdmitPodRequest::POD_NOT_SET:
      return absl::InvalidArgumentError("there is no pod in the request: it needs a manifest or fields");
  }
  if (manifest.being_deleted) return absl::InvalidArgumentError("the pod is being deleted");
  if (manifest.phase == "Succeeded" || manifest.phase == "Failed") {
    return absl::InvalidArgumentError(absl::StrCat("the pod has ended: its phase is ", manifest.phase));
  }
  if (manifest.pod.uid.empty()) manifest.pod.uid = UidFromContent(manifest, node_name);
  return std::move(manifest.pod);
}

}  // namespace kubelet_cm
