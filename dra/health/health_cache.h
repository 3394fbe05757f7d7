// HealthCache: what drivers told of their devices' health, and how long it counts.
//
// Several instances of a driver may report, also the same device: what was said last counts. When an instance ends, or
// is silent about a device for longer than it promised, only its own word is taken back; a device of which nobody's
// word is left is unknown.
//
// A plain value without a clock, used under its owner's lock. Changes of the cache return what readers see differently
// from then on. Expire is called at NextTimeout, and what has timed out by then is unknown to Read at once.
#ifndef KUBELET_CM_DRA_HEALTH_HEALTH_CACHE_H_
#define KUBELET_CM_DRA_HEALTH_HEALTH_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"
#include "absl/time/time.h"
#include "common/clock/monotonic_time.h"
#include "dra/claim/claim_status.h"
#include "dra/claim/claim_store.h"
#include "dra/health/health_report.h"
#include "dra/health/health_state.h"

namespace kubelet_cm::dra {

inline constexpr size_t kMaxHealthDevices = 16384;  // of a driver
inline constexpr absl::Duration kDefaultHealthTimeout = absl::Seconds(30);
// Pools and devices of the API have shorter names.
inline constexpr size_t kMaxHealthNameBytes = 253;

// An instance of a driver. Larger ones came later; none is 0.
using HealthSourceId = uint64_t;

// The same moment on both clocks: timeouts go by the one, the state file by the other.
struct HealthInstant {
  MonotonicTime monotonic;
  absl::Time wall;
};

// What was odd about a message.
struct HealthFindings {
  size_t beyond_limit = 0;  // devices that were ignored
  size_t bad_names = 0;     // devices without a name, or with one that is too long, that were ignored
  size_t negative_timeouts = 0;
  size_t cut_messages = 0;

  friend bool operator==(const HealthFindings&, const HealthFindings&) = default;
};

struct HealthChange {
  std::vector<DeviceName> devices = {};  // whose health or message is another; sorted, each once
  bool state_changed = false;            // State() differs in more than times
};

class HealthCache {
 public:
  // Takes what a state file held, except what timed out while nobody was there. For an empty cache.
  void Restore(const HealthState& state, const HealthInstant& now);
  HealthState State() const;

  // A message of an instance. Devices that it does not mention keep what was said of them, until that times out.
  HealthChange Update(const std::string& driver, HealthSourceId source, HealthReports reports, const HealthInstant& now,
                      HealthFindings* findings);
  // The instance's stream has ended.
  HealthChange RemoveSource(const std::string& driver, HealthSourceId source);
  // When the next report times out; none: there is nothing.
  std::optional<MonotonicTime> NextTimeout() const;
  // Removes what has timed out.
  HealthChange Expire(MonotonicTime now);

  DeviceCondition Read(const DeviceName& name, MonotonicTime now) const;

 private:
  using DeviceKey = std::pair<std::string, std::string>;  // pool and device

  struct Report {
    HealthSourceId source = 0;  // 0: restored
    HealthValue health = HealthValue::kUnknown;
    std::string message = {};
    absl::Duration timeout = kDefaultHealthTimeout;
    MonotonicTime reported = {};
    absl::Time reported_wall = {};

    bool IsSilent(MonotonicTime now) const { return now - reported > timeout; }
    // But for the times.
    bool SaysTheSame(const Report& other) const;
  };
  // In the order in which they came, one of each source; never none. The last one counts.
  using Reports = std::vector<Report>;

  struct Driver {
    absl::btree_map<DeviceKey, Reports> devices;
    MonotonicTime next_timeout = MonotonicTime::InfiniteFuture();
  };

  // Collects a change of one driver.
  struct Changes {
    absl::btree_set<DeviceKey> devices = {};
    bool state_changed = false;
  };

  static DeviceCondition Condition(const Report* report);
  static const Report* Last(const Reports& reports);
  // Takes reports out, and devices of which none is left.
  template <typename Goes>
  static void EraseReports(Driver& driver, Goes goes, Changes& changes);
  static void Accept(Driver& driver, const DeviceKey& key, Report report, Changes& changes);
  // The end of every change: what is remembered of the driver, and what is told of the change.
  static void Finish(const std::string& driver_name, Driver& driver, const Changes& changes, HealthChange& change);
  void DropEmptyDrivers();

  absl::btree_map<std::string, Driver> drivers_;  // between calls never without devices
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_HEALTH_HEALTH_CACHE_H_
