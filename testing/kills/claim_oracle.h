// ClaimOracle: what callers know of the claims that were prepared for their pods. From that follows what the daemon and
// the driver may say of them after the daemon was killed and started again (C1 to C3).
//
//   EXPECT_TRUE(oracle.Prepared("claim", "pod", 1));
//   ... the daemon is killed and started ...
//   EXPECT_TRUE(oracle.Check({{"claim", {.listed = true, .pods = {"pod"}, .at_driver = true, .prepares = 1}}}));
//
// Thread-safe.
#ifndef KUBELET_CM_TESTING_KILLS_CLAIM_ORACLE_H_
#define KUBELET_CM_TESTING_KILLS_CLAIM_ORACLE_H_

#include <map>
#include <set>
#include <string>

#include "absl/base/thread_annotations.h"
#include "common/threads/mutex.h"
#include "gtest/gtest.h"

namespace kubelet_cm::kills {

class ClaimOracle {
 public:
  using Pods = std::set<std::string>;  // uids
  // A claim as it is seen.
  struct Seen {
    bool listed = false;  // by the daemon, as prepared
    Pods pods = {};       // of which the daemon says so
    bool at_driver = false;
    int prepares = 0;  // how often the driver was asked to prepare it, ever
  };
  using Claims = std::map<std::string, Seen>;

  // An answer: the claim is prepared for the pod. A failure when the driver was asked again for a claim that was
  // answered for another pod, which still has it.
  testing::AssertionResult Prepared(const std::string& claim, const std::string& pod, int prepares);
  // The pod is about to be asked to go.
  void Removing(const std::string& claim, const std::string& pod);

  // Whether the pod was answered, and has not been asked to go.
  bool IsPrepared(const std::string& claim, const std::string& pod) const;
  // Whether what was answered is as it was answered: the daemon lists the claim as prepared for the pod, the driver has
  // it, and was not asked again.
  testing::AssertionResult Check(const Claims& seen) const;
  // That, and the driver has nothing else: everybody has asked again for what was not answered.
  testing::AssertionResult CheckAll(const Claims& seen) const;

 private:
  struct Claim {
    int prepares = 0;  // when it was answered first
    Pods pods = {};    // never empty
  };

  mutable Mutex mu_;
  std::map<std::string, Claim> claims_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::kills

#endif  // KUBELET_CM_TESTING_KILLS_CLAIM_ORACLE_H_
