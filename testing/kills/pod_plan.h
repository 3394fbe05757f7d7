// PodPlan: a pod that a caller is going to admit, from which all about it follows. A plain value.
#ifndef KUBELET_CM_TESTING_KILLS_POD_PLAN_H_
#define KUBELET_CM_TESTING_KILLS_POD_PLAN_H_

#include <string>

namespace kubelet_cm::kills {

inline constexpr char kPlain[] = "example.com/plain";
inline constexpr char kRare[] = "example.com/rare";
// Pods with higher numbers have no claim.
inline constexpr int kClaimUsers = 200;

struct PodPlan {
  int caller = 0;
  int number = 0;
  int plain = 1;
  int rare = 0;
  bool claim = false;

  std::string Uid() const;
  // The claim that all pods of the caller share: its name, and its uid.
  std::string Claim() const;
  std::string Manifest() const;
  // Of the claim, which has a device of the driver fake.example.com.
  std::string ClaimManifest() const;
};

}  // namespace kubelet_cm::kills

#endif  // KUBELET_CM_TESTING_KILLS_POD_PLAN_H_
