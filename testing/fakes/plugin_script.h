// PluginScript: what a fake device plugin was asked, and what it does at which call instead of answering.
//
//   script.At(PluginMethod::kAllocate, 2, {.held = true, .act = PluginAct::kFail, .error = absl::InternalError("x")});
//   ... the manager allocates ...
//   ASSERT_OK(script.WaitForCall(PluginMethod::kAllocate, 2));
//   script.Release(PluginMethod::kAllocate, 2);
//
// Calls of a method are numbered from 1. Each belongs to a session: one connection in memory, one incarnation of a
// served plugin. Thread-safe; waits through the Threads seam, hence also under SeededThreads, with time limits by its
// clock. `threads` outlives the script.
#ifndef KUBELET_CM_TESTING_FAKES_PLUGIN_SCRIPT_H_
#define KUBELET_CM_TESTING_FAKES_PLUGIN_SCRIPT_H_

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
#include "common/clock/monotonic_time.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"

namespace kubelet_cm::fakes {

enum class PluginMethod { kGetOptions, kListAndWatch, kAllocate, kGetPreferredAllocation, kPreStartContainer };

// "Allocate" and so on, as in the protocol.
std::string MethodName(PluginMethod method);

struct PluginCall {
  PluginMethod method = PluginMethod::kGetOptions;
  std::vector<std::string> ids = {};  // in the order of the request; those available, for GetPreferredAllocation
  std::vector<std::string> must_include = {};
  int32_t size = 0;

  friend bool operator==(const PluginCall&, const PluginCall&) = default;
};

std::ostream& operator<<(std::ostream& out, const PluginCall& call);

enum class PluginAct {
  kAnswer,
  kFail,            // with PluginStep::error
  kNoContainers,    // an answer about no container
  kExtraContainer,  // an answer about one container too many
  kOtherIds,        // the answer is about devices that nobody mentioned
  kExtraIds,        // the answer is about more devices than were asked for
  kEndStream,       // the plugin ends its open ListAndWatch streams properly, and answers
  kDie,             // the plugin dies while it is asked
};

struct PluginStep {
  bool held = false;  // first waits for Release; never released, it hangs
  PluginAct act = PluginAct::kAnswer;
  absl::Status error = absl::InternalError("the script says so");
};

class PluginScript {
 public:
  using SessionId = uint64_t;
  static constexpr absl::Duration kPatience = absl::Seconds(30);

  explicit PluginScript(Threads& threads);

  // What the n-th call of a method does; it has not come yet.
  void At(PluginMethod method, int n, PluginStep step);
  // What the calls do that At does not mention. Plain answers, at first.
  void Always(PluginMethod method, PluginStep step);
  // Lets the n-th call of a method go on, be it there or still to come.
  void Release(PluginMethod method, int n);

  // All calls so far, in the order of their arrival.
  std::vector<PluginCall> Calls() const;
  int CallCount(PluginMethod method) const;
  // The n-th call of a method, when it has come. kDeadlineExceeded with all calls so far, when it has not within
  // `limit`.
  absl::StatusOr<PluginCall> WaitForCall(PluginMethod method, int n, absl::Duration limit = kPatience) const;

  // For the fakes:
  SessionId OpenSession();
  // Held calls of the session return `why`, and so do later ones, unrecorded.
  void CloseSession(SessionId session, const absl::Status& why);
  // Records the call, waits while it is held, and returns what to do. An error is to be passed on: kFail's; that of a
  // closed session; kDeadlineExceeded at the deadline.
  absl::StatusOr<PluginStep> Begin(SessionId session, PluginCall call,
                                   MonotonicTime deadline = MonotonicTime::InfiniteFuture());

 private:
  using CallId = std::pair<PluginMethod, int>;

  PluginStep StepOf(CallId id) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const Clock& clock_;
  mutable Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  SessionId last_session_ ABSL_GUARDED_BY(mu_) = 0;
  std::map<SessionId, absl::Status> closed_ ABSL_GUARDED_BY(mu_);
  std::map<CallId, PluginStep> steps_ ABSL_GUARDED_BY(mu_);
  std::map<PluginMethod, PluginStep> always_ ABSL_GUARDED_BY(mu_);
  std::set<CallId> released_ ABSL_GUARDED_BY(mu_);
  std::vector<PluginCall> calls_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_PLUGIN_SCRIPT_H_
