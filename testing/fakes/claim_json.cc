#include "testing/fakes/claim_json.h"

#include <string_view>

#include "absl/strings/str_cat.h"

namespace kubelet_cm::fakes {
namespace {

void WriteText(std::string_view key, std::string_view value, JsonWriter& json) {
  json.Key(key);
  json.String(value);
}

void WriteMetadata(const dra::ClaimObject& claim, int64_t resource_version, JsonWriter& json) {
  json.Key("metadata");
  json.BeginObject();
  WriteText("name", claim.id.name, json);
  WriteText("namespace", claim.id.namespace_name, json);
  WriteText("uid", claim.id.uid, json);
  WriteText("resourceVersion", absl::StrCat(resource_version), json);
  if (claim.controller.has_value()) {
    const dra::ClaimOwner& owner = *claim.controller;
    json.Key("ownerReferences");
    json.BeginArray();
    json.BeginObject();
    WriteText("apiVersion", owner.api_group.empty() ? "v1" : owner.api_group + "/v1", json);
    WriteText("kind", owner.kind, json);
    WriteText("name", owner.name, json);
    WriteText("uid", owner.uid, json);
    json.Key("controller");
    json.Bool(true);
    json.EndObject();
    json.EndArray();
  }
  json.EndObject();
}

void WriteResult(const dra::AllocatedDevice& result, JsonWriter& json) {
  json.BeginObject();
  WriteText("request", result.request, json);
  WriteText("driver", result.driver, json);
  WriteText("pool", result.pool, json);
  WriteText("device", result.device, json);
  if (result.share_id.has_value()) WriteText("shareID", *result.share_id, json);
  if (result.admin_access) {
    json.Key("adminAccess");
    json.Bool(true);
  }
  if (!result.skip_node_operations.empty()) {
    json.Key("skipNodeOperations");
    json.BeginArray();
    for (const std::string& operation : result.skip_node_operations) json.String(operation);
    json.EndArray();
  }
  json.EndObject();
}

void WriteResults(const dra::Allocation& allocation, JsonWriter& json) {
  json.Key("devices");
  json.BeginObject();
  json.Key("results");
  json.BeginArray();
  for (const dra::AllocatedDevice& result : allocation.results) WriteResult(result, json);
  json.EndArray();
  json.EndObject();
}

void WriteHandles(const dra::Allocation& allocation, JsonWriter& json) {
  json.Key("resourceHandles");
  json.BeginArray();
  for (const auto& handle : allocation.handles) {
    json.BeginObject();
    WriteText("driverName", handle.driver_name, json);
    WriteText("data", handle.data, json);
    json.EndObject();
  }
  json.EndArray();
}

void WriteStatus(const dra::ClaimObject& claim, bool is_v1alpha2, JsonWriter& json) {
  json.Key("status");
  json.BeginObject();
  if (is_v1alpha2) WriteText("driverName", claim.driver_name, json);
  if (claim.allocation.has_value()) {
    json.Key("allocation");
    json.BeginObject();
    is_v1alpha2 ? WriteHandles(*claim.allocation, json) : WriteResults(*claim.allocation, json);
    json.EndObject();
  }
  json.Key("reservedFor");
  json.BeginArray();
  for (const dra::ClaimConsumer& consumer : claim.reserved_for) {
    json.BeginObject();
    if (!consumer.api_group.empty()) WriteText("apiGroup", consumer.api_group, json);
    WriteText("resource", consumer.resource, json);
    WriteText("name", consumer.name, json);
    WriteText("uid", consumer.uid, json);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace

void WriteClaim(const dra::ClaimObject& claim, const std::string& api_version, int64_t resource_version,
                JsonWriter& json) {
  json.BeginObject();
  WriteText("kind", "ResourceClaim", json);
  WriteText("apiVersion", api_version, json);
  WriteMetadata(claim, resource_version, json);
  json.Key("spec");
  json.BeginObject();
  json.EndObject();
  WriteStatus(claim, api_version.ends_with("/v1alpha2"), json);
  json.EndObject();
}

}  // namespace kubelet_cm::fakes
