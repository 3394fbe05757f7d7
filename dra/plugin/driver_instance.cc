#include "dra/plugin/driver_instance.h"

#include <utility>

#include "absl/status/statusor.h"
#include "common/status/check.h"

namespace kubelet_cm::dra {
namespace {

// The instance whose callbacks the calling thread runs.
thread_local const DriverInstance* instance_of_this_thread = nullptr;

}  // namespace

DriverInstance::DriverInstance(Threads& threads, RegisteredDriver info, std::shared_ptr<DraClient> client)
    : threads_(threads), info_(std::move(info)), client_(std::move(client)) {}

DriverInstance::~DriverInstance() {
  CHECK(instance_of_this_thread != this) << "a callback destroys its own instance, which would wait for itself";
  Stop();
  monitor_.reset();
}

void DriverInstance::Watch(DriverInstanceObserver& observer) {
  CHECK(monitor_ == nullptr) << "an instance is watched once";
  monitor_ = threads_.Start("dra-monitor", [this, &observer] { Monitor(observer); });
}

void DriverInstance::Stop() { client_->Disconnect(); }

void DriverInstance::Monitor(DriverInstanceObserver& observer) {
  instance_of_this_thread = this;
  bool connected = false;
  while (true) {
    const absl::StatusOr<bool> now = client_->WaitForConnectionChange(connected);
    if (!now.ok()) return;  // stopped
    connected = *now;
    observer.OnConnection(info_, connected);
  }
}

}  // namespace kubelet_cm::dra
