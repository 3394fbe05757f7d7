// DriverInstance: one instance of a driver that has registered: what its calls go through, and the thread that watches
// whether it is connected.
//
// A connection that ends is made again: watching asks for one all the while. A driver that restarts behind its socket
// is therefore noticed without a call, and so is one that never comes up.
#ifndef KUBELET_CM_DRA_PLUGIN_DRIVER_INSTANCE_H_
#define KUBELET_CM_DRA_PLUGIN_DRIVER_INSTANCE_H_

#include <memory>

#include "common/threads/threads.h"
#include "dra/plugin/dra_client.h"
#include "dra/plugin/driver_listener.h"

namespace kubelet_cm::dra {

// Hears whether an instance is connected. Called on the instance's thread, one call at a time, with no lock held. A
// callback may call everything of the instance except its destructor.
class DriverInstanceObserver {
 public:
  virtual ~DriverInstanceObserver() = default;

  // At first none is. One that was under way may still come while Stop() runs.
  virtual void OnConnection(const RegisteredDriver& driver, bool connected) = 0;
};

// Thread-safe. The owner destroys it on any thread but its own, with no lock held: the destructor stops it and waits
// until a running callback has returned, so neither may that one wait for a lock of the destroying thread.
class DriverInstance {
 public:
  // `threads` outlives the instance.
  DriverInstance(Threads& threads, RegisteredDriver info, std::shared_ptr<DraClient> client);
  ~DriverInstance();
  DriverInstance(const DriverInstance&) = delete;
  DriverInstance& operator=(const DriverInstance&) = delete;

  const RegisteredDriver& info() const { return info_; }
  // May outlive the instance; its calls fail after Stop().
  const std::shared_ptr<DraClient>& client() const { return client_; }

  // Starts to watch; called once. `observer` outlives the instance and may be called at once.
  void Watch(DriverInstanceObserver& observer);

  // Calls in flight end soon, later ones fail, and watching ends. Does not wait; a second call does nothing.
  void Stop();

 private:
  void Monitor(DriverInstanceObserver& observer);

  Threads& threads_;
  const RegisteredDriver info_;
  const std::shared_ptr<DraClient> client_;
  std::unique_ptr<Thread> monitor_;  // null before Watch; uses all of the above
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_DRIVER_INSTANCE_H_
