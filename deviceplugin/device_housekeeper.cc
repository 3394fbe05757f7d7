#include "deviceplugin/device_housekeeper.h"

#include <string>
#include <vector>

namespace kubelet_cm::deviceplugin {

DeviceHousekeeper::DeviceHousekeeper(Dependencies dependencies)
    : deps_(dependencies), thread_(deps_.threads.Start("device-house", [this] { Run(); })) {}

DeviceHousekeeper::~DeviceHousekeeper() {
  stopping_ = true;
  deps_.work.Set();
  thread_.reset();
}

void DeviceHousekeeper::Run() {
  // Until there is work for the first time the process is starting, which needs the processors itself.
  bool started = false;
  while (!stopping_) {
    RemoveExpired();
    deps_.plugins.Reap();
    Write();
    if (started && deps_.checkpoint.PrepareNext()) continue;
    deps_.work.WaitUntil(NextDeadline());
    started = true;
  }
}

MonotonicTime DeviceHousekeeper::NextDeadline() const {
  MutexLock lock(&deps_.state.mu);
  return deps_.state.inventory.NextExpiry().value_or(MonotonicTime::InfiniteFuture());
}

void DeviceHousekeeper::RemoveExpired() {
  std::vector<std::string> removed;
  {
    MutexLock lock(&deps_.state.mu);
    removed = deps_.state.inventory.RemoveExpired(deps_.threads.clock().MonotonicNow());
    if (!removed.empty()) deps_.state.RegisteredChanged();
  }
  if (!removed.empty())
    deps_.log.Info("Removed resources whose device plugin did not come back", {{"resources", removed}});
}

void DeviceHousekeeper::Write() {
  uint64_t number = 0;
  {
    MutexLock lock(&deps_.state.mu);
    number = deps_.state.number;
  }
  if (number <= attempted_ || stopping_) return;
  attempted_ = number;
  if (const absl::Status written = deps_.checkpoint.WaitDurable(number); !written.ok()) {
    deps_.log.Error(written, "Writing checkpoint encountered");
  } else {
    deps_.log.V(4).Info("Checkpoint file written", {{"checkpoint", kDeviceCheckpointKey}});
  }
}

}  // namespace kubelet_cm::deviceplugin
