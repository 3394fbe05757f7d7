// HealthFeed: what a fake DRA driver says of its devices' health, and the streams that hear it.
//
// A stream begins with what was published last, if anything was, and then gets every message that is published, in
// order; one that hears nothing hangs. Thread-safe; waits through the Threads seam. `threads` outlives the feed.
#ifndef KUBELET_CM_TESTING_FAKES_HEALTH_FEED_H_
#define KUBELET_CM_TESTING_FAKES_HEALTH_FEED_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "dra/health/health_report.h"

namespace kubelet_cm::fakes {

class HealthFeed {
 public:
  using StreamId = uint64_t;
  using SessionId = uint64_t;  // one incarnation of a served driver
  static constexpr absl::Duration kPatience = absl::Seconds(30);

  explicit HealthFeed(Threads& threads);

  void Publish(const dra::HealthReports& reports);
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
  absl::StatusOr<dra::HealthReports> Next(StreamId id);
  // Nothing, for a stream that has ended.
  void End(StreamId id, const absl::Status& how);
  // Ends the streams of a session, and those that it opens later at once.
  void CloseSession(SessionId session, const absl::Status& why);
  // Nobody reads the stream any more.
  void Forget(StreamId id);

 private:
  struct Stream {
    SessionId session = 0;
    std::deque<dra::HealthReports> waiting = {};
    absl::Status ended = absl::OkStatus();
  };

  static void EndStream(Stream& stream, const absl::Status& how);

  const Clock& clock_;
  mutable Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  std::optional<dra::HealthReports> last_ ABSL_GUARDED_BY(mu_);
  absl::Status refusal_ ABSL_GUARDED_BY(mu_);
  std::map<SessionId, absl::Status> closed_ ABSL_GUARDED_BY(mu_);
  StreamId last_stream_ ABSL_GUARDED_BY(mu_) = 0;
  std::map<StreamId, Stream> streams_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_HEALTH_FEED_H_
