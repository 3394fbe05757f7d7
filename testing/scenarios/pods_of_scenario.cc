#include "testing/scenarios/pods_of_scenario.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::scenarios {
namespace {

Container ContainerOf(const proto::Container& from) {
  Container container{.name = from.name()};
  if (from.kind() == proto::Container::INIT) container.kind = ContainerKind::kInit;
  if (from.kind() == proto::Container::SIDECAR) container.kind = ContainerKind::kSidecar;
  for (const proto::Quantity& limit : from.limits()) container.limits[limit.resource()] = limit.count();
  for (const std::string& claim : from.claims()) container.claims.push_back({.name = claim, .request = ""});
  return container;
}

Pod PodOf(const proto::Admit& admit) {
  Pod pod{.uid = admit.pod(), .namespace_name = "default", .name = admit.pod()};
  for (const std::string& claim : admit.claims()) pod.claims.push_back({.name = claim, .object_name = claim});
  for (const proto::Container& container : admit.containers()) pod.containers.push_back(ContainerOf(container));
  if (admit.containers_size() == 0) {
    proto::Container main;
    main.set_name("main");
    *main.mutable_limits() = admit.limits();
    *main.mutable_claims() = admit.claims();
    pod.containers.push_back(ContainerOf(main));
  }
  std::stable_partition(pod.containers.begin(), pod.containers.end(),
                        [](const Container& container) { return container.kind != ContainerKind::kApp; });
  return pod;
}

}  // namespace

absl::StatusOr<Pod> PodsOfScenario::Make(const proto::Admit& admit, BenchNode& node) {
  const bool specified = admit.limits_size() > 0 || admit.claims_size() > 0 || admit.containers_size() > 0;
  if (specified || !pods_.contains(admit.pod())) pods_[admit.pod()] = PodOf(admit);
  const Pod& pod = pods_.at(admit.pod());
  for (const PodClaim& claim : pod.claims) {
    users_[claim.name].insert(pod.uid);
    RETURN_IF_ERROR(AddClaim(claims_.at(claim.name), node));
  }
  return pod;
}

absl::Status PodsOfScenario::AddClaim(const proto::AddClaim& claim, BenchNode& node) {
  const std::string& name = claim.claim();
  const std::string uid = claim.uid().empty() ? absl::StrCat(name, "-uid") : claim.uid();
  if (claim_uids_.contains(name) && claim_uids_[name] != uid) users_.erase(name);
  claims_[name] = claim;
  claim_uids_[name] = uid;
  return node.SetClaim(claim, users_[name]);
}

}  // namespace kubelet_cm::scenarios
