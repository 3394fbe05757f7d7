#include "kubelet_cm/pluginwatcher/plugin_info.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::pluginwatcher {
namespace {

absl::Status CheckLength(absl::string_view field, const std::string& text, size_t most) {
  if (text.size() <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the plugin's ", field, " has ", text.size(), " bytes, at most ", most, " are allowed"));
}

}  // namespace

absl::Status CheckPluginInfo(const PluginInfo& plugin) {
  RETURN_IF_ERROR(CheckLength("type", plugin.type, kMaxTypeBytes));
  RETURN_IF_ERROR(CheckLength("name", plugin.name, kMaxNameBytes));
  if (plugin.versions.size() > kMaxVersions) {
    return absl::InvalidArgumentError(absl::StrCat("the plugin supports ", plugin.versions.size(),
                                                   " versions, at most ", kMaxVersions, " are allowed"));
  }
  for (const std::string& version : plugin.versions) {
    RETURN_IF_ERROR(CheckLength("supported version", version, kMaxVersionBytes));
  }
  return absl::OkStatus();
}

}  // namespace kubelet_cm::pluginwatcher
