#include "dra/checkpoint/structured_handle.h"

#include <string_view>

#include "checkpointmanager/checksum/go_slice_dump.h"
#include "common/gotext/json_compact.h"

namespace kubelet_cm::dra {
namespace {

constexpr GoField kHandleFields[] = {{"vendorClassParameters"}, {"vendorClaimParameters"}, {"nodeName"}, {"results"}};
constexpr GoStruct kHandle{"v1alpha2.StructuredResourceHandle", kHandleFields};
// The model is an embedded struct, whose field stands beside the other.
constexpr GoField kResultFields[] = {{"vendorRequestParameters"}, {"namedResources"}};
constexpr GoStruct kResult{"v1alpha2.DriverAllocationResult", kResultFields};
constexpr GoField kNamedFields[] = {{"name"}};
constexpr GoStruct kNamed{"v1alpha2.NamedResourcesAllocationResult", kNamedFields};

// RawExtension takes any JSON; null leaves it alone.
void DecodeRaw(JsonValue value, RawJson* out) {
  if (value.type() != JsonType::kNull) *out = value.literal();
}

void DecodeResult(JsonDecoder& decoder, JsonValue value, StructuredResult* out) {
  decoder.Struct(value, kResult, [&](size_t field, JsonValue member) {
    if (field == 0) return DecodeRaw(member, &out->vendor_request_parameters);
    decoder.Pointer(member, &out->named_resource, [&](JsonValue named, std::string* name) {
      decoder.Struct(named, kNamed, [&](size_t, JsonValue text) { decoder.String(text, "string", name); });
    });
  });
}

struct DumpedRaw {
  const RawJson& raw;
};

void PrintGo(GoDump& dump, const DumpedRaw& raw) {
  dump.Struct([&] {
    dump.BytesField("Raw", raw.raw.has_value() ? std::optional<std::string_view>(*raw.raw) : std::nullopt);
    dump.Field("Object", "runtime.Object", std::nullopt);
  });
}

struct DumpedName {
  std::string_view name;
};

void PrintGo(GoDump& dump, const DumpedName& named) {
  dump.Struct([&] { dump.Field("Name", "string", named.name); });
}

struct DumpedModel {
  const std::optional<std::string>& named_resource;
};

void PrintGo(GoDump& dump, const DumpedModel& model) {
  std::optional<DumpedName> named;
  if (model.named_resource.has_value()) named = DumpedName{*model.named_resource};
  dump.Struct([&] { dump.Field("NamedResources", "*v1alpha2.NamedResourcesAllocationResult", named); });
}

void WriteRaw(const RawJson& raw, JsonWriter& writer) {
  if (!raw.has_value()) return writer.Null();
  std::string compact;
  AppendCompactJson(*raw, &compact);
  writer.Raw(compact);
}

}  // namespace

void DecodeStructuredHandle(JsonDecoder& decoder, PartBudget& budget, JsonValue value, StructuredHandle* out) {
  decoder.Struct(value, kHandle, [&](size_t field, JsonValue member) {
    if (field == 0) return DecodeRaw(member, &out->vendor_class_parameters);
    if (field == 1) return DecodeRaw(member, &out->vendor_claim_parameters);
    if (field == 2) return decoder.String(member, "string", &out->node_name);
    if (!budget.Take(member.size())) return;
    decoder.Slice(member, "[]v1alpha2.DriverAllocationResult", &out->results,
                  [&](JsonValue element, StructuredResult* result) { DecodeResult(decoder, element, result); });
  });
}

void PrintGo(GoDump& dump, const StructuredResult& result) {
  dump.Struct([&] {
    dump.Field("VendorRequestParameters", "runtime.RawExtension", DumpedRaw{result.vendor_request_parameters});
    dump.Field("AllocationResultModel", "v1alpha2.AllocationResultModel", DumpedModel{result.named_resource});
  });
}

void PrintGo(GoDump& dump, const StructuredHandle& handle) {
  dump.Struct([&] {
    dump.Field("VendorClassParameters", "runtime.RawExtension", DumpedRaw{handle.vendor_class_parameters});
    dump.Field("VendorClaimParameters", "runtime.RawExtension", DumpedRaw{handle.vendor_claim_parameters});
    dump.Field("NodeName", "string", handle.node_name);
    dump.Field("Results", "[]v1alpha2.DriverAllocationResult", handle.results);
  });
}

void WriteStructuredHandle(const StructuredHandle& handle, JsonWriter& writer) {
  writer.BeginObject();
  // Go's omitempty does not leave out structs.
  writer.Key("vendorClassParameters");
  WriteRaw(handle.vendor_class_parameters, writer);
  writer.Key("vendorClaimParameters");
  WriteRaw(handle.vendor_claim_parameters, writer);
  if (!handle.node_name.empty()) {
    writer.Key("nodeName");
    writer.String(handle.node_name);
  }
  writer.Key("results");
  if (handle.results.is_nil()) {
    writer.Null();
  } else {
    writer.BeginArray();
    for (const StructuredResult& result : handle.results) {
      writer.BeginObject();
      writer.Key("vendorRequestParameters");
      WriteRaw(result.vendor_request_parameters, writer);
      if (result.named_resource.has_value()) {
        writer.Key("namedResources");
        writer.BeginObject();
        writer.Key("name");
        writer.String(*result.named_resource);
        writer.EndObject();
      }
      writer.EndObject();
    }
    writer.EndArray();
  }
  writer.EndObject();
}

}  // namespace kubelet_cm::dra
