// MessageFeed: what a fake DRA driver says in streams, and the streams that hear it: HealthFeed of its devices' health,
// ModelFeed of what it has.
//
// A stream begins with what was published last, if anything was, and then gets every message that is published, in
// order; one that hears nothing hangs. Thread-safe; waits through the Threads seam. `threads` outlives the feed.
#ifndef KUBELET_CM_TESTING_FAKES_MESSAGE_FEED_H_
#define KUBELET_CM_TESTING_FAKES_MESSAGE_FEED_H_

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/clock/clock.h"
#include "common/clock/monotonic_time.h"
#include "common/status/check.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"

namespace kubelet_cm::fakes {

template <typename Message>
class MessageFeed {
 public:
  using StreamId = uint64_t;
  using SessionId = uint64_t;  // one incarnation of a served driver
  static constexpr absl::Duration kPatience = absl::Seconds(30);

  explicit MessageFeed(Threads& threads)
      : clock_(threads.clock()), changed_(threads.NewCondition("something from a fake driver")) {}

  void Publish(const Message& message);
  // A stream that ends OutOfRange, which is properly, gives what was published before; one that ends otherwise drops
  // it.
  void EndAll(const absl::Status& how);
  // Later streams end at once, so; OK: they do not any more.
  void Refuse(const absl::Status& how);

  // How many streams are open.
  int stream_count() const;
  // Waits until `count` streams have been opened in all, refused ones too. kDeadlineExceeded after `limit`.
  absl::Status WaitForStreams(int count, absl::Duration limit = kPatience) const;

  // For the fakes:
  StreamId Open(SessionId session);
  // Blocks for the next message of a stream. An error is how it ended.
  absl::StatusOr<Message> Next(StreamId id);
  // Nothing, for a stream that has ended.
  void End(StreamId id, const absl::Status& how);
  // Ends the streams of a session, and those that it opens later at once.
  void CloseSession(SessionId session, const absl::Status& why);
  // Nobody reads the stream any more.
  void Forget(StreamId id);

 private:
  struct Stream {
    SessionId session = 0;
    std::deque<Message> waiting = {};
    absl::Status ended = absl::OkStatus();
  };

  static void EndStream(Stream& stream, const absl::Status& how);

  const Clock& clock_;
  mutable Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  std::optional<Message> last_ ABSL_GUARDED_BY(mu_);
  absl::Status refusal_ ABSL_GUARDED_BY(mu_);
  std::map<SessionId, absl::Status> closed_ ABSL_GUARDED_BY(mu_);
  StreamId last_stream_ ABSL_GUARDED_BY(mu_) = 0;
  std::map<StreamId, Stream> streams_ ABSL_GUARDED_BY(mu_);
};

template <typename Message>
void MessageFeed<Message>::Publish(const Message& message) {
  MutexLock lock(&mu_);
  last_ = message;
  for (auto& [id, stream] : streams_) {
    if (stream.ended.ok()) stream.waiting.push_back(message);
  }
  changed_->NotifyAll();
}

template <typename Message>
void MessageFeed<Message>::EndStream(Stream& stream, const absl::Status& how) {
  CHECK(!how.ok()) << "a stream ends with a reason";
  if (!absl::IsOutOfRange(how)) stream.waiting.clear();
  if (stream.ended.ok()) stream.ended = how;
}

template <typename Message>
void MessageFeed<Message>::EndAll(const absl::Status& how) {
  MutexLock lock(&mu_);
  for (auto& [id, stream] : streams_) EndStream(stream, how);
  changed_->NotifyAll();
}

template <typename Message>
void MessageFeed<Message>::Refuse(const absl::Status& how) {
  MutexLock lock(&mu_);
  refusal_ = how;
}

template <typename Message>
int MessageFeed<Message>::stream_count() const {
  MutexLock lock(&mu_);
  return static_cast<int>(
      std::count_if(streams_.begin(), streams_.end(), [](const auto& entry) { return entry.second.ended.ok(); }));
}

template <typename Message>
absl::Status MessageFeed<Message>::WaitForStreams(int count, absl::Duration limit) const {
  const MonotonicTime deadline = clock_.MonotonicNow() + limit;
  const auto wanted = static_cast<StreamId>(count);
  MutexLock lock(&mu_);
  while (last_stream_ < wanted && changed_->WaitUntil(&mu_, deadline)) {
  }
  if (last_stream_ >= wanted) return absl::OkStatus();
  return absl::DeadlineExceededError(absl::StrCat("only ", last_stream_, " streams have been opened"));
}

template <typename Message>
typename MessageFeed<Message>::StreamId MessageFeed<Message>::Open(SessionId session) {
  MutexLock lock(&mu_);
  Stream& stream = streams_[++last_stream_];
  stream.session = session;
  if (last_.has_value()) stream.waiting.push_back(*last_);
  if (!refusal_.ok()) EndStream(stream, refusal_);
  if (const auto closed = closed_.find(session); closed != closed_.end()) EndStream(stream, closed->second);
  changed_->NotifyAll();
  return last_stream_;
}

template <typename Message>
absl::StatusOr<Message> MessageFeed<Message>::Next(StreamId id) {
  MutexLock lock(&mu_);
  const auto found = streams_.find(id);
  CHECK(found != streams_.end()) << "stream " << id << " is forgotten";
  Stream& stream = found->second;
  while (stream.waiting.empty() && stream.ended.ok()) changed_->Wait(&mu_);
  if (stream.waiting.empty()) return stream.ended;
  Message message = std::move(stream.waiting.front());
  stream.waiting.pop_front();
  return message;
}

template <typename Message>
void MessageFeed<Message>::End(StreamId id, const absl::Status& how) {
  MutexLock lock(&mu_);
  if (const auto stream = streams_.find(id); stream != streams_.end()) EndStream(stream->second, how);
  changed_->NotifyAll();
}

template <typename Message>
void MessageFeed<Message>::CloseSession(SessionId session, const absl::Status& why) {
  MutexLock lock(&mu_);
  closed_.try_emplace(session, why);
  for (auto& [id, stream] : streams_) {
    if (stream.session == session) EndStream(stream, why);
  }
  changed_->NotifyAll();
}

template <typename Message>
void MessageFeed<Message>::Forget(StreamId id) {
  MutexLock lock(&mu_);
  streams_.erase(id);
}

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_MESSAGE_FEED_H_
