#include "kubelet_cm/pods/pod_codec.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "checkpointmanager/checksum/crc32.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/pods/stored_pod.pb.h"

namespace kubelet_cm {
namespace {

using Limits = absl::btree_map<std::string, int64_t>;
using StoredLimits = google::protobuf::RepeatedPtrField<pods::Limit>;

absl::Status Damaged(std::string_view what) {
  return absl::DataLossError("the file of a pod is damaged: " + std::string(what));
}

void StoreLimits(const Limits& limits, StoredLimits* stored) {
  for (const auto& [resource, count] : limits) {
    pods::Limit& limit = *stored->Add();
    limit.set_resource(resource);
    limit.set_count(count);
  }
}

Limits ReadLimits(const StoredLimits& stored) {
  Limits limits;
  for (const pods::Limit& limit : stored) limits[limit.resource()] = limit.count();
  return limits;
}

pods::Container::Kind StoredKind(ContainerKind kind) {
  switch (kind) {
    case ContainerKind::kInit:
      return pods::Container::KIND_INIT;
    case ContainerKind::kSidecar:
      return pods::Container::KIND_SIDECAR;
    case ContainerKind::kApp:
      return pods::Container::KIND_APP;
  }
  return pods::Container::KIND_UNSPECIFIED;
}

absl::StatusOr<ContainerKind> ReadKind(pods::Container::Kind kind) {
  switch (kind) {
    case pods::Container::KIND_INIT:
      return ContainerKind::kInit;
    case pods::Container::KIND_SIDECAR:
      return ContainerKind::kSidecar;
    case pods::Container::KIND_APP:
      return ContainerKind::kApp;
    default:
      return Damaged("a container of no known kind");
  }
}

void StorePod(const Pod& pod, pods::Pod* stored) {
  stored->set_uid(pod.uid);
  stored->set_namespace_name(pod.namespace_name);
  stored->set_name(pod.name);
  stored->set_scheduling_group(pod.scheduling_group);
  StoreLimits(pod.pod_limits, stored->mutable_pod_limits());
  for (const Container& container : pod.containers) {
    pods::Container& to = *stored->add_containers();
    to.set_name(container.name);
    to.set_kind(StoredKind(container.kind));
    StoreLimits(container.limits, to.mutable_limits());
    for (const ContainerClaim& claim : container.claims) {
      pods::ContainerClaim& use = *to.add_claims();
      use.set_name(claim.name);
      use.set_request(claim.request);
    }
  }
  for (const PodClaim& claim : pod.claims) {
    pods::PodClaim& to = *stored->add_claims();
    to.set_name(claim.name);
    if (claim.object_name.has_value()) to.set_object_name(*claim.object_name);
    to.set_from_template(claim.from_template);
    to.set_not_needed(claim.not_needed);
  }
  if (!pod.extended_resource_claim.has_value()) return;
  pods::ExtendedResourceClaim& extended = *stored->mutable_extended_resource_claim();
  extended.set_object_name(pod.extended_resource_claim->object_name);
  for (const ExtendedResourceClaim::Mapping& mapping : pod.extended_resource_claim->mappings) {
    pods::ExtendedResourceClaim::Mapping& to = *extended.add_mappings();
    to.set_container_name(mapping.container_name);
    to.set_resource_name(mapping.resource_name);
    to.set_request_name(mapping.request_name);
  }
}

absl::StatusOr<Container> ReadContainer(const pods::Container& stored) {
  Container container{.name = stored.name(), .limits = ReadLimits(stored.limits())};
  ASSIGN_OR_RETURN(container.kind, ReadKind(stored.kind()));
  for (const pods::ContainerClaim& claim : stored.claims()) {
    container.claims.push_back({.name = claim.name(), .request = claim.request()});
  }
  return container;
}

absl::StatusOr<Pod> ReadPod(const pods::Pod& stored) {
  if (stored.uid().empty()) return Damaged("a pod without a uid");
  Pod pod{.uid = stored.uid(), .namespace_name = stored.namespace_name(), .name = stored.name()};
  pod.scheduling_group = stored.scheduling_group();
  pod.pod_limits = ReadLimits(stored.pod_limits());
  for (const pods::Container& container : stored.containers()) {
    ASSIGN_OR_RETURN(Container read, ReadContainer(container));
    pod.containers.push_back(std::move(read));
  }
  for (const pods::PodClaim& claim : stored.claims()) {
    PodClaim& to = pod.claims.emplace_back();
    to.name = claim.name();
    if (claim.has_object_name()) to.object_name = claim.object_name();
    to.from_template = claim.from_template();
    to.not_needed = claim.not_needed();
  }
  if (!stored.has_extended_resource_claim()) return pod;
  ExtendedResourceClaim& extended = pod.extended_resource_claim.emplace();
  extended.object_name = stored.extended_resource_claim().object_name();
  for (const auto& mapping : stored.extended_resource_claim().mappings()) {
    extended.mappings.push_back({.container_name = mapping.container_name(),
                                 .resource_name = mapping.resource_name(),
                                 .request_name = mapping.request_name()});
  }
  return pod;
}

pods::StoredPod::Source StoredSource(PodSource source) {
  switch (source) {
    case PodSource::kApi:
      return pods::StoredPod::SOURCE_API;
    case PodSource::kFolder:
      return pods::StoredPod::SOURCE_FOLDER;
    case PodSource::kStateFile:
      return pods::StoredPod::SOURCE_STATE_FILE;
  }
  return pods::StoredPod::SOURCE_UNSPECIFIED;
}

absl::StatusOr<PodSource> ReadSource(pods::StoredPod::Source source) {
  switch (source) {
    case pods::StoredPod::SOURCE_API:
      return PodSource::kApi;
    case pods::StoredPod::SOURCE_FOLDER:
      return PodSource::kFolder;
    case pods::StoredPod::SOURCE_STATE_FILE:
      return PodSource::kStateFile;
    default:
      return Damaged("a pod of no known source");
  }
}

pods::StoredPod::Phase StoredPhase(PodPhase phase) {
  switch (phase) {
    case PodPhase::kAdmitted:
      return pods::StoredPod::PHASE_ADMITTED;
    case PodPhase::kPrepared:
      return pods::StoredPod::PHASE_PREPARED;
    case PodPhase::kTerminating:
      return pods::StoredPod::PHASE_TERMINATING;
    case PodPhase::kRestored:
      return pods::StoredPod::PHASE_RESTORED;
    case PodPhase::kAdmitting:
    case PodPhase::kRefused:
      break;
  }
  CHECK(phase != PodPhase::kAdmitting && phase != PodPhase::kRefused);  // what was not admitted is not kept
  return pods::StoredPod::PHASE_UNSPECIFIED;
}

absl::StatusOr<PodPhase> ReadPhase(pods::StoredPod::Phase phase) {
  switch (phase) {
    case pods::StoredPod::PHASE_ADMITTED:
      return PodPhase::kAdmitted;
    case pods::StoredPod::PHASE_PREPARED:
      return PodPhase::kPrepared;
    case pods::StoredPod::PHASE_TERMINATING:
      return PodPhase::kTerminating;
    case pods::StoredPod::PHASE_RESTORED:
      return PodPhase::kRestored;
    default:
      return Damaged("a pod in no known phase");
  }
}

}  // namespace

std::string EncodePodRecord(const PodRecord& record, std::string_view boot_id) {
  pods::StoredPod stored;
  StorePod(*record.pod, stored.mutable_pod());
  stored.set_source(StoredSource(record.source));
  stored.set_phase(StoredPhase(record.phase));
  for (const std::string& name : record.running) stored.add_running_containers(name);
  stored.set_boot_id(boot_id.data(), boot_id.size());
  stored.set_since_unix_nanos(absl::ToUnixNanos(record.since));
  pods::StoredPodFile file;
  stored.SerializeToString(file.mutable_stored_pod());
  file.set_crc32(Crc32(file.stored_pod()));
  return file.SerializeAsString();
}

absl::StatusOr<StoredRecord> DecodePodRecord(std::string_view bytes) {
  pods::StoredPodFile file;
  if (!file.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return Damaged("no such message");
  if (file.crc32() != Crc32(file.stored_pod())) return Damaged("its checksum differs");
  pods::StoredPod stored;
  if (!stored.ParseFromString(file.stored_pod())) return Damaged("no pod in it");
  StoredRecord read;
  ASSIGN_OR_RETURN(Pod pod, ReadPod(stored.pod()));
  read.record.pod = std::make_shared<const Pod>(std::move(pod));
  ASSIGN_OR_RETURN(read.record.source, ReadSource(stored.source()));
  ASSIGN_OR_RETURN(read.record.phase, ReadPhase(stored.phase()));
  read.record.running.insert(stored.running_containers().begin(), stored.running_containers().end());
  read.record.since = absl::FromUnixNanos(stored.since_unix_nanos());
  read.boot_id = stored.boot_id();
  return read;
}

}  // namespace kubelet_cm
