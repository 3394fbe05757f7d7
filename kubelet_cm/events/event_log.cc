#include "kubelet_cm/events/event_log.h"

#include <algorithm>
#include <utility>

namespace kubelet_cm {

EventLog::EventLog(Threads& threads, size_t kept)
    : clock_(threads.clock()), kept_(kept), recorded_(threads.NewCondition("event")) {}

void EventLog::Record(NodeEvent event) {
  auto logged = std::make_shared<LoggedEvent>();
  logged->event = std::move(event);
  {
    MutexLock lock(&mu_);
    logged->time = clock_.WallNow();
    logged->number = ++newest_;
    events_.push_back(std::move(logged));
    if (events_.size() > kept_) events_.pop_front();
  }
  recorded_->NotifyAll();
}

EventLog::Batch EventLog::Read(uint64_t after, MonotonicTime deadline) const {
  MutexLock lock(&mu_);
  while (newest_ <= after && !stopped_ && recorded_->WaitUntil(&mu_, deadline)) {
  }
  Batch batch;
  if (newest_ <= after) return batch;
  const uint64_t oldest = newest_ - events_.size() + 1;
  const uint64_t first = std::max(after + 1, oldest);
  batch.lost = first - (after + 1);
  const auto begin = events_.begin() + static_cast<std::ptrdiff_t>(first - oldest);
  const auto count = std::min<std::ptrdiff_t>(events_.end() - begin, kMostRead);
  batch.events.assign(begin, begin + count);
  return batch;
}

uint64_t EventLog::newest() const {
  MutexLock lock(&mu_);
  return newest_;
}

bool EventLog::stopped() const {
  MutexLock lock(&mu_);
  return stopped_;
}

void EventLog::Stop() {
  {
    MutexLock lock(&mu_);
    stopped_ = true;
  }
  recorded_->NotifyAll();
}

}  // namespace kubelet_cm
