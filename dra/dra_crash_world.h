// CrashWorld and CrashLife: what crash tests of the DRA manager need around it.
//
// The world is what outlives the process: what drivers have prepared, the claims of the API server, the pods of the
// node, and what was promised to them. It judges every call that a driver gets. A life is one process in it, on a disk,
// one step at a time. Drivers look at the disk just before and just after they do what they are told: so whoever kills
// the process at a file operation also kills it at both edges of every call.
//
// Plain values; used by one thread at a time, as SeededThreads runs them.
#ifndef KUBELET_CM_DRA_DRA_CRASH_WORLD_H_
#define KUBELET_CM_DRA_DRA_CRASH_WORLD_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/clock/fake_clock.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/file_system.h"
#include "common/log/capturing_logger.h"
#include "common/metrics/registry.h"
#include "common/node/fake_active_pods.h"
#include "common/node/pod.h"
#include "common/random/seeded_random.h"
#include "common/threads/seeded_threads.h"
#include "dra/dra_manager.h"
#include "testing/fakes/fake_claim_source.h"
#include "testing/fakes/scripted_driver.h"

namespace kubelet_cm::dra {

// Whether the operation is a driver that looks at the disk.
bool IsEdgeOfACall(const FileOperation& operation);

struct CrashWorld {
  // Drivers' state, by name: uids of claims.
  std::map<std::string, std::set<std::string>> prepared = {};
  // Calls for a driver and a claim's uid that it has got.
  std::map<std::pair<std::string, std::string>, int> prepares = {};
  std::map<std::pair<std::string, std::string>, int> unprepares = {};
  // Drivers that do what they are told the next time, and answer that they have failed.
  std::set<std::string> failing = {};

  std::map<std::string, ClaimObject> claims = {};  // by name
  std::map<std::string, Pod> pods = {};            // active ones, by uid
  // The claims' uids with which an active pod may be running: its prepare was answered, its unprepare not begun.
  std::map<std::string, std::set<std::string>> running = {};
  std::set<std::string> ending = {};  // pods whose unprepare was begun
  std::vector<std::string> violations = {};

  // A claim that is allocated; in place of the one of that name.
  void AddClaim(const std::string& name, const std::string& uid, const std::vector<std::string>& drivers);
  // An active pod that the claims are reserved for.
  void AddPod(const std::string& uid, const std::vector<std::string>& claim_names);
  // The uids of the claims that a pod has now.
  std::set<std::string> ClaimsOf(const std::string& pod_uid) const;
  // What a driver does when it is called. Unprepares of what a pod is running with are violations.
  ClaimAnswers Call(const std::string& driver, bool prepare, DraClient::Claims asked);
};

class CrashLife {
 public:
  CrashLife(CrashWorld& world, FileSystem& files, uint64_t seed, std::string_view kubelet = "latest");
  ~CrashLife();

  // `body` has a manager, unless the disk does not let it start.
  absl::Status Run(absl::AnyInvocable<void(CrashLife&)> body);

  // --- What a kubelet does, and remembers in the world; nothing if the process is dead.

  absl::Status Prepare(const std::string& pod_uid);
  absl::Status Unprepare(const std::string& pod_uid);
  // It is not active any more.
  void Remove(const std::string& pod_uid);
  // At the same time.
  void PrepareAll(const std::vector<std::string>& pod_uids);
  void AddPod(const std::string& uid, const std::vector<std::string>& claim_names);
  void AddClaim(const std::string& name, const std::string& uid, const std::vector<std::string>& drivers);

  // Whether the process was killed; asks the disk, which may kill it.
  bool IsDead();
  DraManager& manager() { return *manager_; }
  CrashWorld& world() { return world_; }

 private:
  class Drivers;

  CrashWorld& world_;
  FileSystem& files_;
  const Personality* const kubelet_;
  FakeClock clock_;
  SeededThreads threads_;
  SeededRandom random_{1};
  CapturingLogger log_;
  MetricsRegistry metrics_;
  FakeActivePods pods_;
  fakes::FakeClaimSource claims_;
  const std::unique_ptr<Drivers> drivers_;
  std::unique_ptr<DraManager> manager_;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_DRA_CRASH_WORLD_H_
