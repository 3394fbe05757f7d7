// CallScript: what a fake was asked, and what it does at which call instead of answering. What plugin_script.h and
// driver_script.h have in common.
//
//   script.At(PluginMethod::kAllocate, 2, {.held = true, .act = PluginAct::kFail, .error = absl::InternalError("x")});
//   ASSERT_OK(script.WaitForCall(PluginMethod::kAllocate, 2));
//   script.Release(PluginMethod::kAllocate, 2);
//
// Calls of a method are numbered from 1. Each belongs to a session: a connection in memory, a life of a served fake.
// Thread-safe; waits through the Threads seam, with time limits by its clock. `threads` outlives the script.
//
// `Call` has a `method`, for which there is MethodName, and can be printed. `Step` says whether the call is `held`, for
// how long it is `delay`ed, and its `act`, of which kFail returns its `error`.
#ifndef KUBELET_CM_TESTING_FAKES_CALL_SCRIPT_H_
#define KUBELET_CM_TESTING_FAKES_CALL_SCRIPT_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/clock/monotonic_time.h"
#include "common/status/check.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"

namespace kubelet_cm::fakes {

template <typename Call, typename Step>
class CallScript {
 public:
  using Method = decltype(Call::method);
  using Act = decltype(Step::act);
  using SessionId = uint64_t;
  static constexpr absl::Duration kPatience = absl::Seconds(30);

  explicit CallScript(Threads& threads)
      : clock_(threads.clock()), changed_(threads.NewCondition("a script to change")) {}

  // What the n-th call of a method does; it has not come yet.
  void At(Method method, int n, Step step) {
    MutexLock lock(&mu_);
    CHECK(n > CountCalls(method)) << "call " << n << " of " << MethodName(method) << " has come already";
    steps_[{method, n}] = std::move(step);
  }
  // What the calls do that At does not mention. Plain answers, at first.
  void Always(Method method, Step step) {
    MutexLock lock(&mu_);
    always_[method] = std::move(step);
  }
  // What At says of calls of the method is over: those that are held go on, and those to come are plain.
  void Forget(Method method) {
    MutexLock lock(&mu_);
    const int calls = CountCalls(method);
    std::erase_if(steps_, [&](const auto& entry) { return entry.first.first == method && entry.first.second > calls; });
    for (int n = calls; n > 0; --n) released_.insert({method, n});
    changed_->NotifyAll();
  }
  // Given before calls come. It is asked about each, and may take its time; where it has an error the call has not
  // come.
  void Guard(std::function<absl::Status(Method)> guard) { guard_ = std::move(guard); }
  // Lets the n-th call of a method go on, be it held or delayed, there or still to come.
  void Release(Method method, int n) {
    MutexLock lock(&mu_);
    released_.insert({method, n});
    changed_->NotifyAll();
  }

  // All calls so far, in the order of their arrival.
  std::vector<Call> Calls() const {
    MutexLock lock(&mu_);
    return calls_;
  }
  int CallCount(Method method) const {
    MutexLock lock(&mu_);
    return CountCalls(method);
  }
  // How many calls nobody has released, those that their caller has given up, too; and how many are delayed.
  int HeldCount() const {
    MutexLock lock(&mu_);
    int count = 0;
    for (const CallId& id : held_) count += released_.contains(id) ? 0 : 1;
    return count;
  }
  // Whether a call has not returned because it is held, be its caller dead or not.
  bool IsHolding() const {
    MutexLock lock(&mu_);
    return holding_ > 0;
  }
  // Whoever made the calls that are held has died: they count no more, and those that are delayed have no effect.
  void CallersAreGone() {
    MutexLock lock(&mu_);
    held_.clear();
    changed_->NotifyAll();
  }
  // The n-th call of a method, when it has come. kDeadlineExceeded with all calls so far, after `limit`.
  absl::StatusOr<Call> WaitForCall(Method method, int n, absl::Duration limit = kPatience) const {
    const MonotonicTime deadline = clock_.MonotonicNow() + limit;
    MutexLock lock(&mu_);
    while (FindCall(method, n) == nullptr && changed_->WaitUntil(&mu_, deadline)) {
    }
    if (const Call* call = FindCall(method, n)) return *call;
    return absl::DeadlineExceededError(absl::StrCat("no call ", n, " of ", MethodName(method), " within ",
                                                    absl::FormatDuration(limit), "; all calls:", Listing()));
  }

  // For the fakes:
  SessionId OpenSession() {
    MutexLock lock(&mu_);
    return ++last_session_;
  }
  // Held calls of the session return `why`, and so do later ones, unrecorded.
  void CloseSession(SessionId session, const absl::Status& why) {
    CHECK(!why.ok()) << "a session is closed with a reason";
    MutexLock lock(&mu_);
    closed_.try_emplace(session, why);
    changed_->NotifyAll();
  }
  // Asks the guard, records the call, waits while it is held or delayed, and returns what to do. An error is to be
  // passed on: kFail's; that of a closed session; kDeadlineExceeded at the deadline.
  absl::StatusOr<Step> Begin(SessionId session, Call call, MonotonicTime deadline = MonotonicTime::InfiniteFuture()) {
    if (const absl::Status refused = guard_ ? guard_(call.method) : absl::OkStatus(); !refused.ok()) return refused;
    MutexLock lock(&mu_);
    if (const auto closed = closed_.find(session); closed != closed_.end()) return closed->second;
    const CallId id(call.method, CountCalls(call.method) + 1);
    calls_.push_back(std::move(call));
    changed_->NotifyAll();

    Step step = StepOf(id);
    const MonotonicTime end = step.held ? MonotonicTime::InfiniteFuture() : clock_.MonotonicNow() + step.delay;
    if (step.held || step.delay > absl::ZeroDuration()) held_.insert(id);
    ++holding_;
    const absl::Cleanup returned = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS {  // still locked
      --holding_;
      if (!step.held) held_.erase(id);
    };
    while (end > clock_.MonotonicNow() && !released_.contains(id)) {
      if (const auto closed = closed_.find(session); closed != closed_.end()) return closed->second;
      if (!step.held && !held_.contains(id)) return absl::CancelledError("CANCELLED");
      if (!changed_->WaitUntil(&mu_, std::min(end, deadline)) && deadline < end) {
        return absl::DeadlineExceededError("context deadline exceeded");
      }
    }
    if (step.act == Act::kFail) return step.error;
    return step;
  }

 private:
  using CallId = std::pair<Method, int>;

  int CountCalls(Method method) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return static_cast<int>(
        std::count_if(calls_.begin(), calls_.end(), [&](const Call& call) { return call.method == method; }));
  }
  // Null when there are fewer.
  const Call* FindCall(Method method, int n) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    for (const Call& call : calls_) {
      if (call.method == method && --n == 0) return &call;
    }
    return nullptr;
  }
  std::string Listing() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    std::ostringstream text;
    for (const Call& call : calls_) text << "\n  " << call;
    return calls_.empty() ? " none" : text.str();
  }
  Step StepOf(CallId id) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    if (const auto step = steps_.find(id); step != steps_.end()) return step->second;
    const auto always = always_.find(id.first);
    return always == always_.end() ? Step{} : always->second;
  }

  const Clock& clock_;
  std::function<absl::Status(Method)> guard_;  // may be null
  mutable Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  SessionId last_session_ ABSL_GUARDED_BY(mu_) = 0;
  std::map<SessionId, absl::Status> closed_ ABSL_GUARDED_BY(mu_);
  std::map<CallId, Step> steps_ ABSL_GUARDED_BY(mu_);
  std::map<Method, Step> always_ ABSL_GUARDED_BY(mu_);
  std::set<CallId> released_ ABSL_GUARDED_BY(mu_);
  std::vector<Call> calls_ ABSL_GUARDED_BY(mu_);
  std::set<CallId> held_ ABSL_GUARDED_BY(mu_);
  int holding_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_CALL_SCRIPT_H_
