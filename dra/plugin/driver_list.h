// DriverList: which drivers are registered, with which instances, and which of them is called. Value code: whoever owns
// it locks.
//
// Instances of a driver are kept in the order of their registration. How many there may be, and whether their
// connections matter, is the kubelet's version's business (DraDriverRules of common/personality).
#ifndef KUBELET_CM_DRA_PLUGIN_DRIVER_LIST_H_
#define KUBELET_CM_DRA_PLUGIN_DRIVER_LIST_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/personality/personality.h"
#include "dra/plugin/driver_version.h"

namespace kubelet_cm::dra {

// Each registration gets one of its own.
using DriverInstanceId = uint64_t;

// More are refused, of all drivers together.
inline constexpr size_t kMaxDriverInstances = 1024;
// What a name in DNS may have.
inline constexpr size_t kMaxDriverName = 253;

struct ListedDriver {
  DriverInstanceId id = 0;
  std::string endpoint = {};
  std::optional<DriverVersion> version = {};  // of a driver that registered with one
  bool connected = false;
};

class DriverList {
 public:
  explicit DriverList(DraDriverRules rules) : rules_(rules), says_plugin_(!rules.monitors_connections) {}

  struct Addition {
    std::vector<DriverInstanceId> replaced = {};
    size_t instances = 0;  // of the driver, now
  };
  // Errors leave the list as it is; `endpoint <e> already registered for DRA driver plugin <d>` is upstream's.
  absl::StatusOr<Addition> Add(const std::string& driver, ListedDriver instance);
  // What Add would say.
  absl::Status CheckAddition(const std::string& driver, const std::string& endpoint) const;

  struct Removal {
    DriverInstanceId id = 0;
    size_t instances = 0;  // of the driver, still there
  };
  // Nothing when there is none.
  std::optional<Removal> Remove(const std::string& driver, const std::string& endpoint);

  // False when that changes nothing, as for an instance that has gone.
  bool SetConnected(const std::string& driver, DriverInstanceId id, bool connected);

  // The newest instance that is connected, or else the newest. Errors are upstream's: `DRA driver name is empty`,
  // `DRA driver <d> is not registered`; until 1.33 `plugin name is empty` and `plugin name <d> not found in the list of
  // registered DRA plugins`.
  absl::StatusOr<ListedDriver> Choose(std::string_view driver) const;
  // Whether pods that need the driver can be started: one of its instances is connected, or for kubelets that do not
  // monitor connections, there is one.
  bool IsUsable(std::string_view driver) const;
  // Of the newest instance.
  std::optional<DriverVersion> VersionOf(std::string_view driver) const;

  size_t size() const { return size_; }  // instances of all drivers
  // By driver, each one's oldest first.
  std::vector<std::pair<std::string, ListedDriver>> All() const;

 private:
  using Instances = std::vector<ListedDriver>;  // never empty in the map

  const Instances* Find(std::string_view driver) const;

  absl::Status EmptyName() const;
  absl::Status NotRegistered(std::string_view driver) const;

  const DraDriverRules rules_;
  const bool says_plugin_;  // errors until 1.33 speak of plugins, and not of drivers
  absl::btree_map<std::string, Instances> drivers_;
  size_t size_ = 0;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_DRIVER_LIST_H_
