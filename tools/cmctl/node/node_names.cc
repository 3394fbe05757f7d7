#include "tools/cmctl/node/node_names.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/status/status_macros.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

using ::kubeletcm::v1::ListClaimsResponse;
using ::kubeletcm::v1::ListPodsResponse;
using ::kubeletcm::v1::PodReference;
using ::kubeletcm::v1::PodState;
using ::kubeletcm::v1::PodView;
using Claim = ListClaimsResponse::Claim;

// Namespace, name and uid of a pod and of a claim.
const PodReference& IdOf(const PodView& pod) { return pod.pod(); }
const Claim& IdOf(const Claim& claim) { return claim; }

std::string StateOf(const PodView& pod) { return StateText(pod.state()); }
std::string StateOf(const Claim& claim) { return claim.state(); }

// "default/web (uid u1, Admitted)".
template <typename View>
std::string Described(const View& view) {
  const auto& id = IdOf(view);
  const std::string uid = absl::StrCat("uid ", id.uid());
  return Printable(id.name().empty()
                       ? absl::StrCat(uid, " (", StateOf(view), ")")
                       : absl::StrCat(id.namespace_(), "/", id.name(), " (", uid, ", ", StateOf(view), ")"));
}

template <typename View>
absl::StatusOr<std::vector<View>> Find(std::string_view kind, const google::protobuf::RepeatedPtrField<View>& views,
                                       const TypedName& typed) {
  const absl::StatusOr<ObjectName> wanted = ParseObjectName(kind, typed);
  std::vector<View> found;
  std::vector<std::string> elsewhere;
  for (const View& view : views) {
    const auto& id = IdOf(view);
    const bool same_name = wanted.ok() && id.name() == wanted->name;
    const bool named = same_name && id.namespace_() == wanted->namespace_name;
    if (named || Means(typed.text, kind, id.uid())) {
      found.push_back(view);
    } else if (same_name) {
      elsewhere.push_back(Printable(absl::StrCat(id.namespace_(), "/", id.name())));
    }
  }
  if (!found.empty()) return found;
  RETURN_IF_ERROR(wanted.status());
  std::string message = absl::StrCat("no ", Abseil(kind), " ", wanted->namespace_name, "/", wanted->name, " is known");
  if (!elsewhere.empty()) absl::StrAppend(&message, "; there is ", absl::StrJoin(elsewhere, ", "));
  return absl::NotFoundError(message);
}

template <typename View>
absl::StatusOr<View> OnlyOne(const std::vector<View>& found, const TypedName& typed) {
  if (found.size() == 1) return found.front();
  std::vector<std::string> candidates;
  for (const View& view : found) candidates.push_back(Described(view));
  return absl::InvalidArgumentError(absl::StrCat(Printable(typed.text), " may be ", absl::StrJoin(candidates, " or "),
                                                 ": say which, by its uid or by NAMESPACE/NAME"));
}

}  // namespace

std::string PodText(const PodReference& pod) {
  return pod.name().empty() ? pod.uid() : absl::StrCat(pod.namespace_(), "/", pod.name());
}

std::string StateText(PodState state) {
  switch (state) {
    case ::kubeletcm::v1::POD_STATE_ADMITTED:
      return "Admitted";
    case ::kubeletcm::v1::POD_STATE_PREPARED:
      return "Prepared";
    case ::kubeletcm::v1::POD_STATE_TERMINATING:
      return "Terminating";
    case ::kubeletcm::v1::POD_STATE_REFUSED:
      return "Refused";
    case ::kubeletcm::v1::POD_STATE_RESTORED:
      return "Restored";
    case ::kubeletcm::v1::POD_STATE_ADMITTING:
      return "Admitting";
    default:
      return "Unknown";
  }
}

std::string AgeText(int64_t unix_nanos, absl::Time now) {
  if (unix_nanos <= 0) return "";
  const int64_t seconds = std::max<int64_t>(0, absl::ToInt64Seconds(now - absl::FromUnixNanos(unix_nanos)));
  const int64_t minutes = seconds / 60;
  const int64_t hours = minutes / 60;
  if (seconds < 120) return absl::StrCat(seconds, "s");
  if (minutes < 10)
    return seconds % 60 == 0 ? absl::StrCat(minutes, "m") : absl::StrCat(minutes, "m", seconds % 60, "s");
  if (hours < 3) return absl::StrCat(minutes, "m");
  return hours < 48 ? absl::StrCat(hours, "h") : absl::StrCat(hours / 24, "d");
}

std::string TimeText(int64_t unix_nanos) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::FromUnixNanos(unix_nanos), absl::UTCTimeZone());
}

std::string KindName(std::string_view kind, std::string_view name) {
  return absl::StrCat(Abseil(kind), "/", Abseil(name));
}

std::string DeviceId(std::string_view resource, std::string_view device) {
  return absl::StrCat(Abseil(resource), "/", Abseil(device));
}

std::string PluginId(const ::kubeletcm::v1::ListPluginsResponse::Plugin& plugin) {
  return absl::StrCat(plugin.name().empty() ? plugin.registration_socket() : plugin.name(),
                      plugin.endpoint().empty() ? "" : "@", plugin.endpoint());
}

bool Means(std::string_view typed, std::string_view kind, std::string_view name) {
  return typed == name || typed == KindName(kind, name);
}

absl::StatusOr<ObjectName> ParseObjectName(std::string_view kind, const TypedName& typed) {
  std::vector<std::string> parts = absl::StrSplit(typed.text, '/');
  // "pod/web" is the pod web in a namespace called pod: -o name prints the namespace of all that have one.
  if (parts.size() == 3 && parts.front() == kind) parts.erase(parts.begin());
  if (parts.size() == 1) parts.insert(parts.begin(), typed.namespace_name.empty() ? "default" : typed.namespace_name);
  if (parts.size() != 2 || parts[0].empty() || parts[1].empty()) {
    return absl::InvalidArgumentError(absl::StrCat(Printable(typed.text), " is neither NAME nor NAMESPACE/NAME"));
  }
  return ObjectName{.namespace_name = parts[0], .name = parts[1]};
}

absl::StatusOr<std::vector<PodView>> FindPods(const ListPodsResponse& pods, const TypedName& typed) {
  return Find("pod", pods.pods(), typed);
}

absl::StatusOr<std::vector<Claim>> FindClaims(const ListClaimsResponse& claims, const TypedName& typed) {
  return Find("claim", claims.claims(), typed);
}

absl::StatusOr<PodView> FindPod(const ListPodsResponse& pods, const TypedName& typed) {
  ASSIGN_OR_RETURN(const std::vector<PodView> found, FindPods(pods, typed));
  return OnlyOne(found, typed);
}

absl::StatusOr<Claim> FindClaim(const ListClaimsResponse& claims, const TypedName& typed) {
  ASSIGN_OR_RETURN(const std::vector<Claim> found, FindClaims(claims, typed));
  return OnlyOne(found, typed);
}

}  // namespace kubelet_cm::cmctl
