#include "deviceplugin/registration/api_versions.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/gotext/quote.h"

namespace kubelet_cm::deviceplugin {
namespace {

constexpr PluginApi kAllApis[] = {PluginApi::kV1Beta1, PluginApi::kV1Alpha2, PluginApi::k01};
constexpr size_t kMaxShown = 256;
constexpr size_t kMaxVersionsShown = 16;

std::string Quoted(std::string_view text) { return GoQuote(Shortened(text)); }

// As Go's %q shows a slice of strings: ["v1alpha2" "0.1"].
std::string QuotedList(absl::Span<const PluginApi> apis) {
  std::vector<std::string> versions;
  for (const PluginApi api : apis) versions.push_back(GoQuote(ApiVersion(api)));
  return absl::StrCat("[", absl::StrJoin(versions, " "), "]");
}

bool OffersOnly(absl::Span<const PluginApi> offered, PluginApi api) {
  return offered.size() == 1 && offered.front() == api;
}

}  // namespace

std::optional<PluginApi> ParseApiVersion(std::string_view version) {
  for (const PluginApi api : kAllApis) {
    if (ApiVersion(api) == version) return api;
  }
  return std::nullopt;
}

RegistrationWire WireOf(PluginApi api) {
  return api == PluginApi::kV1Beta1 ? RegistrationWire::kV1Beta1 : RegistrationWire::kV1Alpha;
}

std::vector<PluginApi> OfferedOn(RegistrationWire wire, absl::Span<const PluginApi> offered) {
  std::vector<PluginApi> apis;
  for (const PluginApi api : offered) {
    if (WireOf(api) == wire) apis.push_back(api);
  }
  return apis;
}

absl::Status UnsupportedVersion(absl::Span<const PluginApi> offered, std::string_view version) {
  if (OffersOnly(offered, PluginApi::k01)) {
    return absl::InvalidArgumentError("unsupported API version by the Kubelet registry");
  }
  // 1.9 knew one version, its successors know a list of them.
  const std::string supported =
      OffersOnly(offered, PluginApi::kV1Alpha2) ? GoQuote(ApiVersion(offered.front())) : QuotedList(offered);
  return absl::InvalidArgumentError(absl::StrCat("requested API version ", Quoted(version),
                                                 " is not supported by kubelet. Supported version is ", supported));
}

absl::Status InvalidResourceName(PluginApi api, std::string_view name) {
  if (api != PluginApi::k01) {
    return absl::InvalidArgumentError(absl::StrCat("the ResourceName ", Quoted(name), " is invalid"));
  }
  return absl::InvalidArgumentError(name.empty() ? "invalid Empty ResourceName" : "the ResourceName is invalid");
}

absl::Status NoSupportedVersion(absl::Span<const std::string> versions) {
  std::vector<std::string> shown;
  for (const std::string& version : versions.subspan(0, kMaxVersionsShown)) shown.push_back(Shortened(version));
  if (versions.size() > kMaxVersionsShown) shown.emplace_back("...");
  const std::string_view ours = ApiVersion(PluginApi::kV1Beta1);
  return absl::InvalidArgumentError(absl::StrCat("manager version, ", std::string(ours),
                                                 ", is not among plugin supported versions [",
                                                 absl::StrJoin(shown, " "), "]"));
}

std::string Shortened(std::string_view text) {
  if (text.size() <= kMaxShown) return std::string(text);
  return absl::StrCat(std::string(text.substr(0, kMaxShown)), "...");
}

}  // namespace kubelet_cm::deviceplugin
