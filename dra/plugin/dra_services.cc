#include "dra/plugin/dra_services.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/quote.h"
#include "common/status/check.h"
#include "dra/plugin/shown_text.h"

namespace kubelet_cm::dra {
namespace {

constexpr DraApi kAllApis[] = {DraApi::kV1,       DraApi::kV1Beta1,  DraApi::kV1Alpha4,
                               DraApi::kV1Alpha3, DraApi::kV1Alpha2, DraApi::kV1Alpha1};
constexpr DraHealthApi kAllHealthApis[] = {DraHealthApi::kV1, DraHealthApi::kV1Alpha1};

template <typename List, typename Item>
bool Contains(const List& list, const Item& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

// The first of `names` that is among `others`; empty if none is.
template <typename Names, typename Others>
std::string_view FirstAmong(const Names& names, const Others& others) {
  for (const std::string_view name : names) {
    if (Contains(others, name)) return name;
  }
  return {};
}

absl::StatusOr<DraApi> ChooseApi(const DraOffer& offer, const std::vector<std::string>& supported) {
  if (supported.empty()) {
    return absl::InvalidArgumentError("empty list of supported gRPC services (aka supported versions)");
  }
  std::string_view chosen =
      offer.driver_order_decides ? FirstAmong(supported, offer.services) : FirstAmong(offer.services, supported);
  if (chosen.empty()) chosen = offer.fallback_service;
  if (const std::optional<DraApi> api = ParseDraService(chosen)) return *api;
  const std::vector<std::string> ours(offer.services.begin(), offer.services.end());
  return absl::InvalidArgumentError(absl::StrCat("none of services supported by the plugin (",
                                                 ShownQuotedList(supported), ") are supported by the kubelet (",
                                                 ShownQuotedList(ours), ")"));
}

std::optional<DraHealthApi> ChooseHealth(const DraOffer& offer, const std::vector<std::string>& supported) {
  if (offer.health_unasked) return ParseHealthService(offer.health_services.front());
  return ParseHealthService(FirstAmong(offer.health_services, supported));
}

absl::Status Failed(std::string_view caller, const DriverInfo& driver, std::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("kubernetes.io/dra: ", std::string(caller), " for DRA plugin ",
                                                 ShownQuoted(driver.driver_name), " failed. ", std::string(why)));
}

// As kubelets did until 1.30.
absl::StatusOr<DriverVersion> ChooseVersion(std::string_view caller, const DriverInfo& driver,
                                            const std::optional<DriverVersion>& registered) {
  const std::vector<std::string>& versions = driver.supported_versions;
  if (versions.empty()) return Failed(caller, driver, "Plugin returned an empty list for supported versions");
  absl::StatusOr<DriverVersion> highest = HighestSupported(versions);
  if (!highest.ok()) {
    return Failed(caller, driver,
                  absl::StrCat("None of the versions specified ", ShownQuotedList(versions),
                               " are supported. err=", std::string(highest.status().message())));
  }
  if (registered.has_value() && *registered >= *highest) {
    return Failed(caller, driver,
                  absl::StrCat("Another plugin with the same name is already registered with a higher supported "
                               "version: ",
                               GoQuote(registered->ToString())));
  }
  return highest;
}

// 1.31 to 1.33 named no endpoint.
absl::Status RefusedBefore134(const DriverInfo& driver, RegistrationStep step, std::string_view why) {
  const std::string name = Shown(driver.driver_name);
  if (step == RegistrationStep::kValidate) {
    return absl::InvalidArgumentError(absl::StrCat("invalid versions of plugin ", name, ": ", std::string(why)));
  }
  return absl::InvalidArgumentError(absl::StrCat("version check of plugin ", name, " failed: ", std::string(why)));
}

// The same in 1.31, in other words.
absl::StatusOr<DriverVersion> ChooseVersionIn131(const DriverInfo& driver, RegistrationStep step,
                                                 const std::optional<DriverVersion>& registered) {
  if (driver.supported_versions.empty()) {
    return RefusedBefore134(driver, step, "empty list for supported versions");
  }
  absl::StatusOr<DriverVersion> highest = HighestSupported(driver.supported_versions);
  if (!highest.ok()) {
    return RefusedBefore134(
        driver, step, absl::StrCat("none of the versions are supported: ", std::string(highest.status().message())));
  }
  if (registered.has_value() && *registered >= *highest) {
    return RefusedBefore134(
        driver, step,
        absl::StrCat("another plugin instance is already registered with a higher supported version: ",
                     GoQuote(highest->ToString()), " < ", GoQuote(registered->ToString())));
  }
  return highest;
}

absl::StatusOr<DraServices> ChooseVersioned(const DraOffer& offer, const DriverInfo& driver, RegistrationStep step,
                                            const std::optional<DriverVersion>& registered) {
  const bool validate = step == RegistrationStep::kValidate;
  const bool in_131 = offer.versioned_api == ApiName(DraApi::kV1Alpha4);
  absl::StatusOr<DriverVersion> version =
      in_131 ? ChooseVersionIn131(driver, step, registered)
             : ChooseVersion(validate ? "ValidatePlugin" : "RegisterPlugin", driver, registered);
  if (!version.ok() && validate && !in_131) {
    return absl::InvalidArgumentError(absl::StrCat("validation failed for DRA plugin ", Shown(driver.driver_name),
                                                   " at endpoint ", Shown(driver.endpoint), ": ",
                                                   std::string(version.status().message())));
  }
  if (!version.ok()) return version.status();
  const std::optional<DraApi> api = ParseDraApi(offer.versioned_api);
  CHECK(api.has_value()) << "the table of kubelets names an unknown DRA API: " << offer.versioned_api;
  return DraServices{.api = *api, .version = *std::move(version)};
}

}  // namespace

std::optional<DraApi> ParseDraService(std::string_view name) {
  for (const DraApi api : kAllApis) {
    if (!name.empty() && ServiceName(api) == name) return api;
  }
  return std::nullopt;
}

std::optional<DraHealthApi> ParseHealthService(std::string_view name) {
  for (const DraHealthApi api : kAllHealthApis) {
    if (ServiceName(api) == name) return api;
  }
  return std::nullopt;
}

std::optional<DraApi> ParseDraApi(std::string_view name) {
  for (const DraApi api : kAllApis) {
    if (ApiName(api) == name) return api;
  }
  return std::nullopt;
}

absl::StatusOr<DraServices> ChooseServices(const DraOffer& offer, const DriverInfo& driver, RegistrationStep step,
                                           const std::optional<DriverVersion>& registered) {
  CHECK(!offer.none()) << "a kubelet without DRA has no drivers";
  if (!offer.versioned_api.empty()) return ChooseVersioned(offer, driver, step, registered);
  const absl::StatusOr<DraApi> api = ChooseApi(offer, driver.supported_versions);
  const bool before_134 = !offer.fallback_service.empty();
  if (!api.ok() && before_134) return RefusedBefore134(driver, step, std::string(api.status().message()));
  if (!api.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("invalid supported gRPC versions of DRA driver plugin ",
                                                   Shown(driver.driver_name), " at endpoint ", Shown(driver.endpoint),
                                                   ": ", std::string(api.status().message())));
  }
  return DraServices{.api = *api, .health = ChooseHealth(offer, driver.supported_versions)};
}

}  // namespace kubelet_cm::dra
