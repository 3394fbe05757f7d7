// PodOracle: what callers know of the pods that they admit and remove: what was answered, and what was asked when the
// daemon died. From that follows what a daemon may say of its pods after it was started again.
//
//   oracle.Admitting("a", 2);
//   EXPECT_TRUE(oracle.Admitted("a", {"gpu/0", "gpu/1"}));
//   ... the daemon is killed and started ...
//   EXPECT_TRUE(oracle.Check(listed));
//   oracle.Adopt(listed);
//
// Thread-safe.
#ifndef KUBELET_CM_TESTING_KILLS_POD_ORACLE_H_
#define KUBELET_CM_TESTING_KILLS_POD_ORACLE_H_

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "common/threads/mutex.h"
#include "gtest/gtest.h"

namespace kubelet_cm::kills {

class PodOracle {
 public:
  using Devices = std::set<std::string>;
  // A pod as a daemon lists it.
  struct Listed {
    Devices devices = {};
    bool leaving = false;  // terminating
  };
  using Pods = std::map<std::string, Listed>;  // by uid

  // A call is about to be made.
  void Admitting(const std::string& uid, size_t devices);
  // From here on others may be given what it held.
  void Removing(const std::string& uid);
  // Answers. A failure when the devices are not as many as were asked for, or somebody holds one of them.
  testing::AssertionResult Admitted(const std::string& uid, const Devices& devices);
  void Refused(const std::string& uid);
  void Removed(const std::string& uid);

  // Whether the pods that a daemon lists after a restart, those refused left out, are possible: what was answered
  // is as it was answered, what was under way has happened or not, and no device is held twice.
  testing::AssertionResult Check(const Pods& listed) const;
  // What was under way is as it is listed: it has happened, or not, or is still under way. Returns the pods whose
  // admission was cut and has taken effect.
  std::vector<std::string> Adopt(const Pods& listed);

  // The pods that were admitted and not asked to go.
  std::vector<std::string> Held() const;
  // Those that were asked to go, without an answer that they went.
  std::vector<std::string> Leaving() const;
  Devices DevicesOf(const std::string& uid) const;
  // How many calls are under way.
  size_t InFlight() const;

 private:
  enum class Knowledge { kAdmitting, kHeld, kRemoving };
  struct Pod {
    Knowledge knowledge = Knowledge::kAdmitting;
    size_t asked = 0;
    Devices devices = {};
  };

  // Null: it is not listed. Empty: none.
  static std::string Problem(const Pod& pod, const Listed* listed);
  std::vector<std::string> Those(Knowledge knowledge) const;

  mutable Mutex mu_;
  std::map<std::string, Pod> pods_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::kills

#endif  // KUBELET_CM_TESTING_KILLS_POD_ORACLE_H_
