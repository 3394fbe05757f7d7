#include "deviceplugin/registration/resource_name.h"

#include <algorithm>

namespace kubelet_cm::deviceplugin {
namespace {

constexpr std::string_view kNativeDomain = "kubernetes.io/";
constexpr std::string_view kQuotaPrefix = "requests.";
constexpr std::string_view kOpaqueIntegerPrefix = "pod.alpha.kubernetes.io/opaque-int-resource-";
constexpr size_t kMaxDomain = 253;
constexpr size_t kMaxName = 63;

bool IsLowerOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool IsLetterOrDigit(char c) { return IsLowerOrDigit(c) || (c >= 'A' && c <= 'Z'); }

bool IsLabel(std::string_view label) {
  return !label.empty() && IsLowerOrDigit(label.front()) && IsLowerOrDigit(label.back()) &&
         std::all_of(label.begin(), label.end(), [](char c) { return IsLowerOrDigit(c) || c == '-'; });
}

// A DNS-1123 subdomain. Its labels have no length of their own, as with upstream.
bool IsDomain(std::string_view domain) {
  for (;;) {
    const size_t dot = domain.find('.');
    if (!IsLabel(domain.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    domain.remove_prefix(dot + 1);
  }
}

bool IsNamePart(std::string_view name) {
  return !name.empty() && name.size() <= kMaxName && IsLetterOrDigit(name.front()) && IsLetterOrDigit(name.back()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return IsLetterOrDigit(c) || c == '-' || c == '_' || c == '.'; });
}

bool IsNative(std::string_view name) {
  return name.find('/') == std::string_view::npos || name.find(kNativeDomain) != std::string_view::npos;
}

}  // namespace

bool IsExtendedResourceName(std::string_view name) {
  if (IsNative(name) || name.starts_with(kQuotaPrefix)) return false;
  const size_t slash = name.find('/');
  return kQuotaPrefix.size() + slash <= kMaxDomain && IsDomain(name.substr(0, slash)) &&
         IsNamePart(name.substr(slash + 1));
}

bool IsRegistrableName(PluginApi api, std::string_view name) {
  if (name.size() > kMaxResourceName) return false;
  switch (api) {
    case PluginApi::kV1Beta1:
      return IsExtendedResourceName(name);
    case PluginApi::kV1Alpha2:
      return !IsNative(name);
    case PluginApi::k01:
      return !IsNative(name) || name.starts_with(kOpaqueIntegerPrefix);
  }
  return false;
}

}  // namespace kubelet_cm::deviceplugin
