// FakeClaimSource: ResourceClaims as a test says, in memory. Thread-safe.
#ifndef KUBELET_CM_TESTING_FAKES_FAKE_CLAIM_SOURCE_H_
#define KUBELET_CM_TESTING_FAKES_FAKE_CLAIM_SOURCE_H_

#include <map>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/threads/mutex.h"
#include "dra/claim/claim_object.h"
#include "dra/claim_source.h"

namespace kubelet_cm::fakes {

class FakeClaimSource : public dra::ClaimSource {
 public:
  absl::StatusOr<dra::ClaimObject> Get(const std::string& namespace_name, const std::string& name) override;

  // New, or in place of the one of that name.
  void Set(const dra::ClaimObject& claim);
  void Remove(const std::string& namespace_name, const std::string& name);
  // Reserves the claim, which is there, for a pod.
  void Reserve(const std::string& namespace_name, const std::string& name, const std::string& pod_uid);
  // What every Get answers from now on, until it is told OK.
  void Fail(absl::Status failure);
  int gets() const;

 private:
  mutable Mutex mu_;
  std::map<std::string, dra::ClaimObject> claims_ ABSL_GUARDED_BY(mu_);  // by key
  absl::Status failure_ ABSL_GUARDED_BY(mu_);
  int gets_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_FAKE_CLAIM_SOURCE_H_
