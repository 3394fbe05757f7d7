#include "testing/kills/pod_plan.h"

#include "absl/strings/str_cat.h"

namespace kubelet_cm::kills {

std::string PodPlan::Uid() const { return absl::StrCat("caller-", caller, "-pod-", number); }

std::string PodPlan::Claim() const { return absl::StrCat("claim-", caller); }

std::string PodPlan::Manifest() const {
  std::string text = absl::StrCat("apiVersion: v1\nkind: Pod\nmetadata: {name: ", Uid(), ", uid: ", Uid(), "}\n");
  absl::StrAppend(&text, "spec:\n");
  if (claim) absl::StrAppend(&text, "  resourceClaims: [{name: c, resourceClaimName: ", Claim(), "}]\n");
  absl::StrAppend(&text, "  containers:\n  - name: main\n    resources:\n      limits: {", kPlain, ": ", plain);
  if (rare > 0) absl::StrAppend(&text, ", ", kRare, ": ", rare);
  absl::StrAppend(&text, "}\n");
  if (claim) absl::StrAppend(&text, "      claims: [{name: c}]\n");
  return text;
}

std::string PodPlan::ClaimManifest() const {
  std::string users;
  for (int user = 0; user < kClaimUsers; ++user) {
    const std::string uid = PodPlan{.caller = caller, .number = user}.Uid();
    absl::StrAppend(&users, "  - {resource: pods, name: ", uid, ", uid: ", uid, "}\n");
  }
  return absl::StrCat("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: ", Claim(),
                      ", namespace: default, uid: ", Claim(), "}\nstatus:\n  reservedFor:\n", users,
                      "  allocation:\n    devices:\n      results: [{request: r, driver: fake.example.com, pool: pool, "
                      "device: dev-0}]\n");
}

}  // namespace kubelet_cm::kills
