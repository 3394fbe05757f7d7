#include "dra/plugin/driver_list.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "dra/plugin/shown_text.h"

namespace kubelet_cm::dra {
namespace {

template <typename Instances>
auto FindEndpoint(Instances& instances, const std::string& endpoint) {
  return std::find_if(instances.begin(), instances.end(),
                      [&](const ListedDriver& instance) { return instance.endpoint == endpoint; });
}

}  // namespace

const DriverList::Instances* DriverList::Find(std::string_view driver) const {
  const auto found = drivers_.find(std::string(driver));
  return found == drivers_.end() ? nullptr : &found->second;
}

absl::Status DriverList::EmptyName() const {
  return absl::InvalidArgumentError(says_plugin_ ? "plugin name is empty" : "DRA driver name is empty");
}

absl::Status DriverList::NotRegistered(std::string_view driver) const {
  const std::string shown = Shown(driver);
  return absl::NotFoundError(
      says_plugin_ ? absl::StrCat("plugin name ", shown, " not found in the list of registered DRA plugins")
                   : absl::StrCat("DRA driver ", shown, " is not registered"));
}

absl::Status DriverList::CheckAddition(const std::string& driver, const std::string& endpoint) const {
  // Upstream takes a driver without a name, and deletes the ResourceSlices of all drivers when it goes.
  if (driver.empty()) return EmptyName();
  if (driver.size() > kMaxDriverName) {
    return absl::InvalidArgumentError(absl::StrCat("DRA driver name ", Shown(driver), " has ", driver.size(),
                                                   " bytes, which is more than ", kMaxDriverName));
  }
  const Instances* const instances = Find(driver);
  if (instances != nullptr && !rules_.several_instances) return absl::OkStatus();  // takes the place of that one
  if (instances != nullptr && FindEndpoint(*instances, endpoint) != instances->end()) {
    return absl::AlreadyExistsError(absl::StrCat(
        "endpoint ", Shown(endpoint),
        says_plugin_ ? " already registered for plugin " : " already registered for DRA driver plugin ", driver));
  }
  if (size_ >= kMaxDriverInstances) {
    return absl::ResourceExhaustedError(
        absl::StrCat("there are ", kMaxDriverInstances, " DRA driver plugins already; no more are taken"));
  }
  return absl::OkStatus();
}

absl::StatusOr<DriverList::Addition> DriverList::Add(const std::string& driver, ListedDriver instance) {
  RETURN_IF_ERROR(CheckAddition(driver, instance.endpoint));
  Instances& instances = drivers_[driver];
  Addition addition;
  if (!rules_.several_instances) {
    for (const ListedDriver& replaced : instances) addition.replaced.push_back(replaced.id);
    size_ -= instances.size();
    instances.clear();
  }
  instances.push_back(std::move(instance));
  ++size_;
  addition.instances = instances.size();
  return addition;
}

std::optional<DriverList::Removal> DriverList::Remove(const std::string& driver, const std::string& endpoint) {
  const auto found = drivers_.find(driver);
  if (found == drivers_.end()) return std::nullopt;
  Instances& instances = found->second;
  const auto gone = rules_.several_instances ? FindEndpoint(instances, endpoint) : instances.begin();
  if (gone == instances.end()) return std::nullopt;
  Removal removal{.id = gone->id, .instances = instances.size() - 1};
  instances.erase(gone);
  if (instances.empty()) drivers_.erase(found);
  --size_;
  return removal;
}

bool DriverList::SetConnected(const std::string& driver, DriverInstanceId id, bool connected) {
  const auto found = drivers_.find(driver);
  if (found == drivers_.end()) return false;
  for (ListedDriver& instance : found->second) {
    if (instance.id == id) return std::exchange(instance.connected, connected) != connected;
  }
  return false;
}

absl::StatusOr<ListedDriver> DriverList::Choose(std::string_view driver) const {
  if (driver.empty()) return EmptyName();
  const Instances* const instances = Find(driver);
  if (instances == nullptr) return NotRegistered(driver);
  const auto connected = std::find_if(instances->rbegin(), instances->rend(),
                                      [](const ListedDriver& instance) { return instance.connected; });
  return connected == instances->rend() ? instances->back() : *connected;
}

bool DriverList::IsUsable(std::string_view driver) const {
  const Instances* const instances = Find(driver);
  if (instances == nullptr) return false;
  return !rules_.monitors_connections || std::any_of(instances->begin(), instances->end(),
                                                     [](const ListedDriver& instance) { return instance.connected; });
}

std::optional<DriverVersion> DriverList::VersionOf(std::string_view driver) const {
  const Instances* const instances = Find(driver);
  if (instances == nullptr) return std::nullopt;
  return instances->back().version;
}

std::vector<std::pair<std::string, ListedDriver>> DriverList::All() const {
  std::vector<std::pair<std::string, ListedDriver>> all;
  all.reserve(size_);
  for (const auto& [driver, instances] : drivers_) {
    for (const ListedDriver& instance : instances) all.emplace_back(driver, instance);
  }
  return all;
}

}  // namespace kubelet_cm::dra
