// DriverScript: what a fake DRA driver was asked, and what it does at which call instead of answering. As PluginScript
// (plugin_script.h) is for device plugins.
//
//   script.At(DriverMethod::kPrepare, 2, {.held = true, .act = DriverAct::kDie});
//   ... the manager prepares ...
//   ASSERT_OK(script.WaitForCall(DriverMethod::kPrepare, 2));
//   script.Release(DriverMethod::kPrepare, 2);
//
// Calls of a method are numbered from 1; one that is about one claim counts as any other. Each belongs to a session:
// one incarnation of a served driver. Thread-safe; waits through the Threads seam. `threads` outlives the script.
#ifndef KUBELET_CM_TESTING_FAKES_DRIVER_SCRIPT_H_
#define KUBELET_CM_TESTING_FAKES_DRIVER_SCRIPT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"

namespace kubelet_cm::fakes {

enum class DriverMethod { kPrepare, kUnprepare, kGetInfo, kNotify };

std::string MethodName(DriverMethod method);

struct DriverCall {
  DriverMethod method = DriverMethod::kPrepare;
  std::vector<std::string> claim_uids = {};  // in the order of the request
  bool registered = false;                   // of kNotify
  std::string error = {};

  friend bool operator==(const DriverCall&, const DriverCall&) = default;
};

std::ostream& operator<<(std::ostream& out, const DriverCall& call);

enum class DriverAct {
  kAnswer,
  kFail,          // with DriverStep::error
  kClaimError,    // the message of DriverStep::error is the answer about the first claim
  kSkipClaim,     // no answer about the first claim
  kUnknownClaim,  // an answer about a claim that nobody mentioned, too
  kNoDevices,     // claims are prepared, and have nothing
  kDie,           // the driver dies while it is asked
};

struct DriverStep {
  bool held = false;  // first waits for Release; never released, it hangs
  DriverAct act = DriverAct::kAnswer;
  absl::Status error = absl::InternalError("the script says so");
};

class DriverScript {
 public:
  using SessionId = uint64_t;
  static constexpr absl::Duration kPatience = absl::Seconds(30);

  explicit DriverScript(Threads& threads);

  // What the n-th call of a method does; it has not come yet.
  void At(DriverMethod method, int n, DriverStep step);
  // What the calls do that At does not mention. Plain answers, at first.
  void Always(DriverMethod method, DriverStep step);
  // Lets the n-th call of a method go on, be it there or still to come.
  void Release(DriverMethod method, int n);

  // All calls so far, in the order of their arrival.
  std::vector<DriverCall> Calls() const;
  int CallCount(DriverMethod method) const;
  // The n-th call of a method, when it has come. kDeadlineExceeded with all calls so far, when it has not within
  // `limit`.
  absl::StatusOr<DriverCall> WaitForCall(DriverMethod method, int n, absl::Duration limit = kPatience) const;

  // For the fakes:
  SessionId OpenSession();
  // Held calls of the session return `why`, and so do later ones, unrecorded.
  void CloseSession(SessionId session, const absl::Status& why);
  // Records the call, waits while it is held, and returns what to do. An error is to be passed on: kFail's, or that of
  // a closed session.
  absl::StatusOr<DriverStep> Begin(SessionId session, DriverCall call);

 private:
  using CallId = std::pair<DriverMethod, int>;

  DriverStep StepOf(CallId id) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const Clock& clock_;
  mutable Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  SessionId last_session_ ABSL_GUARDED_BY(mu_) = 0;
  std::map<SessionId, absl::Status> closed_ ABSL_GUARDED_BY(mu_);
  std::map<CallId, DriverStep> steps_ ABSL_GUARDED_BY(mu_);
  std::map<DriverMethod, DriverStep> always_ ABSL_GUARDED_BY(mu_);
  std::set<CallId> released_ ABSL_GUARDED_BY(mu_);
  std::vector<DriverCall> calls_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_DRIVER_SCRIPT_H_
