#include "checkpointmanager/checkpoint_writer.h"

#include <memory>
#include <utility>

#include "common/status/check.h"

namespace kubelet_cm {

CheckpointWriter::CheckpointWriter(CheckpointManager& manager, Threads& threads, CheckpointSource& source,
                                   CheckpointWriterOptions options)
    : manager_(manager),
      source_(source),
      written_(threads.NewCondition("checkpoint written")),
      file_(manager.Replaced(options.key)),
      on_disk_(std::move(options.on_disk)) {}

absl::Status CheckpointWriter::WaitDurable(uint64_t number) {
  mu_.Lock();
  while (durable_ < number && failed_ < number) {
    if (writing_) {
      written_->Wait(&mu_);
      continue;
    }
    writing_ = true;
    mu_.Unlock();
    const Outcome outcome = WriteNewest();
    mu_.Lock();
    writing_ = false;
    Record(outcome);
    written_->NotifyAll();
  }
  const absl::Status status = durable_ >= number ? absl::OkStatus() : failure_;
  mu_.Unlock();
  return status;
}

bool CheckpointWriter::PrepareNext() {
  mu_.Lock();
  while (writing_) written_->Wait(&mu_);
  writing_ = true;
  mu_.Unlock();
  const bool remains = source_.Prepare();
  mu_.Lock();
  writing_ = false;
  written_->NotifyAll();
  mu_.Unlock();
  return remains;
}

CheckpointWriter::Outcome CheckpointWriter::WriteNewest() {
  Outcome outcome;
  outcome.number = source_.Render(rendered_);
  CHECK(outcome.number >= last_rendered_) << "state " << outcome.number << " after " << last_rendered_;
  last_rendered_ = outcome.number;
  if (on_disk_.has_value() && *on_disk_ == rendered_) {
    outcome.unchanged = true;
    return outcome;
  }
  outcome.status = file_.ok() ? manager_.Write(**file_, rendered_) : file_.status();
  if (!outcome.status.ok()) {
    on_disk_.reset();  // the file may be the old or the new one, durable or not
    return outcome;
  }
  if (!on_disk_.has_value()) on_disk_.emplace();
  std::swap(*on_disk_, rendered_);
  return outcome;
}

void CheckpointWriter::Record(const Outcome& outcome) {
  if (!outcome.status.ok()) {
    ++counts_.failures;
    failed_ = outcome.number;
    failure_ = outcome.status;
    return;
  }
  durable_ = outcome.number;
  failed_ = 0;
  failure_ = absl::OkStatus();
  if (outcome.unchanged) {
    ++counts_.unchanged;
  } else {
    ++counts_.writes;
    counts_.bytes += on_disk_->size();
  }
}

uint64_t CheckpointWriter::durable() const {
  MutexLock lock(&mu_);
  return durable_;
}

CheckpointWriterCounts CheckpointWriter::counts() const {
  MutexLock lock(&mu_);
  return counts_;
}

}  // namespace kubelet_cm
