#include "dra/health/health_cache.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/go_time.h"
#include "dra/health/health_message.h"

namespace kubelet_cm::dra {
namespace {

// What the state file can hold.
constexpr absl::Duration kLongestTimeout = absl::Nanoseconds(std::numeric_limits<int64_t>::max());

bool IsName(std::string_view pool, std::string_view device) {
  return !device.empty() && device.size() <= kMaxHealthNameBytes && pool.size() <= kMaxHealthNameBytes;
}

absl::Duration TimeoutOf(absl::Duration asked) {
  return asked <= absl::ZeroDuration() ? kDefaultHealthTimeout : std::min(asked, kLongestTimeout);
}

}  // namespace

bool HealthCache::Report::SaysTheSame(const Report& other) const {
  return health == other.health && message == other.message && timeout == other.timeout;
}

DeviceCondition HealthCache::Condition(const Report* report) {
  if (report == nullptr) return {};
  return {.health = std::string(HealthName(report->health)), .message = report->message};
}

const HealthCache::Report* HealthCache::Last(const Reports& reports) {
  return reports.empty() ? nullptr : &reports.back();
}

void HealthCache::Restore(const HealthState& state, const HealthInstant& now) {
  if (!state.has_value()) return;
  for (const auto& [driver_name, saved] : *state) {
    if (!saved.devices.has_value()) continue;
    Driver& driver = drivers_[driver_name];
    for (const auto& [key, device] : *saved.devices) {
      const std::optional<absl::Time> updated = ParseGoTime(device.last_updated);
      if (!updated.has_value() || !IsName(device.pool_name, device.device_name)) continue;
      // A clock that was set back makes it no newer than now.
      const absl::Duration age = std::max(now.wall - *updated, absl::ZeroDuration());
      Report report{.health = ParseHealthName(device.health),
                    .message = CutHealthMessage(device.message),
                    .timeout = TimeoutOf(absl::Nanoseconds(device.check_timeout_ns)),
                    .reported = now.monotonic - age,
                    .reported_wall = now.wall - age};
      if (report.IsSilent(now.monotonic) || driver.devices.size() >= kMaxHealthDevices) continue;
      driver.devices[{device.pool_name, device.device_name}] = {std::move(report)};
    }
    HealthChange nobody_was_told;
    Finish(driver_name, driver, {}, nobody_was_told);
  }
  DropEmptyDrivers();
}

HealthState HealthCache::State() const {
  HealthState state(std::in_place);
  for (const auto& [driver_name, driver] : drivers_) {
    auto& devices = (*state)[driver_name].devices.emplace();
    for (const auto& [key, reports] : driver.devices) {
      const Report& report = reports.back();
      devices[absl::StrCat(key.first, "/", key.second)] = {.pool_name = key.first,
                                                           .device_name = key.second,
                                                           .health = std::string(HealthName(report.health)),
                                                           .last_updated = FormatGoTime(report.reported_wall),
                                                           .check_timeout_ns = absl::ToInt64Nanoseconds(report.timeout),
                                                           .message = report.message};
    }
  }
  return state;
}

template <typename Goes>
void HealthCache::EraseReports(Driver& driver, Goes goes, Changes& changes) {
  for (auto device = driver.devices.begin(); device != driver.devices.end();) {
    auto& [key, reports] = *device;
    if (std::none_of(reports.begin(), reports.end(), goes)) {
      ++device;
      continue;
    }
    const DeviceCondition before = Condition(Last(reports));
    std::erase_if(reports, goes);
    const DeviceCondition after = Condition(Last(reports));
    changes.state_changed = true;
    if (before.health != after.health || before.message != after.message) changes.devices.insert(key);
    device = reports.empty() ? driver.devices.erase(device) : std::next(device);
  }
}

void HealthCache::Accept(Driver& driver, const DeviceKey& key, Report report, Changes& changes) {
  Reports& reports = driver.devices[key];
  const Report* const last = Last(reports);
  if (last == nullptr || !last->SaysTheSame(report)) changes.state_changed = true;
  const DeviceCondition before = Condition(last);
  if (before.health != HealthName(report.health) || before.message != report.message) changes.devices.insert(key);
  // What was restored is the word of an instance that is gone.
  std::erase_if(reports, [&](const Report& other) { return other.source == report.source || other.source == 0; });
  reports.push_back(std::move(report));
}

void HealthCache::Finish(const std::string& driver_name, Driver& driver, const Changes& changes, HealthChange& change) {
  driver.next_timeout = MonotonicTime::InfiniteFuture();
  for (const auto& [key, reports] : driver.devices) {
    for (const Report& report : reports) {
      driver.next_timeout = std::min(driver.next_timeout, report.reported + report.timeout);
    }
  }
  for (const auto& [pool, device] : changes.devices) change.devices.push_back({driver_name, pool, device});
  change.state_changed |= changes.state_changed;
}

void HealthCache::DropEmptyDrivers() {
  absl::erase_if(drivers_, [](const auto& driver) { return driver.second.devices.empty(); });
}

HealthChange HealthCache::Update(const std::string& driver_name, HealthSourceId source, HealthReports reports,
                                 const HealthInstant& now, HealthFindings* findings) {
  Driver& driver = drivers_[driver_name];
  Changes changes;
  // Some readers may have been told already that these are unknown, so they count as changed whatever comes now.
  EraseReports(
      driver, [&](const Report& report) { return report.IsSilent(now.monotonic); }, changes);
  // Of a device that is mentioned twice the last counts.
  absl::flat_hash_map<std::pair<std::string_view, std::string_view>, const HealthReport*> last_of;
  for (const HealthReport& report : reports) last_of[{report.pool, report.device}] = &report;
  for (HealthReport& report : reports) {
    if (last_of.at({report.pool, report.device}) != &report) continue;
    const DeviceKey key(report.pool, report.device);
    if (!IsName(report.pool, report.device)) {
      ++findings->bad_names;
    } else if (driver.devices.size() >= kMaxHealthDevices && !driver.devices.contains(key)) {
      ++findings->beyond_limit;
    } else {
      if (report.timeout_seconds < 0) ++findings->negative_timeouts;
      if (report.message.size() > kMaxHealthMessageBytes) ++findings->cut_messages;
      Accept(driver, key,
             {.source = source,
              .health = report.health,
              .message = CutHealthMessage(std::move(report.message)),
              .timeout = TimeoutOf(absl::Seconds(report.timeout_seconds)),
              .reported = now.monotonic,
              .reported_wall = now.wall},
             changes);
    }
  }
  HealthChange change;
  Finish(driver_name, driver, changes, change);
  DropEmptyDrivers();
  return change;
}

HealthChange HealthCache::RemoveSource(const std::string& driver_name, HealthSourceId source) {
  HealthChange change;
  const auto driver = drivers_.find(driver_name);
  if (driver == drivers_.end()) return change;
  Changes changes;
  EraseReports(
      driver->second, [&](const Report& report) { return report.source == source; }, changes);
  Finish(driver_name, driver->second, changes, change);
  DropEmptyDrivers();
  return change;
}

std::optional<MonotonicTime> HealthCache::NextTimeout() const {
  std::optional<MonotonicTime> next;
  for (const auto& [name, driver] : drivers_) {
    // A report counts up to this instant, and with it.
    const MonotonicTime over = driver.next_timeout + absl::Nanoseconds(1);
    next = std::min(next.value_or(over), over);
  }
  return next;
}

HealthChange HealthCache::Expire(MonotonicTime now) {
  HealthChange change;
  for (auto& [name, driver] : drivers_) {
    if (now <= driver.next_timeout) continue;
    Changes changes;
    EraseReports(
        driver, [&](const Report& report) { return report.IsSilent(now); }, changes);
    Finish(name, driver, changes, change);
  }
  DropEmptyDrivers();
  return change;
}

DeviceCondition HealthCache::Read(const DeviceName& name, MonotonicTime now) const {
  const auto driver = drivers_.find(name.driver);
  if (driver == drivers_.end()) return {};
  const auto device = driver->second.devices.find({name.pool, name.device});
  if (device == driver->second.devices.end()) return {};
  const Reports& reports = device->second;
  const auto last =
      std::find_if(reports.rbegin(), reports.rend(), [&](const Report& report) { return !report.IsSilent(now); });
  return Condition(last == reports.rend() ? nullptr : &*last);
}

}  // namespace kubelet_cm::dra
