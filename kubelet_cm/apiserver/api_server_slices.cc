#include "kubelet_cm/apiserver/api_server_slices.h"

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/apiserver/url_text.h"

namespace kubelet_cm::apiserver {
namespace {

// The server answers with the slices that it deleted. They are deleted whatever becomes of the answer; whoever tries
// again gets a short one.
constexpr size_t kMaxDeletedBytes = size_t{16} << 20;

}  // namespace

absl::StatusOr<std::string> ApiServerSlices::CheckNode(absl::Duration timeout) {
  ApiServer& server = api_.server();
  const CallLimits limits{.deadline = server.clock().MonotonicNow() + timeout};
  RETURN_IF_ERROR(server.Get("/api/v1/nodes/" + UrlEscape(node_name_), limits).status());
  return node_name_;
}

absl::Status ApiServerSlices::DeleteSlices(const dra::SliceSelector& which, absl::Duration timeout) {
  std::string selector = absl::StrCat("spec.nodeName=", FieldValue(which.node_name));
  if (which.driver_name.has_value()) absl::StrAppend(&selector, ",spec.driver=", FieldValue(*which.driver_name));
  for (const std::string& driver : which.spared_drivers) {
    absl::StrAppend(&selector, ",spec.driver!=", FieldValue(driver));
  }
  const CallLimits limits{.deadline = api_.server().clock().MonotonicNow() + timeout, .max_bytes = kMaxDeletedBytes};
  return api_.Delete("resourceslices?fieldSelector=" + UrlEscape(selector), limits);
}

}  // namespace kubelet_cm::apiserver
