#include "testing/fakes/fake_slice_client.h"

#include <algorithm>
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

void FakeSliceClient::PutModelSlice(dra::ModelSlice slice) {
  MutexLock lock(&mu_);
  slice.metadata = absl::StrCat(++last_version_);
  model_slices_[slice.name] = std::move(slice);
}

std::vector<dra::ModelSlice> FakeSliceClient::ModelSlices() const {
  MutexLock lock(&mu_);
  std::vector<dra::ModelSlice> slices;
  for (const auto& [name, slice] : model_slices_) slices.push_back(slice);
  return slices;
}

void FakeSliceClient::FailModelCalls(std::vector<absl::Status> errors) {
  MutexLock lock(&mu_);
  model_errors_.insert(model_errors_.end(), errors.begin(), errors.end());
}

std::vector<std::string> FakeSliceClient::ModelCalls() const {
  MutexLock lock(&mu_);
  return model_calls_;
}

size_t FakeSliceClient::CountModelCalls(const std::string& part) const {
  return static_cast<size_t>(std::count_if(model_calls_.begin(), model_calls_.end(),
                                           [&](const std::string& call) { return call.starts_with(part); }));
}

absl::Status FakeSliceClient::WaitForModelCalls(const std::string& part, size_t count, absl::Duration limit) const {
  const MonotonicTime deadline = clock_.MonotonicNow() + limit;
  MutexLock lock(&mu_);
  while (CountModelCalls(part) < count && changed_->WaitUntil(&mu_, deadline)) {
  }
  if (CountModelCalls(part) >= count) return absl::OkStatus();
  return absl::DeadlineExceededError("no such calls: " + part);
}

absl::Status FakeSliceClient::BeginModelCall(std::string call) {
  model_calls_.push_back(std::move(call));
  changed_->NotifyAll();  // they see it when the lock is free, which is when it is answered
  return NextError(model_errors_);
}

absl::StatusOr<std::vector<dra::ModelSlice>> FakeSliceClient::ListModelSlices(absl::Duration) {
  MutexLock lock(&mu_);
  RETURN_IF_ERROR(BeginModelCall("list"));
  std::vector<dra::ModelSlice> slices;
  for (const auto& [name, slice] : model_slices_) slices.push_back(slice);
  return slices;
}

absl::Status FakeSliceClient::CreateModelSlice(const dra::ModelSlice& slice, absl::Duration) {
  MutexLock lock(&mu_);
  RETURN_IF_ERROR(BeginModelCall("create " + slice.driver_name));
  dra::ModelSlice stored = slice;
  stored.metadata = absl::StrCat(++last_version_);
  stored.name = absl::StrCat(node_name_, "-", slice.driver_name, "-", last_version_);
  model_slices_[stored.name] = stored;
  return absl::OkStatus();
}

absl::Status FakeSliceClient::UpdateModelSlice(const dra::ModelSlice& slice, absl::Duration) {
  MutexLock lock(&mu_);
  RETURN_IF_ERROR(BeginModelCall("update " + slice.name));
  const auto found = model_slices_.find(slice.name);
  if (found == model_slices_.end()) return absl::NotFoundError(slice.name);
  if (found->second.metadata != slice.metadata) return absl::AbortedError(slice.name + " was changed meanwhile");
  found->second = slice;
  found->second.metadata = absl::StrCat(++last_version_);
  return absl::OkStatus();
}

absl::Status FakeSliceClient::DeleteModelSlice(const std::string& name, absl::Duration) {
  MutexLock lock(&mu_);
  RETURN_IF_ERROR(BeginModelCall("delete " + name));
  return model_slices_.erase(name) > 0 ? absl::OkStatus() : absl::NotFoundError(name);
}

}  // namespace kubelet_cm::fakes
