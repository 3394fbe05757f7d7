// SliceWiper: the thread that deletes ResourceSlices of drivers that are gone, so that the scheduler places no pods for
// them here.
//
// A wipe is tried until it succeeds: again after 1 s, then 2 s, 4 s and so on, up to 5 min, each time up to 20 %
// longer, so that nodes whose API server comes back do not all ask at once. Upstream gives up silently after nine
// attempts; ours does not, and therefore Cancel ends a wipe that has begun, too, where upstream's goes on: one that
// waits for its next attempt would else, an hour later, delete the slices of a driver that has long been back. An
// attempt that is under way is not taken back; the driver publishes its slices again then, as after any deletion.
//
// The wipe of all drivers at the start goes on until it succeeds, and leaves out those that have come back meanwhile.
//
// Thread-safe; nothing here waits, except for the destructor.
#ifndef KUBELET_CM_DRA_PLUGIN_SLICE_WIPER_H_
#define KUBELET_CM_DRA_PLUGIN_SLICE_WIPER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/time/time.h"
#include "common/clock/monotonic_time.h"
#include "common/log/logger.h"
#include "common/random/random.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "dra/plugin/slice_client.h"

namespace kubelet_cm::dra {

// More wipes are not kept.
inline constexpr size_t kMaxPendingWipes = 4096;
// The time limit of each call to the API server.
inline constexpr absl::Duration kSliceCallTimeout = absl::Seconds(10);

class SliceWiper {
 public:
  struct Dependencies {
    Threads& threads;
    Logger& log;
    Random& random;
    SliceClient& slices;
  };

  // Starts the thread. What is given outlives the object.
  explicit SliceWiper(Dependencies dependencies);
  // What is pending is dropped; a call that is under way is waited for, which its time limit ends.
  ~SliceWiper();
  SliceWiper(const SliceWiper&) = delete;
  SliceWiper& operator=(const SliceWiper&) = delete;

  // Wipes the slices of all drivers of the node, from now on.
  void WipeAll();
  // Wipes those of a driver at `when`. One that is pending keeps its time. False when there are too many.
  bool Schedule(const std::string& driver, MonotonicTime when);
  // The driver is back: no attempt to wipe its slices begins any more, until Schedule is called.
  void Cancel(const std::string& driver);

 private:
  using Target = std::optional<std::string>;  // a driver, or all
  struct Wipe {
    uint64_t id = 0;  // tells it from one that was cancelled
    MonotonicTime next = {};
    absl::Duration backoff = absl::Seconds(1);  // after the next attempt
  };
  using Wipes = absl::btree_map<Target, Wipe>;

  bool Add(const Target& target, MonotonicTime when);
  void Run();
  // Waits for the wipe whose time has come; nothing at the end.
  std::optional<Wipes::value_type> AwaitDue();
  // Whether there is nothing left to do.
  bool Attempt(const Target& target);
  void Finish(const Target& target, uint64_t id, bool done);
  absl::Duration Jittered(absl::Duration backoff);

  const Dependencies deps_;
  Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  Wipes wipes_ ABSL_GUARDED_BY(mu_);
  std::set<std::string> present_ ABSL_GUARDED_BY(mu_);  // drivers that are back
  uint64_t last_id_ ABSL_GUARDED_BY(mu_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  std::unique_ptr<Thread> thread_;  // last: it uses all of the above
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_SLICE_WIPER_H_
