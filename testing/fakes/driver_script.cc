#include "testing/fakes/driver_script.h"

#include <algorithm>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/clock/monotonic_time.h"
#include "common/status/check.h"

namespace kubelet_cm::fakes {
namespace {

// The n-th call of a method; null when there are fewer.
const DriverCall* FindCall(const std::vector<DriverCall>& calls, DriverMethod method, int n) {
  for (const DriverCall& call : calls) {
    if (call.method == method && --n == 0) return &call;
  }
  return nullptr;
}

int CountCalls(const std::vector<DriverCall>& calls, DriverMethod method) {
  return static_cast<int>(
      std::count_if(calls.begin(), calls.end(), [&](const DriverCall& call) { return call.method == method; }));
}

std::string Listing(const std::vector<DriverCall>& calls) {
  std::ostringstream text;
  for (const DriverCall& call : calls) text << "\n  " << call;
  return calls.empty() ? " nothing" : text.str();
}

}  // namespace

std::string MethodName(DriverMethod method) {
  switch (method) {
    case DriverMethod::kPrepare:
      return "NodePrepareResources";
    case DriverMethod::kUnprepare:
      return "NodeUnprepareResources";
    case DriverMethod::kGetInfo:
      return "GetInfo";
    case DriverMethod::kNotify:
      return "NotifyRegistrationStatus";
  }
  return "?";
}

std::ostream& operator<<(std::ostream& out, const DriverCall& call) {
  out << MethodName(call.method) << "(" << absl::StrJoin(call.claim_uids, ",");
  if (call.method == DriverMethod::kNotify) out << (call.registered ? "registered" : "refused: ") << call.error;
  return out << ")";
}

DriverScript::DriverScript(Threads& threads)
    : clock_(threads.clock()), changed_(threads.NewCondition("driver script to change")) {}

void DriverScript::At(DriverMethod method, int n, DriverStep step) {
  MutexLock lock(&mu_);
  CHECK(n > CountCalls(calls_, method)) << "call " << n << " of " << MethodName(method) << " has come already";
  steps_[{method, n}] = std::move(step);
}

void DriverScript::Always(DriverMethod method, DriverStep step) {
  MutexLock lock(&mu_);
  always_[method] = std::move(step);
}

void DriverScript::Release(DriverMethod method, int n) {
  MutexLock lock(&mu_);
  released_.insert({method, n});
  changed_->NotifyAll();
}

std::vector<DriverCall> DriverScript::Calls() const {
  MutexLock lock(&mu_);
  return calls_;
}

int DriverScript::CallCount(DriverMethod method) const {
  MutexLock lock(&mu_);
  return CountCalls(calls_, method);
}

absl::StatusOr<DriverCall> DriverScript::WaitForCall(DriverMethod method, int n, absl::Duration limit) const {
  const MonotonicTime deadline = clock_.MonotonicNow() + limit;
  MutexLock lock(&mu_);
  while (FindCall(calls_, method, n) == nullptr && changed_->WaitUntil(&mu_, deadline)) {
  }
  if (const DriverCall* call = FindCall(calls_, method, n)) return *call;
  return absl::DeadlineExceededError(absl::StrCat("no call ", n, " of ", MethodName(method), " within ",
                                                  absl::FormatDuration(limit),
                                                  "; the driver was asked:", Listing(calls_)));
}

DriverScript::SessionId DriverScript::OpenSession() {
  MutexLock lock(&mu_);
  return ++last_session_;
}

void DriverScript::CloseSession(SessionId session, const absl::Status& why) {
  CHECK(!why.ok()) << "a session is closed with a reason";
  MutexLock lock(&mu_);
  closed_.try_emplace(session, why);
  changed_->NotifyAll();
}

DriverStep DriverScript::StepOf(CallId id) const {
  if (const auto step = steps_.find(id); step != steps_.end()) return step->second;
  const auto always = always_.find(id.first);
  return always == always_.end() ? DriverStep{} : always->second;
}

absl::StatusOr<DriverStep> DriverScript::Begin(SessionId session, DriverCall call) {
  MutexLock lock(&mu_);
  if (const auto closed = closed_.find(session); closed != closed_.end()) return closed->second;
  const CallId id(call.method, CountCalls(calls_, call.method) + 1);
  calls_.push_back(std::move(call));
  changed_->NotifyAll();

  DriverStep step = StepOf(id);
  while (step.held && !released_.contains(id)) {
    if (const auto closed = closed_.find(session); closed != closed_.end()) return closed->second;
    changed_->Wait(&mu_);
  }
  if (step.act == DriverAct::kFail) return step.error;
  return step;
}

}  // namespace kubelet_cm::fakes
