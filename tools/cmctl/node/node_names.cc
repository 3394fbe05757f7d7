#include "tools/cmctl/node/node_names.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status/status_macros.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

using ::kubeletcm::v1::ListPodsResponse;
using ::kubeletcm::v1::PodReference;
using ::kubeletcm::v1::PodState;
using ::kubeletcm::v1::PodView;

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

absl::StatusOr<ObjectName> ParseObjectName(const std::string& text, const std::string& default_namespace) {
  const size_t slash = text.find('/');
  ObjectName name{.namespace_name = default_namespace.empty() ? "default" : default_namespace, .name = text};
  if (slash != std::string::npos) name = {.namespace_name = text.substr(0, slash), .name = text.substr(slash + 1)};
  if (name.namespace_name.empty() || name.name.empty() || name.name.find('/') != std::string::npos) {
    return absl::InvalidArgumentError(absl::StrCat(Printable(text), " is neither NAME nor NAMESPACE/NAME"));
  }
  return name;
}

absl::StatusOr<PodView> FindPod(const ListPodsResponse& pods, const std::string& text,
                                const std::string& default_namespace) {
  for (const PodView& view : pods.pods()) {
    if (view.pod().uid() == text) return view;
  }
  ASSIGN_OR_RETURN(const ObjectName wanted, ParseObjectName(text, default_namespace));
  std::vector<std::string> elsewhere;
  for (const PodView& view : pods.pods()) {
    if (view.pod().name() != wanted.name) continue;
    if (view.pod().namespace_() == wanted.namespace_name) return view;
    elsewhere.push_back(Printable(PodText(view.pod())));
  }
  std::string message = absl::StrCat("no pod ", wanted.namespace_name, "/", wanted.name, " is known");
  if (!elsewhere.empty()) absl::StrAppend(&message, "; there is ", absl::StrJoin(elsewhere, ", "));
  return absl::NotFoundError(message);
}

}  // namespace kubelet_cm::cmctl
