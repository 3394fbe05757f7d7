#include "testing/fakes/memory_drivers.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/check.h"

namespace kubelet_cm::fakes {

ScriptedDriver& MemoryDrivers::Add(const std::string& name, ScriptedDriver::Options options) {
  auto driver = std::make_unique<ScriptedDriver>(threads_, std::move(options));
  ScriptedDriver& added = *driver;
  MutexLock lock(&mu_);
  CHECK(drivers_.emplace(name, Entry{.driver = std::move(driver)}).second) << "there is a driver " << name;
  return added;
}

ScriptedDriver& MemoryDrivers::driver(const std::string& name) const {
  MutexLock lock(&mu_);
  return *drivers_.at(name).driver;
}

void MemoryDrivers::Leave(const std::string& name) {
  std::shared_ptr<dra::DraClient> client;
  {
    MutexLock lock(&mu_);
    drivers_.at(name).registered = false;
    client = std::exchange(drivers_.at(name).client, nullptr);
  }
  if (client != nullptr) client->Disconnect();
}

void MemoryDrivers::ComeBack(const std::string& name) {
  MutexLock lock(&mu_);
  drivers_.at(name).registered = true;
}

void MemoryDrivers::CutOff() {
  std::vector<std::shared_ptr<dra::DraClient>> clients;
  {
    MutexLock lock(&mu_);
    cut_off_ = true;
    for (auto& [name, entry] : drivers_) clients.push_back(std::exchange(entry.client, nullptr));
  }
  for (const auto& client : clients) {
    if (client != nullptr) client->Disconnect();
  }
}

void MemoryDrivers::Reconnect() {
  MutexLock lock(&mu_);
  cut_off_ = false;
}

absl::StatusOr<std::shared_ptr<dra::DraClient>> MemoryDrivers::Find(std::string_view driver_name) const {
  MutexLock lock(&mu_);
  if (cut_off_) return absl::CancelledError("CANCELLED");
  const auto found = drivers_.find(driver_name);
  if (found == drivers_.end() || !found->second.registered) {
    return absl::NotFoundError(absl::StrCat("DRA driver ", std::string(driver_name), " is not registered"));
  }
  Entry& entry = found->second;
  if (entry.client == nullptr) entry.client = std::make_shared<FakeDraClient>(threads_, *entry.driver);
  return entry.client;
}

}  // namespace kubelet_cm::fakes
