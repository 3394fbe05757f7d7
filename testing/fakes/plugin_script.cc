#include "testing/fakes/plugin_script.h"

#include <algorithm>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status/check.h"

namespace kubelet_cm::fakes {
namespace {

// The n-th call of a method; null when there are fewer.
const PluginCall* FindCall(const std::vector<PluginCall>& calls, PluginMethod method, int n) {
  for (const PluginCall& call : calls) {
    if (call.method == method && --n == 0) return &call;
  }
  return nullptr;
}

int CountCalls(const std::vector<PluginCall>& calls, PluginMethod method) {
  return static_cast<int>(
      std::count_if(calls.begin(), calls.end(), [&](const PluginCall& call) { return call.method == method; }));
}

std::string Listing(const std::vector<PluginCall>& calls) {
  std::ostringstream text;
  for (const PluginCall& call : calls) text << "\n  " << call;
  return calls.empty() ? " nothing" : text.str();
}

}  // namespace

std::string MethodName(PluginMethod method) {
  switch (method) {
    case PluginMethod::kGetOptions:
      return "GetDevicePluginOptions";
    case PluginMethod::kListAndWatch:
      return "ListAndWatch";
    case PluginMethod::kAllocate:
      return "Allocate";
    case PluginMethod::kGetPreferredAllocation:
      return "GetPreferredAllocation";
    case PluginMethod::kPreStartContainer:
      return "PreStartContainer";
  }
  return "?";
}

std::ostream& operator<<(std::ostream& out, const PluginCall& call) {
  out << MethodName(call.method) << "(" << absl::StrJoin(call.ids, ",");
  if (call.method == PluginMethod::kGetPreferredAllocation) {
    out << "; must include " << absl::StrJoin(call.must_include, ",") << "; " << call.size;
  }
  return out << ")";
}

PluginScript::PluginScript(Threads& threads)
    : clock_(threads.clock()), changed_(threads.NewCondition("plugin script to change")) {}

void PluginScript::At(PluginMethod method, int n, PluginStep step) {
  MutexLock lock(&mu_);
  CHECK(n > CountCalls(calls_, method)) << "call " << n << " of " << MethodName(method) << " has come already";
  steps_[{method, n}] = std::move(step);
}

void PluginScript::Always(PluginMethod method, PluginStep step) {
  MutexLock lock(&mu_);
  always_[method] = std::move(step);
}

void PluginScript::Release(PluginMethod method, int n) {
  MutexLock lock(&mu_);
  released_.insert({method, n});
  changed_->NotifyAll();
}

std::vector<PluginCall> PluginScript::Calls() const {
  MutexLock lock(&mu_);
  return calls_;
}

int PluginScript::CallCount(PluginMethod method) const {
  MutexLock lock(&mu_);
  return CountCalls(calls_, method);
}

absl::StatusOr<PluginCall> PluginScript::WaitForCall(PluginMethod method, int n, absl::Duration limit) const {
  const MonotonicTime deadline = clock_.MonotonicNow() + limit;
  MutexLock lock(&mu_);
  while (FindCall(calls_, method, n) == nullptr && changed_->WaitUntil(&mu_, deadline)) {
  }
  if (const PluginCall* call = FindCall(calls_, method, n)) return *call;
  return absl::DeadlineExceededError(absl::StrCat("no call ", n, " of ", MethodName(method), " within ",
                                                  absl::FormatDuration(limit),
                                                  "; the plugin was asked:", Listing(calls_)));
}

PluginScript::SessionId PluginScript::OpenSession() {
  MutexLock lock(&mu_);
  return ++last_session_;
}

void PluginScript::CloseSession(SessionId session, const absl::Status& why) {
  CHECK(!why.ok()) << "a session is closed with a reason";
  MutexLock lock(&mu_);
  closed_.try_emplace(session, why);
  changed_->NotifyAll();
}

PluginStep PluginScript::StepOf(CallId id) const {
  if (const auto step = steps_.find(id); step != steps_.end()) return step->second;
  const auto always = always_.find(id.first);
  return always == always_.end() ? PluginStep{} : always->second;
}

absl::StatusOr<PluginStep> PluginScript::Begin(SessionId session, PluginCall call, MonotonicTime deadline) {
  MutexLock lock(&mu_);
  if (const auto closed = closed_.find(session); closed != closed_.end()) return closed->second;
  const CallId id(call.method, CountCalls(calls_, call.method) + 1);
  calls_.push_back(std::move(call));
  changed_->NotifyAll();

  PluginStep step = StepOf(id);
  while (step.held && !released_.contains(id)) {
    if (const auto closed = closed_.find(session); closed != closed_.end()) return closed->second;
    if (!changed_->WaitUntil(&mu_, deadline)) return absl::DeadlineExceededError("context deadline exceeded");
  }
  if (step.act == PluginAct::kFail) return step.error;
  return step;
}

}  // namespace kubelet_cm::fakes
