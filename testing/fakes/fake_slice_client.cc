#include "testing/fakes/fake_slice_client.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::fakes {

FakeSliceClient::FakeSliceClient(Threads& threads, std::string node_name)
    : clock_(threads.clock()), node_name_(std::move(node_name)), changed_(threads.NewCondition("calls about slices")) {}

void FakeSliceClient::Publish(const std::string& driver) {
  MutexLock lock(&mu_);
  published_.insert(driver);
}

std::set<std::string> FakeSliceClient::Published() const {
  MutexLock lock(&mu_);
  return published_;
}

void FakeSliceClient::FailNodeChecks(std::vector<absl::Status> errors) {
  MutexLock lock(&mu_);
  node_errors_.insert(node_errors_.end(), errors.begin(), errors.end());
}

void FakeSliceClient::FailDeletes(std::vector<absl::Status> errors) {
  MutexLock lock(&mu_);
  delete_errors_.insert(delete_errors_.end(), errors.begin(), errors.end());
}

void FakeSliceClient::FailAll(absl::Status error) {
  MutexLock lock(&mu_);
  error_of_all_ = std::move(error);
}

void FakeSliceClient::HoldDeletes() {
  MutexLock lock(&mu_);
  holding_ = true;
}

void FakeSliceClient::LetDeletesGo() {
  {
    MutexLock lock(&mu_);
    holding_ = false;
  }
  changed_->NotifyAll();
}

size_t FakeSliceClient::NodeChecks() const {
  MutexLock lock(&mu_);
  return node_checks_;
}

std::vector<FakeSliceClient::Delete> FakeSliceClient::Deletes() const {
  MutexLock lock(&mu_);
  return deletes_;
}

absl::Status FakeSliceClient::WaitForDeletes(size_t count, absl::Duration limit) const {
  const MonotonicTime deadline = clock_.MonotonicNow() + limit;
  MutexLock lock(&mu_);
  while (deletes_.size() < count && changed_->WaitUntil(&mu_, deadline)) {
  }
  if (deletes_.size() >= count) return absl::OkStatus();
  return absl::DeadlineExceededError(absl::StrCat("there were ", deletes_.size(), " deletions of slices"));
}

absl::Status FakeSliceClient::NextError(std::deque<absl::Status>& errors) {
  if (!error_of_all_.ok()) return error_of_all_;
  if (errors.empty()) return absl::OkStatus();
  const absl::Status error = std::move(errors.front());
  errors.pop_front();
  return error;
}

absl::StatusOr<std::string> FakeSliceClient::CheckNode(absl::Duration) {
  MutexLock lock(&mu_);
  ++node_checks_;
  RETURN_IF_ERROR(NextError(node_errors_));
  return node_name_;
}

absl::Status FakeSliceClient::DeleteSlices(const dra::SliceSelector& which, absl::Duration) {
  MutexLock lock(&mu_);
  deletes_.push_back({.driver_name = which.driver_name, .at = clock_.MonotonicNow()});
  changed_->NotifyAll();
  while (holding_) changed_->Wait(&mu_);
  RETURN_IF_ERROR(NextError(delete_errors_));
  if (which.node_name != node_name_) return absl::NotFoundError("no slices of that node");
  if (which.driver_name.has_value()) {
    published_.erase(*which.driver_name);
  } else {
    std::erase_if(published_, [&](const std::string& driver) { return !which.spared_drivers.contains(driver); });
  }
  return absl::OkStatus();
}

}  // namespace kubelet_cm::fakes
