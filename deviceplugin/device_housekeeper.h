// DeviceHousekeeper: the thread that does what nobody waits for: writes the state file after changes that no caller
// waits for, removes resources whose plugin is gone for good, lets go of connections that have ended, and when all that
// is done makes ready what the next write needs; that not before the first work.
//
// It is woken by the event, and by the clock when a resource expires. Writes that fail are logged, and tried again with
// the next change or after kWriteAgainAfter: what was freed must not stay in the file because nothing else happens.
#ifndef KUBELET_CM_DEVICEPLUGIN_DEVICE_HOUSEKEEPER_H_
#define KUBELET_CM_DEVICEPLUGIN_DEVICE_HOUSEKEEPER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "absl/time/time.h"
#include "common/clock/monotonic_time.h"
#include "common/log/logger.h"
#include "common/threads/event.h"
#include "common/threads/threads.h"
#include "deviceplugin/device_checkpoint.h"
#include "deviceplugin/device_state.h"
#include "deviceplugin/plugin_connections.h"

namespace kubelet_cm::deviceplugin {

inline constexpr absl::Duration kWriteAgainAfter = absl::Seconds(10);

class DeviceHousekeeper {
 public:
  struct Dependencies {
    Threads& threads;
    Logger& log;
    DeviceState& state;
    DeviceCheckpoint& checkpoint;
    PluginConnections& plugins;
    Event& work;
  };

  // Starts the thread. What is given outlives the object.
  explicit DeviceHousekeeper(Dependencies dependencies);
  // Ends the thread after what it is at; what is left is not done.
  ~DeviceHousekeeper();
  DeviceHousekeeper(const DeviceHousekeeper&) = delete;
  DeviceHousekeeper& operator=(const DeviceHousekeeper&) = delete;

 private:
  void Run();
  // The instant of the next expiry or of the next attempt to write, or the end of time.
  MonotonicTime NextDeadline() const;
  void RemoveExpired();
  // The state that is to be written now.
  uint64_t NewestState();
  void Write();

  const Dependencies deps_;
  std::atomic<bool> stopping_ = false;
  // The thread's: the newest state that it tried to write, and when it tries again if it failed.
  uint64_t attempted_ = 0;
  std::optional<MonotonicTime> again_at_;
  std::unique_ptr<Thread> thread_;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_DEVICE_HOUSEKEEPER_H_
