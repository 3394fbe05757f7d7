#include "testing/fakes/health_feed.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/check.h"

namespace kubelet_cm::fakes {

HealthFeed::HealthFeed(Threads& threads)
    : clock_(threads.clock()), changed_(threads.NewCondition("health of a fake driver to change")) {}

void HealthFeed::Publish(const dra::HealthReports& reports) {
  MutexLock lock(&mu_);
  last_ = reports;
  for (auto& [id, stream] : streams_) {
    if (stream.ended.ok()) stream.waiting.push_back(reports);
  }
  changed_->NotifyAll();
}

void HealthFeed::EndStream(Stream& stream, const absl::Status& how) {
  CHECK(!how.ok()) << "a stream ends with a reason";
  if (!absl::IsOutOfRange(how)) stream.waiting.clear();
  if (stream.ended.ok()) stream.ended = how;
}

void HealthFeed::EndAll(const absl::Status& how) {
  MutexLock lock(&mu_);
  for (auto& [id, stream] : streams_) EndStream(stream, how);
  changed_->NotifyAll();
}

void HealthFeed::Refuse(const absl::Status& how) {
  MutexLock lock(&mu_);
  refusal_ = how;
}

int HealthFeed::stream_count() const {
  MutexLock lock(&mu_);
  return static_cast<int>(
      std::count_if(streams_.begin(), streams_.end(), [](const auto& entry) { return entry.second.ended.ok(); }));
}

absl::Status HealthFeed::WaitForStreams(int count, absl::Duration limit) const {
  const MonotonicTime deadline = clock_.MonotonicNow() + limit;
  const auto wanted = static_cast<StreamId>(count);
  MutexLock lock(&mu_);
  while (last_stream_ < wanted && changed_->WaitUntil(&mu_, deadline)) {
  }
  if (last_stream_ >= wanted) return absl::OkStatus();
  return absl::DeadlineExceededError(absl::StrCat("only ", last_stream_, " streams have been opened"));
}

HealthFeed::StreamId HealthFeed::Open(SessionId session) {
  MutexLock lock(&mu_);
  Stream& stream = streams_[++last_stream_];
  stream.session = session;
  if (last_.has_value()) stream.waiting.push_back(*last_);
  if (!refusal_.ok()) EndStream(stream, refusal_);
  if (const auto closed = closed_.find(session); closed != closed_.end()) EndStream(stream, closed->second);
  changed_->NotifyAll();
  return last_stream_;
}

absl::StatusOr<dra::HealthReports> HealthFeed::Next(StreamId id) {
  MutexLock lock(&mu_);
  const auto found = streams_.find(id);
  CHECK(found != streams_.end()) << "stream " << id << " is forgotten";
  Stream& stream = found->second;
  while (stream.waiting.empty() && stream.ended.ok()) changed_->Wait(&mu_);
  if (stream.waiting.empty()) return stream.ended;
  dra::HealthReports reports = std::move(stream.waiting.front());
  stream.waiting.pop_front();
  return reports;
}

void HealthFeed::End(StreamId id, const absl::Status& how) {
  MutexLock lock(&mu_);
  if (const auto stream = streams_.find(id); stream != streams_.end()) EndStream(stream->second, how);
  changed_->NotifyAll();
}

void HealthFeed::CloseSession(SessionId session, const absl::Status& why) {
  MutexLock lock(&mu_);
  closed_.try_emplace(session, why);
  for (auto& [id, stream] : streams_) {
    if (stream.session == session) EndStream(stream, why);
  }
  changed_->NotifyAll();
}

void HealthFeed::Forget(StreamId id) {
  MutexLock lock(&mu_);
  streams_.erase(id);
}

}  // namespace kubelet_cm::fakes
