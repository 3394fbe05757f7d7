#include "kubelet_cm/apiserver/api_server_slices.h"

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "dra/claim/claim_decoder.h"
#include "kubelet_cm/apiserver/slice_messages.h"
#include "kubelet_cm/apiserver/url_text.h"

namespace kubelet_cm::apiserver {
namespace {

// The server answers with the slices that it deleted. They are deleted whatever becomes of the answer; whoever tries
// again gets a short one.
constexpr size_t kMaxDeletedBytes = size_t{16} << 20;
// Of the slices of this node: 16 drivers with as much as one can say.
constexpr size_t kMaxListBytes = size_t{64} << 20;

constexpr char kModelSlices[] = "/apis/resource.k8s.io/v1alpha2/resourceslices";

std::string FieldSelector(const dra::SliceSelector& which, dra::ClaimApi api) {
  const bool is_v1alpha2 = api == dra::ClaimApi::kHandles;
  const std::string driver = is_v1alpha2 ? ",driverName" : ",spec.driver";
  std::string selector = absl::StrCat(is_v1alpha2 ? "nodeName=" : "spec.nodeName=", FieldValue(which.node_name));
  if (which.driver_name.has_value()) absl::StrAppend(&selector, driver, "=", FieldValue(*which.driver_name));
  for (const std::string& spared : which.spared_drivers) {
    absl::StrAppend(&selector, driver, "!=", FieldValue(spared));
  }
  return selector;
}

}  // namespace

absl::StatusOr<std::string> ApiServerSlices::CheckNode(absl::Duration timeout) {
  ApiServer& server = api_.server();
  RETURN_IF_ERROR(server.Get("/api/v1/nodes/" + UrlEscape(node_name_), Limits(timeout)).status());
  return node_name_;
}

absl::Status ApiServerSlices::DeleteSlices(const dra::SliceSelector& which, absl::Duration timeout) {
  CallLimits limits = Limits(timeout);
  limits.max_bytes = kMaxDeletedBytes;
  return api_.Delete(
      [&](dra::ClaimApi api) { return "resourceslices?fieldSelector=" + UrlEscape(FieldSelector(which, api)); },
      limits);
}

CallLimits ApiServerSlices::Limits(absl::Duration timeout) const {
  return {.deadline = api_.server().clock().MonotonicNow() + timeout};
}

absl::StatusOr<std::vector<dra::ModelSlice>> ApiServerSlices::ListModelSlices(absl::Duration timeout) {
  CallLimits limits = Limits(timeout);
  limits.max_bytes = kMaxListBytes;
  const std::string selector = UrlEscape("nodeName=" + FieldValue(node_name_));
  ASSIGN_OR_RETURN(const std::string list,
                   api_.server().Get(absl::StrCat(kModelSlices, "?fieldSelector=", selector), limits));
  return ParseSliceList(list);
}

absl::Status ApiServerSlices::CreateModelSlice(const dra::ModelSlice& slice, absl::Duration timeout) {
  const CallLimits limits = Limits(timeout);
  ASSIGN_OR_RETURN(const std::string node, api_.server().Get("/api/v1/nodes/" + UrlEscape(node_name_), limits));
  ASSIGN_OR_RETURN(const std::string uid, ParseNodeUid(node));
  return api_.server().Post(kModelSlices, NewSliceJson(slice, {.name = node_name_, .uid = uid}), limits);
}

absl::Status ApiServerSlices::UpdateModelSlice(const dra::ModelSlice& slice, absl::Duration timeout) {
  const std::string path = absl::StrCat(kModelSlices, "/", UrlEscape(slice.name));
  return api_.server().Put(path, SliceJson(slice, node_name_), Limits(timeout));
}

absl::Status ApiServerSlices::DeleteModelSlice(const std::string& name, absl::Duration timeout) {
  return api_.server().Delete(absl::StrCat(kModelSlices, "/", UrlEscape(name)), Limits(timeout));
}

}  // namespace kubelet_cm::apiserver
