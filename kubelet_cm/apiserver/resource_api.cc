#include "kubelet_cm/apiserver/resource_api.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/gotext/go_slice.h"
#include "common/gotext/json_decoder.h"
#include "common/gotext/json_document.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/apiserver/api_error.h"

namespace kubelet_cm::apiserver {
namespace {

constexpr char kGroupPath[] = "/apis/resource.k8s.io";
// The newest first. Before v1alpha2 there were no slices.
constexpr std::string_view kVersions[] = {"v1", "v1beta2", "v1beta1", "v1alpha3", "v1alpha2"};
constexpr GoField kGroupFields[] = {{"versions"}};
constexpr GoStruct kGroup{"v1.APIGroup", kGroupFields};
constexpr GoField kVersionFields[] = {{"version"}};
constexpr GoStruct kVersion{"v1.GroupVersionForDiscovery", kVersionFields};

}  // namespace

std::string NewestKnownVersion(std::string_view api_group_json) {
  const absl::StatusOr<JsonDocument> document = JsonDocument::Parse(api_group_json);
  if (!document.ok()) return "";
  GoSlice<std::string> served;
  JsonDecoder decoder;
  decoder.Struct(document->root(), kGroup, [&](size_t, JsonValue versions) {
    decoder.Slice(versions, "[]v1.GroupVersionForDiscovery", &served, [&](JsonValue element, std::string* version) {
      decoder.Struct(element, kVersion, [&](size_t, JsonValue name) { decoder.String(name, "string", version); });
    });
  });
  for (const std::string_view version : kVersions) {
    if (std::find(served.begin(), served.end(), version) != served.end()) return std::string(version);
  }
  return "";
}

dra::ClaimApi ApiOfPath(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  const auto api = dra::ClaimApiOf(path.substr(path.rfind('/') + 1));
  CHECK(api.has_value()) << std::string(path);
  return *api;
}

absl::StatusOr<std::string> ResourceApi::Path(const CallLimits& limits) {
  {
    MutexLock lock(&mu_);
    if (!version_.empty()) return absl::StrCat(kGroupPath, "/", version_, "/");
  }
  absl::StatusOr<std::string> group = server_.Get(kGroupPath, limits);
  // Some may ask for claims and not for this.
  if (absl::IsPermissionDenied(group.status())) group = R"({"versions":[{"version":"v1"}]})";
  RETURN_IF_ERROR(group.status());
  const std::string version = NewestKnownVersion(*group);
  if (version.empty()) {
    return absl::UnimplementedError("the API server has no version of resource.k8s.io that is known here");
  }
  MutexLock lock(&mu_);
  version_ = version;
  return absl::StrCat(kGroupPath, "/", version, "/");
}

void ResourceApi::ForgetPath(const std::string& path) {
  MutexLock lock(&mu_);
  if (absl::StrCat(kGroupPath, "/", version_, "/") == path) version_.clear();
}

template <typename Ask>
absl::Status ResourceApi::AskVersion(const CallLimits& limits, Ask ask) {
  absl::Status status;
  for (int attempt = 0; attempt < 2; ++attempt) {
    ASSIGN_OR_RETURN(const std::string path, Path(limits));
    status = ask(path);
    if (!IsUnknownPath(status)) return status;
    ForgetPath(path);
  }
  return status;
}

absl::StatusOr<ResourceApi::Answer> ResourceApi::Get(const std::string& rest, const CallLimits& limits) {
  Answer answer{.body = "", .api = dra::ClaimApi::kResults};
  RETURN_IF_ERROR(AskVersion(limits, [&](const std::string& path) -> absl::Status {
    ASSIGN_OR_RETURN(answer.body, server_.Get(path + rest, limits));
    answer.api = ApiOfPath(path);
    return absl::OkStatus();
  }));
  return answer;
}

absl::Status ResourceApi::Delete(absl::FunctionRef<std::string(dra::ClaimApi)> rest, const CallLimits& limits) {
  return AskVersion(limits,
                    [&](const std::string& path) { return server_.Delete(path + rest(ApiOfPath(path)), limits); });
}

}  // namespace kubelet_cm::apiserver
