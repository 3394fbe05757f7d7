#include "dra/plugin/structured_message.h"

namespace kubelet_cm::dra {
namespace {

namespace api = k8s::io::api::resource::v1alpha2;

void Fill(const RawJson& json, api::RawExtension& message) {
  if (json.has_value()) message.set_raw(*json);
}

}  // namespace

api::StructuredResourceHandle ToMessage(const StructuredHandle& handle) {
  api::StructuredResourceHandle message;
  Fill(handle.vendor_class_parameters, *message.mutable_vendor_class_parameters());
  Fill(handle.vendor_claim_parameters, *message.mutable_vendor_claim_parameters());
  message.set_node_name(handle.node_name);
  for (const StructuredResult& result : handle.results) {
    api::DriverAllocationResult& added = *message.add_results();
    Fill(result.vendor_request_parameters, *added.mutable_vendor_request_parameters());
    api::AllocationResultModel& model = *added.mutable_allocation_result_model();
    if (result.named_resource.has_value()) model.mutable_named_resources()->set_name(*result.named_resource);
  }
  return message;
}

}  // namespace kubelet_cm::dra
