#include "dra/claim/claim_decoder.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "common/gotext/go_slice.h"
#include "common/gotext/json_decoder.h"
#include "common/status/status_macros.h"
#include "dra/checkpoint/part_budget.h"
#include "dra/checkpoint/string_lists.h"
#include "dra/checkpoint/structured_handle.h"

namespace kubelet_cm::dra {
namespace {

constexpr GoField kClaimFields[] = {{"metadata"}, {"spec"}, {"status"}};
constexpr GoStruct kClaim{"resource.ResourceClaim", kClaimFields};
constexpr GoField kMetaFields[] = {{"namespace"}, {"name"}, {"uid"}, {"ownerReferences"}};
constexpr GoStruct kMeta{"v1.ObjectMeta", kMetaFields};
constexpr GoField kOwnerFields[] = {{"apiVersion"}, {"kind"}, {"name"}, {"uid"}, {"controller"}};
constexpr GoStruct kOwner{"v1.OwnerReference", kOwnerFields};
constexpr GoField kSpecFields[] = {{"resourceClassName"}};
constexpr GoStruct kSpec{"resource.ResourceClaimSpec", kSpecFields};
constexpr GoField kStatusFields[] = {{"allocation"}, {"reservedFor"}, {"driverName"}};
constexpr GoStruct kStatus{"resource.ResourceClaimStatus", kStatusFields};
constexpr GoField kConsumerFields[] = {{"apiGroup"}, {"resource"}, {"name"}, {"uid"}};
constexpr GoStruct kConsumer{"resource.ResourceClaimConsumerReference", kConsumerFields};
constexpr GoField kAllocationFields[] = {{"devices"}, {"resourceHandles"}, {"resourceHandle"}};
constexpr GoStruct kAllocation{"resource.AllocationResult", kAllocationFields};
constexpr GoField kDevicesFields[] = {{"results"}};
constexpr GoStruct kDevices{"resource.DeviceAllocationResult", kDevicesFields};
constexpr GoField kResultFields[] = {
    {"request"}, {"driver"}, {"pool"}, {"device"}, {"shareID"}, {"adminAccess"}, {"skipNodeOperations"}};
constexpr GoStruct kResult{"resource.DeviceRequestAllocationResult", kResultFields};
constexpr GoField kHandleFields[] = {{"driverName"}, {"data"}, {"structuredData"}};
constexpr GoStruct kHandle{"resource.ResourceHandle", kHandleFields};

// Go's objects, in which a list that comes twice is decoded over itself.
struct Owner {
  ClaimOwner reference;  // whose api_group is the whole API version
  std::optional<bool> is_controller;
};

struct Result {
  AllocatedDevice device;
  std::optional<bool> admin_access;
  StringList skip_node_operations;
};

struct AllocationJson {
  GoSlice<Result> results;
  GoSlice<ResourceHandle> handles;
  std::string handle;  // of v1alpha1
};

struct ClaimJson {
  ClaimId id;
  GoSlice<Owner> owners;
  std::string class_name;
  std::string driver_name;
  GoSlice<ClaimConsumer> reserved_for;
  std::optional<AllocationJson> allocation;
};

class ClaimDecoder {
 public:
  explicit ClaimDecoder(ClaimApi api) : api_(api) {}

  absl::Status status() const {
    RETURN_IF_ERROR(budget_.status());
    return decoder_.status();
  }

  void Claim(JsonValue object, ClaimJson* out) {
    decoder_.Struct(object, kClaim, [&](size_t field, JsonValue value) {
      if (field == 0) return Meta(value, out);
      if (field == 2) return Status(value, out);
      if (api_ == ClaimApi::kResults) return;
      decoder_.Struct(value, kSpec, [&](size_t, JsonValue name) { Text(name, &out->class_name); });
    });
  }

 private:
  void Text(JsonValue value, std::string* out) { decoder_.String(value, "string", out); }
  void Uid(JsonValue value, std::string* out) { decoder_.String(value, "types.UID", out); }

  void Meta(JsonValue json, ClaimJson* out) {
    decoder_.Struct(json, kMeta, [&](size_t field, JsonValue value) {
      if (field == 0) return Text(value, &out->id.namespace_name);
      if (field == 1) return Text(value, &out->id.name);
      if (field == 2) return Uid(value, &out->id.uid);
      decoder_.Slice(value, "[]v1.OwnerReference", &out->owners,
                     [this](JsonValue element, Owner* owner) { Reference(element, owner); });
    });
  }

  void Reference(JsonValue json, Owner* out) {
    decoder_.Struct(json, kOwner, [&](size_t field, JsonValue value) {
      if (field == 0) return Text(value, &out->reference.api_group);
      if (field == 1) return Text(value, &out->reference.kind);
      if (field == 2) return Text(value, &out->reference.name);
      if (field == 3) return Uid(value, &out->reference.uid);
      Flag(value, &out->is_controller);
    });
  }

  void Flag(JsonValue json, std::optional<bool>* out) {
    decoder_.Pointer(json, out, [this](JsonValue value, bool* flag) { decoder_.Bool(value, "bool", flag); });
  }

  void Status(JsonValue json, ClaimJson* out) {
    decoder_.Struct(json, kStatus, [&](size_t field, JsonValue value) {
      if (field == 0) {
        return decoder_.Pointer(value, &out->allocation, [this](JsonValue allocation, AllocationJson* allocated) {
          AllocationMember(allocation, allocated);
        });
      }
      if (field == 2 && api_ != ClaimApi::kResults) return Text(value, &out->driver_name);
      if (field != 1) return;
      decoder_.Slice(value, "[]resource.ResourceClaimConsumerReference", &out->reserved_for,
                     [this](JsonValue element, ClaimConsumer* consumer) { Consumer(element, consumer); });
    });
  }

  void Consumer(JsonValue json, ClaimConsumer* out) {
    decoder_.Struct(json, kConsumer, [&](size_t field, JsonValue value) {
      if (field == 0) return Text(value, &out->api_group);
      if (field == 1) return Text(value, &out->resource);
      if (field == 2) return Text(value, &out->name);
      Uid(value, &out->uid);
    });
  }

  void AllocationMember(JsonValue json, AllocationJson* out) {
    decoder_.Struct(json, kAllocation, [&](size_t field, JsonValue value) {
      if (field == 0 && api_ == ClaimApi::kResults) return Devices(value, out);
      if (field == 2 && api_ == ClaimApi::kHandle) return Text(value, &out->handle);
      if (field != 1 || api_ != ClaimApi::kHandles) return;
      decoder_.Slice(value, "[]resource.ResourceHandle", &out->handles,
                     [this](JsonValue element, ResourceHandle* handle) { Handle(element, handle); });
    });
  }

  void Devices(JsonValue json, AllocationJson* out) {
    decoder_.Struct(json, kDevices, [&](size_t, JsonValue value) {
      decoder_.Slice(value, "[]resource.DeviceRequestAllocationResult", &out->results,
                     [this](JsonValue element, Result* result) { Device(element, result); });
    });
  }

  void Device(JsonValue json, Result* out) {
    decoder_.Struct(json, kResult, [&](size_t field, JsonValue value) {
      if (field == 0) return Text(value, &out->device.request);
      if (field == 1) return Text(value, &out->device.driver);
      if (field == 2) return Text(value, &out->device.pool);
      if (field == 3) return Text(value, &out->device.device);
      if (field == 5) return Flag(value, &out->admin_access);
      if (field == 6) return DecodeStringList(decoder_, value, &out->skip_node_operations);
      decoder_.Pointer(value, &out->device.share_id, [this](JsonValue id, std::string* share) { Uid(id, share); });
    });
  }

  void Handle(JsonValue json, ResourceHandle* out) {
    decoder_.Struct(json, kHandle, [&](size_t field, JsonValue value) {
      if (field == 0) return Text(value, &out->driver_name);
      if (field == 1) return Text(value, &out->data);
      decoder_.Pointer(value, &out->structured_data, [this](JsonValue data, StructuredHandle* structured) {
        DecodeStructuredHandle(decoder_, budget_, data, structured);
      });
    });
  }

  const ClaimApi api_;
  JsonDecoder decoder_;
  PartBudget budget_;
};

std::optional<ClaimOwner> ControllerOf(const GoSlice<Owner>& owners) {
  for (const Owner& owner : owners) {
    if (!owner.is_controller.value_or(false)) continue;
    ClaimOwner controller = owner.reference;
    const size_t slash = controller.api_group.find('/');
    controller.api_group.resize(slash == std::string::npos ? 0 : slash);  // "v1" is of the core group
    return controller;
  }
  return std::nullopt;
}

Allocation AllocationOf(const AllocationJson& json, ClaimApi api) {
  Allocation allocation;
  for (const Result& result : json.results) {
    AllocatedDevice& device = allocation.results.emplace_back(result.device);
    device.admin_access = result.admin_access.value_or(false);
    device.skip_node_operations.assign(result.skip_node_operations.begin(), result.skip_node_operations.end());
  }
  allocation.handles.assign(json.handles.begin(), json.handles.end());
  if (api == ClaimApi::kHandle)
    allocation.handles.push_back({.driver_name = "", .data = json.handle, .structured_data = {}});
  return allocation;
}

}  // namespace

std::optional<ClaimApi> ClaimApiOf(std::string_view version) {
  if (version == "v1alpha1") return ClaimApi::kHandle;
  if (version == "v1alpha2") return ClaimApi::kHandles;
  for (const std::string_view known : {"v1alpha3", "v1beta1", "v1beta2", "v1"}) {
    if (version == known) return ClaimApi::kResults;
  }
  return std::nullopt;
}

absl::StatusOr<ClaimObject> DecodeClaimObject(JsonValue object, ClaimApi api) {
  ClaimDecoder decoder(api);
  ClaimJson json;
  decoder.Claim(object, &json);
  RETURN_IF_ERROR(decoder.status());
  ClaimObject claim{.id = std::move(json.id),
                    .controller = ControllerOf(json.owners),
                    .reserved_for = {json.reserved_for.begin(), json.reserved_for.end()},
                    .class_name = std::move(json.class_name),
                    .driver_name = std::move(json.driver_name)};
  if (json.allocation.has_value()) claim.allocation = AllocationOf(*json.allocation, api);
  return claim;
}

}  // namespace kubelet_cm::dra
