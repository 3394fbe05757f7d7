// ModelWatcher: listens to what one instance of a driver says that it has, from its registration on until it is
// stopped, as a kubelet of 1.30 did: a stream that fails is opened again a while later; one that the driver ends
// properly, or does not know, is not, and what was said last holds.
#ifndef KUBELET_CM_DRA_SLICES_MODEL_WATCHER_H_
#define KUBELET_CM_DRA_SLICES_MODEL_WATCHER_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/log/logger.h"
#include "common/threads/mutex.h"
#include "common/threads/notification.h"
#include "common/threads/threads.h"
#include "dra/plugin/driver_list.h"
#include "dra/slices/model_client.h"

namespace kubelet_cm::dra {

// A message with more of them is not taken: each would be an object of the API server.
inline constexpr size_t kMaxModels = 1024;

// An instance of a driver that is listened to.
struct ModelSource {
  DriverInstanceId id = 0;
  std::string driver_name = {};
};

// Called on the watcher's thread, one call at a time, with no lock held.
class ModelObserver {
 public:
  virtual ~ModelObserver() = default;

  // What the driver has, all of it. None, too, from a driver that publishes nothing.
  virtual void OnModels(const ModelSource& source, ResourceModels models) = 0;
};

class ModelWatcher {
 public:
  struct Dependencies {
    Threads& threads;
    Logger& log;
    ModelObserver& observer;
  };
  static constexpr absl::Duration kRetry = absl::Seconds(5);

  // Starts to listen. `dependencies` outlive the watcher; the observer may be called at once.
  ModelWatcher(Dependencies dependencies, ModelSource source, std::unique_ptr<ModelClient> client);
  // Stops, and waits until a running callback has returned. Not on the watcher's own thread.
  ~ModelWatcher();
  ModelWatcher(const ModelWatcher&) = delete;
  ModelWatcher& operator=(const ModelWatcher&) = delete;

  const ModelSource& source() const { return source_; }

  // The stream ends soon, and no other is opened. Does not wait; a second call does nothing. Thread-safe.
  void Stop();

 private:
  // The thread's.
  void Run();
  // Why there is nothing more to hear.
  std::string Listen();
  // Reads a stream to its end, and returns how that was.
  absl::Status ReadStream();
  void Take(ResourceModels models);

  // Makes it the stream that Stop cancels. False when it is too late.
  bool SetStream(ModelStream* stream);

  const Dependencies deps_;
  const ModelSource source_;
  const std::unique_ptr<ModelClient> client_;
  bool has_spoken_ = false;  // the thread's
  Notification stopped_;
  Mutex mu_;
  ModelStream* stream_ ABSL_GUARDED_BY(mu_) = nullptr;  // null while none is open
  std::unique_ptr<Thread> thread_;                      // uses all of the above
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_SLICES_MODEL_WATCHER_H_
