// SwitchedDrivers: drivers in memory whose connections a test switches on and off. Tests only.
//
//   SwitchedDrivers drivers(threads);
//   DriverRegistry registry({..., .connect = drivers.Connector()});
//   drivers.Switch("/a.sock", true);
//
// An endpoint's clients are connected while it is switched on and they are not disconnected. Their calls answer
// nothing, or fail as those of a driver that is not there. Thread-safe; waits through the Threads seam.
#ifndef KUBELET_CM_DRA_PLUGIN_SWITCHED_DRIVERS_H_
#define KUBELET_CM_DRA_PLUGIN_SWITCHED_DRIVERS_H_

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "dra/plugin/connect_driver.h"
#include "dra/plugin/dra_client.h"

namespace kubelet_cm::dra {

class SwitchedDrivers {
 public:
  // `threads` outlives this, and this what it connects.
  explicit SwitchedDrivers(Threads& threads) : changed_(threads.NewCondition("a connection to change")) {}

  void Switch(const std::string& endpoint, bool on) {
    {
      MutexLock lock(&mu_);
      on ? void(on_.insert(endpoint)) : void(on_.erase(endpoint));
    }
    changed_->NotifyAll();
  }

  ConnectToDriver Connector() {
    return [this](const DriverAddress& address) -> absl::StatusOr<ConnectedDriver> {
      return ConnectedDriver{.client = std::make_shared<Client>(*this, address.endpoint)};
    };
  }

 private:
  class Client : public DraClient {
   public:
    Client(SwitchedDrivers& drivers, std::string endpoint) : drivers_(drivers), endpoint_(std::move(endpoint)) {}

    absl::StatusOr<ClaimAnswers> Prepare(Claims, absl::Duration) override { return Answer(); }
    absl::StatusOr<ClaimAnswers> Unprepare(Claims, absl::Duration) override { return Answer(); }

    absl::StatusOr<bool> WaitForConnectionChange(bool known) override {
      MutexLock lock(&drivers_.mu_);
      while (!disconnected_ && drivers_.on_.contains(endpoint_) == known) drivers_.changed_->Wait(&drivers_.mu_);
      if (disconnected_) return absl::CancelledError("the client is disconnected");
      return !known;
    }

    void Disconnect() override {
      {
        MutexLock lock(&drivers_.mu_);
        disconnected_ = true;
      }
      drivers_.changed_->NotifyAll();
    }

   private:
    absl::StatusOr<ClaimAnswers> Answer() {
      MutexLock lock(&drivers_.mu_);
      if (disconnected_) return absl::CancelledError("the client is disconnected");
      if (!drivers_.on_.contains(endpoint_)) return absl::UnavailableError("nobody is there");
      return ClaimAnswers();
    }

    SwitchedDrivers& drivers_;
    const std::string endpoint_;
    bool disconnected_ = false;  // guarded by drivers_.mu_
  };

  Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  std::set<std::string> on_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_SWITCHED_DRIVERS_H_
