#include "testing/scenarios/scenario_words.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

namespace kubelet_cm::scenarios {
namespace {

constexpr std::string_view kPluginMethods[] = {"GetDevicePluginOptions", "ListAndWatch", "Allocate",
                                               "GetPreferredAllocation", "PreStartContainer"};
constexpr std::string_view kDriverMethods[] = {"NodePrepareResources", "NodeUnprepareResources", "GetInfo",
                                               "NotifyRegistrationStatus"};

template <typename Value, size_t kCount>
std::optional<Value> Look(const std::pair<std::string_view, Value> (&table)[kCount], std::string_view name) {
  for (const auto& [known, value] : table) {
    if (known == name) return value;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> PathOfFile(std::string_view file) {
  if (file == "devices") return "/var/lib/kubelet/device-plugins/kubelet_internal_checkpoint";
  if (file == "claims") return "/var/lib/kubelet/dra_manager_state";
  if (file.size() > 1 && file.front() == '/' && file.find("/../") == std::string_view::npos) return std::string(file);
  return std::nullopt;
}

std::optional<FileOp> FileOpOf(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(FileOp::kChmod); ++i) {
    const auto op = static_cast<FileOp>(i);
    if (std::string_view(FileOpName(op).data(), FileOpName(op).size()) == name) return op;
  }
  return std::nullopt;
}

std::optional<int> ErrnoOfName(std::string_view name) {
  static constexpr std::pair<std::string_view, int> kErrors[] = {
      {"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EACCES", EACCES}, {"EROFS", EROFS},
      {"EDQUOT", EDQUOT}, {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM}, {"EPERM", EPERM},
  };
  return name.empty() ? EIO : Look(kErrors, name);
}

std::optional<absl::StatusCode> CodeOfName(std::string_view name) {
  static constexpr std::pair<std::string_view, absl::StatusCode> kCodes[] = {
      {"CANCELLED", absl::StatusCode::kCancelled},
      {"UNKNOWN", absl::StatusCode::kUnknown},
      {"INVALID_ARGUMENT", absl::StatusCode::kInvalidArgument},
      {"DEADLINE_EXCEEDED", absl::StatusCode::kDeadlineExceeded},
      {"NOT_FOUND", absl::StatusCode::kNotFound},
      {"PERMISSION_DENIED", absl::StatusCode::kPermissionDenied},
      {"RESOURCE_EXHAUSTED", absl::StatusCode::kResourceExhausted},
      {"FAILED_PRECONDITION", absl::StatusCode::kFailedPrecondition},
      {"UNIMPLEMENTED", absl::StatusCode::kUnimplemented},
      {"INTERNAL", absl::StatusCode::kInternal},
      {"UNAVAILABLE", absl::StatusCode::kUnavailable},
  };
  return name.empty() ? absl::StatusCode::kInternal : Look(kCodes, name);
}

std::optional<dra::DraApi> DriverApiOfName(std::string_view name) {
  using dra::DraApi;
  for (const DraApi api :
       {DraApi::kV1, DraApi::kV1Beta1, DraApi::kV1Alpha4, DraApi::kV1Alpha3, DraApi::kV1Alpha2, DraApi::kV1Alpha1}) {
    if (dra::ApiName(api) == name) return api;
  }
  return std::nullopt;
}

std::optional<dra::DraHealthApi> HealthApiOfName(std::string_view name) {
  if (name == "v1") return dra::DraHealthApi::kV1;
  if (name == "v1alpha1") return dra::DraHealthApi::kV1Alpha1;
  return std::nullopt;
}

std::optional<absl::Duration> DurationOf(std::string_view text) {
  absl::Duration duration;
  if (!absl::ParseDuration(absl::string_view(text.data(), text.size()), &duration)) return std::nullopt;
  if (duration < absl::ZeroDuration() || duration == absl::InfiniteDuration()) return std::nullopt;
  return duration;
}

std::string_view MethodOf(proto::PluginFault::Call call) { return call > 0 ? kPluginMethods[call - 1] : ""; }
std::string_view MethodOf(proto::DriverFault::Call call) { return call > 0 ? kDriverMethods[call - 1] : ""; }

bool IsPluginMethod(std::string_view name) {
  return std::find(std::begin(kPluginMethods), std::end(kPluginMethods), name) != std::end(kPluginMethods);
}
bool IsDriverMethod(std::string_view name) {
  return std::find(std::begin(kDriverMethods), std::end(kDriverMethods), name) != std::end(kDriverMethods);
}

const std::string& PluginNameOf(const proto::StartPlugin& plugin) {
  return plugin.plugin().empty() ? plugin.resource() : plugin.plugin();
}

}  // namespace kubelet_cm::scenarios
