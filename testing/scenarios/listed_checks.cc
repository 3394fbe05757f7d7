#include "testing/scenarios/listed_checks.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace kubelet_cm::scenarios {
namespace {

using proto::Expect;
using Devices = google::protobuf::RepeatedPtrField<::v1::ContainerDevices>;

// "a,b on nodes 0,1"
std::string Words(const std::set<std::string>& ids, const std::set<int64_t>& nodes) {
  if (ids.empty()) return "nothing";
  return absl::StrCat(absl::StrJoin(ids, ","),
                      nodes.empty() ? "" : absl::StrCat(" on nodes ", absl::StrJoin(nodes, ",")));
}

// Of a Listed or an Allocatable.
template <typename Wanted>
std::string WordsOf(const Wanted& wanted) {
  return Words({wanted.ids().begin(), wanted.ids().end()}, {wanted.numa().begin(), wanted.numa().end()});
}

std::string WordsOf(const Devices& devices, const std::string& resource) {
  std::set<std::string> ids;
  std::set<int64_t> nodes;
  for (const ::v1::ContainerDevices& device : devices) {
    if (device.resource_name() != resource) continue;
    ids.insert(device.device_ids().begin(), device.device_ids().end());
    for (const ::v1::NUMANode& node : device.topology().nodes()) nodes.insert(node.id());
  }
  return Words(ids, nodes);
}

// "c,d with example.com/gpu=0"
std::string ClaimWords(const std::set<std::string>& claims, const std::set<std::string>& cdi_devices) {
  if (claims.empty()) return "no claims";
  return absl::StrCat(absl::StrJoin(claims, ","), " with ",
                      cdi_devices.empty() ? "nothing" : absl::StrJoin(cdi_devices, ","));
}

std::string ClaimWordsOf(const Expect::Listed& wanted) {
  return ClaimWords({wanted.claims().begin(), wanted.claims().end()},
                    {wanted.cdi_devices().begin(), wanted.cdi_devices().end()});
}

std::string ClaimWordsOf(const ::v1::ContainerResources& container) {
  std::set<std::string> claims;
  std::set<std::string> cdi_devices;
  for (const ::v1::DynamicResource& claim : container.dynamic_resources()) {
    claims.insert(claim.claim_name());
    for (const ::v1::ClaimResource& resource : claim.claim_resources()) {
      for (const ::v1::CDIDevice& device : resource.cdi_devices()) cdi_devices.insert(device.name());
    }
  }
  return ClaimWords(claims, cdi_devices);
}

// Null: the pod has no such container.
const ::v1::ContainerResources* FindContainer(const ::v1::PodResources& pod, const std::string& container) {
  const std::string& name = container.empty() ? "main" : container;
  const auto found = std::find_if(pod.containers().begin(), pod.containers().end(),
                                  [&](const ::v1::ContainerResources& listed) { return listed.name() == name; });
  return found == pod.containers().end() ? nullptr : &*found;
}

const ::v1::PodResources* Find(const ::v1::ListPodResourcesResponse& list, const std::string& pod) {
  const auto found = std::find_if(list.pod_resources().begin(), list.pod_resources().end(),
                                  [&](const ::v1::PodResources& listed) { return listed.name() == pod; });
  return found == list.pod_resources().end() ? nullptr : &*found;
}

class ListedLook {
 public:
  explicit ListedLook(BenchNode& node) : node_(node) {}

  void Check(const Expect& expect);
  std::vector<std::string> TakeMissed() { return std::move(missed_); }

 private:
  void Check(const Expect::Listed& wanted, const ::v1::ListPodResourcesResponse& list);
  void CheckGet(const Expect::Listed& wanted, const ::v1::PodResources& listed);
  void CheckNobodyElse(const Expect& expect, const ::v1::ListPodResourcesResponse& list);
  void CheckAllocatable(const Expect& expect);
  void Compare(const std::string& what, const std::string& wanted, const std::string& seen) {
    if (wanted != seen) missed_.push_back(absl::StrCat(what, ": expected ", wanted, ", got ", seen));
  }

  BenchNode& node_;
  std::vector<std::string> missed_;
};

void ListedLook::Check(const Expect::Listed& wanted, const ::v1::ListPodResourcesResponse& list) {
  const ::v1::PodResources* const listed = Find(list, wanted.pod());
  const std::string what = absl::StrCat("what is listed of pod ", wanted.pod());
  if (wanted.missing() || listed == nullptr) {
    Compare(what, wanted.missing() ? "that it is not there" : WordsOf(wanted),
            listed == nullptr ? "that it is not there" : "that it is");
    if (wanted.missing() && node_.GetPodResources(wanted.pod()).ok()) {
      missed_.push_back(absl::StrCat("Get of pod ", wanted.pod(), " was answered, and it should not be there"));
    }
    return;
  }
  const ::v1::ContainerResources* const container = FindContainer(*listed, wanted.container());
  if (container == nullptr) return missed_.push_back(absl::StrCat(what, ": there is no such container"));
  if (!wanted.resource().empty()) Compare(what, WordsOf(wanted), WordsOf(container->devices(), wanted.resource()));
  if (wanted.claims_size() > 0) Compare(what, ClaimWordsOf(wanted), ClaimWordsOf(*container));
  CheckGet(wanted, *listed);
}

// The same as in the list; of a kubelet that has Get, and has it on.
void ListedLook::CheckGet(const Expect::Listed& wanted, const ::v1::PodResources& listed) {
  const absl::StatusOr<::v1::GetPodResourcesResponse> got = node_.GetPodResources(wanted.pod());
  if (absl::IsUnimplemented(got.status()) || got.status().message() == "PodResources API Get method disabled") return;
  Compare(absl::StrCat("what Get says of pod ", wanted.pod()), listed.ShortDebugString(),
          got.ok() ? got->pod_resources().ShortDebugString() : std::string(got.status().message()));
}

void ListedLook::CheckNobodyElse(const Expect& expect, const ::v1::ListPodResourcesResponse& list) {
  std::set<std::string> wanted;
  for (const Expect::Listed& one : expect.listed()) {
    if (!one.missing()) wanted.insert(one.pod());
  }
  std::set<std::string> seen;
  for (const ::v1::PodResources& pod : list.pod_resources()) seen.insert(pod.name());
  Compare("the pods that are listed", Words(wanted, {}), Words(seen, {}));
}

void ListedLook::CheckAllocatable(const Expect& expect) {
  const absl::StatusOr<::v1::AllocatableResourcesResponse> answer = node_.AllocatableResources();
  for (const Expect::Allocatable& wanted : expect.listed_allocatable()) {
    Compare(absl::StrCat("what is listed as allocatable ", wanted.resource()), WordsOf(wanted),
            answer.ok() ? WordsOf(answer->devices(), wanted.resource()) : std::string(answer.status().message()));
  }
}

void ListedLook::Check(const Expect& expect) {
  if (expect.listed_allocatable_size() > 0) CheckAllocatable(expect);
  if (expect.listed_size() == 0 && !expect.nobody_else_listed()) return;
  const absl::StatusOr<::v1::ListPodResourcesResponse> list = node_.ListPodResources();
  if (!list.ok()) return missed_.emplace_back(list.status().message()), void();
  for (const Expect::Listed& wanted : expect.listed()) Check(wanted, *list);
  if (expect.nobody_else_listed()) CheckNobodyElse(expect, *list);
}

}  // namespace

std::vector<std::string> LookForListed(const Expect& expect, BenchNode& node) {
  ListedLook look(node);
  look.Check(expect);
  return look.TakeMissed();
}

std::vector<std::string> ListOften(const proto::ListOften& list, BenchNode& node) {
  const absl::StatusOr<int> refused = node.RefusedOfLists(list.calls());
  if (!refused.ok()) return {std::string(refused.status().message())};
  if (*refused >= list.refused_at_least()) return {};
  return {absl::StrCat("of ", list.calls(), " calls ", *refused, " were refused, not ", list.refused_at_least())};
}

}  // namespace kubelet_cm::scenarios
