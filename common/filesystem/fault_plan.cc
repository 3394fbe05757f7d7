#include "common/filesystem/fault_plan.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/check.h"
#include "common/status/errno_status.h"

namespace kubelet_cm {
namespace {

absl::Status Stopped(const FileOperation& operation) {
  return absl::AbortedError(absl::StrCat(operation.ToString(), ": the process was stopped"));
}

FaultPlan::Verdict VerdictOf(const Fault& fault, const FileOperation& operation) {
  const absl::Status error = ErrnoStatus(fault.error, operation.ToString());
  switch (fault.effect) {
    case FaultEffect::kFail:
      return {.perform = false, .bytes_written = fault.bytes_written, .result = error};
    case FaultEffect::kFailAfterEffect:
      return {.perform = true, .result = error};
    case FaultEffect::kSkip:
      return {.perform = false};
    case FaultEffect::kStopBefore:
      return {.perform = false, .bytes_written = fault.bytes_written, .result = Stopped(operation)};
    case FaultEffect::kStopAfter:
      return {.perform = true, .result = Stopped(operation)};
  }
  return {};
}

}  // namespace

absl::string_view FileOpName(FileOp op) {
  switch (op) {
    case FileOp::kOpen:
      return "open";
    case FileOp::kRead:
      return "read";
    case FileOp::kWrite:
      return "write";
    case FileOp::kWriteAt:
      return "write at";
    case FileOp::kResize:
      return "truncate";
    case FileOp::kSyncFile:
      return "fsync";
    case FileOp::kLock:
      return "flock";
    case FileOp::kTakeAlone:
      return "lease";
    case FileOp::kClose:
      return "close";
    case FileOp::kRename:
      return "rename";
    case FileOp::kExchange:
      return "exchange";
    case FileOp::kLink:
      return "link";
    case FileOp::kUnlink:
      return "unlink";
    case FileOp::kList:
      return "list";
    case FileOp::kStat:
      return "stat";
    case FileOp::kLstat:
      return "lstat";
    case FileOp::kMakeFolders:
      return "mkdir";
    case FileOp::kSyncFolder:
      return "fsync folder";
    case FileOp::kChmod:
      return "chmod";
  }
  return "unknown";
}

std::string FileOperation::ToString() const {
  return absl::StrCat(FileOpName(op), " ", path, to.empty() ? "" : " ", to);
}

void FaultPlan::Arm(Fault fault) {
  CHECK(fault.nth > 0) << "operations are counted from 1";
  std::shared_ptr<const RE2> pattern;
  if (!fault.path_pattern.empty()) {
    pattern = std::make_shared<RE2>(fault.path_pattern);
    CHECK(pattern->ok()) << fault.path_pattern << ": " << pattern->error();
  }
  MutexLock lock(&mu_);
  armed_.push_back({.fault = std::move(fault), .pattern = std::move(pattern)});
}

void FaultPlan::DisarmAll() {
  MutexLock lock(&mu_);
  armed_.clear();
}

void FaultPlan::Disarm(absl::string_view name) {
  MutexLock lock(&mu_);
  std::erase_if(armed_, [name](const Armed& armed) { return armed.fault.name == name; });
}

void FaultPlan::Stop() {
  while (!StopAndSeeIfIdle()) {
    // No condition to wait for: a plan is made where there are no Threads to make one. Operations are short, and under
    // SeededThreads taking the lock lets another thread run.
  }
}

bool FaultPlan::StopAndSeeIfIdle() {
  MutexLock lock(&mu_);
  stopped_ = true;
  return under_way_ == 0;
}

std::string FaultPlan::stopped_by() const {
  MutexLock lock(&mu_);
  return stopped_by_;
}

void FaultPlan::Resume() {
  MutexLock lock(&mu_);
  CHECK(under_way_ == 0) << "the stopped process is still at work";
  stopped_ = false;
  stopped_by_.clear();
}

std::vector<FileOperation> FaultPlan::trace() const {
  MutexLock lock(&mu_);
  return trace_;
}

size_t FaultPlan::operations() const {
  MutexLock lock(&mu_);
  return trace_.size();
}

size_t FaultPlan::operations(FileOp op) const {
  MutexLock lock(&mu_);
  return counts_[static_cast<size_t>(op)];
}

void FaultPlan::NoteMoments(std::function<CrashMoment()> moment) {
  MutexLock lock(&mu_);
  moment_ = std::move(moment);
}

std::vector<CrashMoment> FaultPlan::moments() const {
  MutexLock lock(&mu_);
  return moments_;
}

const Fault* FaultPlan::Strike(const FileOperation& operation) {
  const Fault* striking = nullptr;
  for (Armed& armed : armed_) {
    const Fault& fault = armed.fault;
    const bool op_matches =
        fault.ops.empty() || std::find(fault.ops.begin(), fault.ops.end(), operation.op) != fault.ops.end();
    const bool path_matches = armed.pattern == nullptr || RE2::PartialMatch(operation.path, *armed.pattern) ||
                              (!operation.to.empty() && RE2::PartialMatch(operation.to, *armed.pattern));
    if (!op_matches || !path_matches) continue;
    ++armed.matches;
    const bool strikes = fault.persistent ? armed.matches >= fault.nth : armed.matches == fault.nth;
    if (strikes && striking == nullptr) striking = &fault;
  }
  return striking;
}

FaultPlan::Verdict FaultPlan::Begin(const FileOperation& operation) {
  MutexLock lock(&mu_);
  ++under_way_;
  if (stopped_) return {.perform = false, .result = Stopped(operation)};
  trace_.push_back(operation);
  ++counts_[static_cast<size_t>(operation.op)];
  if (moment_ != nullptr) moments_.push_back(moment_());
  const Fault* fault = Strike(operation);
  if (fault == nullptr) return {};
  if (fault->effect == FaultEffect::kStopBefore || fault->effect == FaultEffect::kStopAfter) {
    stopped_ = true;
    stopped_by_ = fault->name;
  }
  return VerdictOf(*fault, operation);
}

void FaultPlan::End() {
  MutexLock lock(&mu_);
  --under_way_;
}

}  // namespace kubelet_cm
