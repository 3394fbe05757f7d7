// SlicePublisher: sees to it that the ResourceSlices of this node are what its drivers say that they have, as a kubelet
// of 1.30 did. (Since 1.31 drivers do that themselves.)
//
// A driver's slices go when it is not registered any more, and so do those of drivers that are not there at the start:
// nobody waits for them to come back. A driver that has registered and has not spoken yet keeps the slices that there
// are: its update is no reason for the scheduler to lose sight of its devices. (Upstream deleted them if the driver's
// first message was late.)
//
// Looks at the slices after each change of what drivers say, every ten minutes because others may have changed them,
// and after a failure again 1 s, then 2 s, 4 s and so on later, up to 5 min, each time up to 20 % longer.
//
// Thread-safe, with threads of its own: one an instance of a driver, and one that talks to the API server.
#ifndef KUBELET_CM_DRA_SLICES_SLICE_PUBLISHER_H_
#define KUBELET_CM_DRA_SLICES_SLICE_PUBLISHER_H_

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock/monotonic_time.h"
#include "common/log/logger.h"
#include "common/random/random.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "dra/plugin/driver_list.h"
#include "dra/plugin/slice_client.h"
#include "dra/slices/model_client.h"
#include "dra/slices/model_watcher.h"

namespace kubelet_cm::dra {

class SlicePublisher : private ModelObserver {
 public:
  struct Dependencies {
    Threads& threads;
    Logger& log;
    Random& random;
    SliceClient& slices;
  };
  static constexpr absl::Duration kResync = absl::Minutes(10);

  // Begins to look at the slices. What is given outlives the object.
  explicit SlicePublisher(Dependencies dependencies);
  // Slices stay as they are, for the next start. A call that is under way is waited for, which its time limit ends.
  ~SlicePublisher() override;
  SlicePublisher(const SlicePublisher&) = delete;
  SlicePublisher& operator=(const SlicePublisher&) = delete;

  // Listens to an instance of a driver until it is removed; it is the one that counts from now on. Its id is another
  // than those of all before it.
  void AddInstance(ModelSource source, std::unique_ptr<ModelClient> client);
  // None is no error. The caller holds no lock: this waits for the end of the instance's thread.
  void RemoveInstance(DriverInstanceId id);

 private:
  struct Driver {
    DriverInstanceId instance = 0;
    std::optional<ResourceModels> models = {};  // nothing: it has not spoken yet
  };

  // Of the watchers' threads.
  void OnModels(const ModelSource& source, ResourceModels models) override;

  // The thread's.
  void Run();
  // Waits until the slices are to be looked at. False at the end.
  bool AwaitWork();
  void Finish(bool done);
  // False if something failed.
  bool Publish();
  absl::Status PublishDriver(absl::Span<const ModelSlice> slices, const std::string& driver,
                             const ResourceModels& models);
  // What the driver's slices should have in them; nothing: what they have.
  std::optional<ResourceModels> ModelsOf(const std::string& driver);
  std::set<std::string> Drivers();
  absl::Status CheckGoingOn();

  const Dependencies deps_;
  Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  absl::btree_map<std::string, Driver> drivers_ ABSL_GUARDED_BY(mu_);
  absl::btree_map<DriverInstanceId, std::unique_ptr<ModelWatcher>> watchers_ ABSL_GUARDED_BY(mu_);
  bool has_news_ ABSL_GUARDED_BY(mu_) = true;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  MonotonicTime next_look_;         // the thread's
  absl::Duration backoff_;          // the thread's: after the next failure
  std::unique_ptr<Thread> thread_;  // uses all of the above
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_SLICES_SLICE_PUBLISHER_H_
