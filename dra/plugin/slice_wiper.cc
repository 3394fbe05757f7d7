#include "dra/plugin/slice_wiper.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace kubelet_cm::dra {
namespace {

constexpr absl::Duration kLongestBackoff = absl::Minutes(5);
constexpr int kBackoffFactor = 2;
constexpr double kLongestJitter = 0.2;  // of the pause
constexpr uint64_t kJitterSteps = uint64_t{1} << 20;

// As Go's fields.Set shows itself.
std::string Shown(const SliceSelector& which) {
  std::string node;
  for (const std::string& driver : which.spared_drivers) absl::StrAppend(&node, "spec.driver!=", driver, ",");
  absl::StrAppend(&node, "spec.nodeName=", which.node_name);
  return which.driver_name.has_value() ? absl::StrCat("spec.driver=", *which.driver_name, ",", node) : node;
}

}  // namespace

SliceWiper::SliceWiper(Dependencies dependencies)
    : deps_(dependencies),
      changed_(deps_.threads.NewCondition("a wipe of ResourceSlices")),
      thread_(deps_.threads.Start("slice-wiper", [this] { Run(); })) {}

SliceWiper::~SliceWiper() {
  {
    MutexLock lock(&mu_);
    stopping_ = true;
  }
  changed_->NotifyAll();
  thread_.reset();
}

void SliceWiper::WipeAll() { Add(std::nullopt, deps_.threads.clock().MonotonicNow()); }

bool SliceWiper::Schedule(const std::string& driver, MonotonicTime when) { return Add(driver, when); }

bool SliceWiper::Add(const Target& target, MonotonicTime when) {
  {
    MutexLock lock(&mu_);
    if (target.has_value()) present_.erase(*target);
    if (wipes_.contains(target)) return true;
    if (wipes_.size() >= kMaxPendingWipes) return false;
    wipes_[target] = {.id = ++last_id_, .next = when};
  }
  changed_->NotifyAll();
  return true;
}

void SliceWiper::Cancel(const std::string& driver) {
  MutexLock lock(&mu_);
  wipes_.erase(driver);
  present_.insert(driver);
}

void SliceWiper::Run() {
  while (const auto due = AwaitDue()) Finish(due->first, due->second.id, Attempt(due->first));
}

std::optional<SliceWiper::Wipes::value_type> SliceWiper::AwaitDue() {
  MutexLock lock(&mu_);
  while (!stopping_) {
    const auto first = std::min_element(wipes_.begin(), wipes_.end(),
                                        [](const auto& a, const auto& b) { return a.second.next < b.second.next; });
    if (first == wipes_.end()) {
      changed_->Wait(&mu_);
    } else if (deps_.threads.clock().MonotonicNow() < first->second.next) {
      changed_->WaitUntil(&mu_, first->second.next);
    } else {
      return *first;
    }
  }
  return std::nullopt;
}

bool SliceWiper::Attempt(const Target& target) {
  const absl::StatusOr<std::string> node = deps_.slices.CheckNode(kSliceCallTimeout);
  if (!node.ok()) {
    // It registers itself while this kubelet starts.
    if (!absl::IsNotFound(node.status())) deps_.log.Error(node.status(), "Unexpected error checking for node");
    return false;
  }
  SliceSelector which{.node_name = *node, .driver_name = target};
  if (!target.has_value()) {
    MutexLock lock(&mu_);
    which.spared_drivers = present_;
  }
  const absl::Status deleted = deps_.slices.DeleteSlices(which, kSliceCallTimeout);
  if (deleted.ok()) {
    deps_.log.V(3).Info("Deleted ResourceSlices", {{"fieldSelector", Shown(which)}});
    return true;
  }
  if (absl::IsNotFound(deleted)) {
    deps_.log.V(5).Info("ResourceSlices not found, nothing to delete.", {{"fieldSelector", Shown(which)}});
    return true;
  }
  // A kubelet that starts may not have its credentials yet.
  const int verbosity = absl::IsUnauthenticated(deleted) ? 5 : 3;
  deps_.log.V(verbosity).Info("Deleting ResourceSlice failed, retrying",
                              {{"fieldSelector", Shown(which)}, {"err", deleted}});
  return false;
}

void SliceWiper::Finish(const Target& target, uint64_t id, bool done) {
  MutexLock lock(&mu_);
  const auto found = wipes_.find(target);
  if (found == wipes_.end() || found->second.id != id) return;  // cancelled meanwhile
  if (done) {
    wipes_.erase(found);
    return;
  }
  Wipe& wipe = found->second;
  wipe.next = deps_.threads.clock().MonotonicNow() + Jittered(wipe.backoff);
  wipe.backoff = std::min(wipe.backoff * kBackoffFactor, kLongestBackoff);
}

absl::Duration SliceWiper::Jittered(absl::Duration backoff) {
  const double part = static_cast<double>(deps_.random.Below(kJitterSteps)) / static_cast<double>(kJitterSteps);
  return backoff * (1 + kLongestJitter * part);
}

}  // namespace kubelet_cm::dra
