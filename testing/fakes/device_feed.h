// DeviceFeed: the devices of a fake plugin, and the ListAndWatch streams that are told of them.
//
// A stream gets the list that there is when it is opened, and then every list that is published, in order. Thread-safe;
// waits through the Threads seam. `threads` outlives the feed.
#ifndef KUBELET_CM_TESTING_FAKES_DEVICE_FEED_H_
#define KUBELET_CM_TESTING_FAKES_DEVICE_FEED_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/clock/monotonic_time.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "deviceplugin/api/v1beta1.pb.h"

namespace kubelet_cm::fakes {

class DeviceFeed {
 public:
  using StreamId = uint64_t;
  using List = ::v1beta1::ListAndWatchResponse;

  DeviceFeed(Threads& threads, List devices);

  List devices() const;
  // Replaces the list and sends it to all streams.
  void Publish(List devices);
  // Changes one device's health, and publishes the list. kNotFound when there is no such device.
  absl::Status SetHealth(const std::string& id, const std::string& health);

  StreamId Open();
  // Blocks for the next list of a stream, which is never null; until a deadline it is null. An error is how it ended.
  absl::StatusOr<std::shared_ptr<const List>> Next(StreamId id,
                                                   MonotonicTime deadline = MonotonicTime::InfiniteFuture());
  // A stream that ends OutOfRange, which is properly, gives what was published before; one that ends otherwise drops
  // it. Nothing, for a stream that has ended.
  void End(StreamId id, const absl::Status& how);
  void EndAll(const absl::Status& how);
  // Nobody reads the stream any more.
  void Forget(StreamId id);
  // How many streams are open.
  int stream_count() const;

 private:
  struct Stream {
    std::deque<std::shared_ptr<const List>> waiting;
    absl::Status ended;
  };

  void PublishLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  static void EndStream(Stream& stream, const absl::Status& how);

  mutable Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  std::shared_ptr<const List> devices_ ABSL_GUARDED_BY(mu_);  // large lists are not copied
  StreamId last_stream_ ABSL_GUARDED_BY(mu_) = 0;
  std::map<StreamId, Stream> streams_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_DEVICE_FEED_H_
