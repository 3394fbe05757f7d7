// DeviceCheckpoint: the device manager's state file, after the start: takes the changes of the state and writes them.
//
// Whoever changed the state waits with WaitDurable for the number of the change, holding no lock; one of those who wait
// writes for all (CheckpointWriter). What is written is the format of the emulated kubelet.
//
// Thread-safe.
#ifndef KUBELET_CM_DEVICEPLUGIN_DEVICE_CHECKPOINT_H_
#define KUBELET_CM_DEVICEPLUGIN_DEVICE_CHECKPOINT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "checkpointmanager/checkpoint_manager.h"
#include "checkpointmanager/checkpoint_writer.h"
#include "common/personality/personality.h"
#include "common/threads/threads.h"
#include "deviceplugin/allocation/device_ledger.h"
#include "deviceplugin/checkpoint/device_checkpoint_text.h"
#include "deviceplugin/checkpoint/device_content.h"
#include "deviceplugin/device_restore.h"

namespace kubelet_cm::deviceplugin {

// What has changed since the last time.
struct DeviceChanges {
  uint64_t number = 0;                               // of the newest state, in which they end
  std::vector<LedgerChange> entries = {};            // in the order in which they happened
  std::optional<RegisteredDevices> registered = {};  // all of them, if any has changed
};

// The state behind the file. Called by one thread at a time, which holds no lock.
class DeviceChangeSource {
 public:
  virtual ~DeviceChangeSource() = default;

  // Hands the changes over: they are not told again.
  virtual DeviceChanges TakeChanges() = 0;
};

class DeviceCheckpoint : private CheckpointSource {
 public:
  // `restored` is what the file holds and where the state of `changes` began, as number 0. What is referred to outlives
  // the object.
  DeviceCheckpoint(CheckpointManager& manager, Threads& threads, DeviceChangeSource& changes,
                   const Personality& kubelet, DeviceRestore restored);

  // OK when the state of this number, or a later one, survives a power cut. The error has upstream's text.
  absl::Status WaitDurable(uint64_t number);

  // For idle time: makes a little (some 0.5 ms) of what the first changes after a start wait for otherwise. True while
  // something remains.
  bool PrepareNext() { return writer_.PrepareNext(); }

  uint64_t durable() const { return writer_.durable(); }
  CheckpointWriterCounts counts() const { return writer_.counts(); }

 private:
  uint64_t Render(std::string& bytes) override;
  bool Prepare() override;
  DeviceCheckpointText& Text();

  DeviceChangeSource& changes_;
  const DeviceFormat format_;
  // The writing thread's.
  std::optional<DeviceContent> restored_;  // until the text of it is made: a start does not wait for that
  std::optional<DeviceCheckpointText> text_;
  // Last: it calls Render.
  CheckpointWriter writer_;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_DEVICE_CHECKPOINT_H_
