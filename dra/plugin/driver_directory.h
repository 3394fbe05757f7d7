// DriverDirectory: where the DRA manager finds the instance of a driver to call.
//
//  - DriverRegistry: of the drivers that have registered.
//  - Tests: testing/harness has one of drivers in memory.
//
// Thread-safe; does not block.
#ifndef KUBELET_CM_DRA_PLUGIN_DRIVER_DIRECTORY_H_
#define KUBELET_CM_DRA_PLUGIN_DRIVER_DIRECTORY_H_

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "dra/plugin/dra_client.h"

namespace kubelet_cm::dra {

class DriverDirectory {
 public:
  DriverDirectory() = default;
  DriverDirectory(const DriverDirectory&) = delete;
  DriverDirectory& operator=(const DriverDirectory&) = delete;
  virtual ~DriverDirectory() = default;

  // The newest instance that is connected, or else the newest. It stays usable after the driver is gone: its calls fail
  // then. Errors have upstream's texts: `DRA driver <name> is not registered`.
  virtual absl::StatusOr<std::shared_ptr<DraClient>> Find(std::string_view driver_name) const = 0;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_DRIVER_DIRECTORY_H_
