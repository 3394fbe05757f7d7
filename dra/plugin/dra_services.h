// What a kubelet speaks with a driver that registers: negotiated out of what the driver lists as supported versions, as
// each kubelet does it (DraOffer of common/personality). Pure functions, for any thread. Errors are kInvalidArgument
// with upstream's texts; what the driver sent is quoted in them and cut when it is long.
#ifndef KUBELET_CM_DRA_PLUGIN_DRA_SERVICES_H_
#define KUBELET_CM_DRA_PLUGIN_DRA_SERVICES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "common/personality/personality.h"
#include "dra/api/dra_api.h"
#include "dra/plugin/driver_version.h"

namespace kubelet_cm::dra {

// The inverses of ServiceName and ApiName.
std::optional<DraApi> ParseDraService(std::string_view name);
std::optional<DraHealthApi> ParseHealthService(std::string_view name);
std::optional<DraApi> ParseDraApi(std::string_view name);

// What a driver says of itself.
struct DriverInfo {
  std::string driver_name;
  std::string endpoint;
  std::vector<std::string> supported_versions;
};

struct DraServices {
  DraApi api = DraApi::kV1;
  std::optional<DraHealthApi> health = {};    // nothing: its health is not asked for
  std::optional<DriverVersion> version = {};  // of a driver that registered with one

  friend bool operator==(const DraServices&, const DraServices&) = default;
};

// The kubelet asks twice, and words its answer a little differently.
enum class RegistrationStep { kValidate, kRegister };

// `registered` is the version of a driver of that name that is there already; only kubelets until 1.31 mind.
absl::StatusOr<DraServices> ChooseServices(const DraOffer& offer, const DriverInfo& driver, RegistrationStep step,
                                           const std::optional<DriverVersion>& registered = std::nullopt);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_DRA_SERVICES_H_
