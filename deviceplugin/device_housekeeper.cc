#include "deviceplugin/device_housekeeper.h"

#include <algorithm>
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
  const MonotonicTime again = again_at_.value_or(MonotonicTime::InfiniteFuture());
  MutexLock lock(&deps_.state.mu);
  return std::min(again, deps_.state.inventory.NextExpiry().value_or(MonotonicTime::InfiniteFuture()));
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

uint64_t DeviceHousekeeper::NewestState() {
  const bool is_due = again_at_.has_value() && deps_.threads.clock().MonotonicNow() >= *again_at_;
  // Others may have written it since.
  const bool is_missing = is_due && deps_.checkpoint.durable() < attempted_;
  if (is_due) again_at_.reset();
  MutexLock lock(&deps_.state.mu);
  // The writer is done with a state whose write has failed, so this is another one.
  return is_missing ? deps_.state.Changed() : deps_.state.number;
}

void DeviceHousekeeper::Write() {
  const uint64_t number = NewestState();
  if (number <= attempted_ || stopping_) return;
  attempted_ = number;
  again_at_.reset();
  if (const absl::Status written = deps_.checkpoint.WaitDurable(number); !written.ok()) {
    deps_.log.Error(written, "Writing checkpoint encountered");
    again_at_ = deps_.threads.clock().MonotonicNow() + kWriteAgainAfter;
  } else {
    deps_.log.V(4).Info("Checkpoint file written", {{"checkpoint", kDeviceCheckpointKey}});
  }
}

}  // namespace kubelet_cm::deviceplugin
