#include "kubelet_cm/apiserver/slice_messages.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/go_slice.h"
#include "common/gotext/json_decoder.h"
#include "common/gotext/json_document.h"
#include "common/gotext/json_writer.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::apiserver {
namespace {

namespace wire = ::k8s::io::api::resource::v1alpha2;

constexpr char kSliceApi[] = "resource.k8s.io/v1alpha2";

constexpr GoField kListFields[] = {{"kind"}, {"items"}};
constexpr GoStruct kList{"v1alpha2.ResourceSliceList", kListFields};
constexpr GoField kSliceFields[] = {{"metadata"}, {"driverName"}, {"namedResources"}};
constexpr GoStruct kSlice{"v1alpha2.ResourceSlice", kSliceFields};
constexpr GoField kMetaFields[] = {{"name"}, {"uid"}};
constexpr GoStruct kMeta{"v1.ObjectMeta", kMetaFields};
constexpr GoField kResourcesFields[] = {{"instances"}};
constexpr GoStruct kResources{"v1alpha2.NamedResourcesResources", kResourcesFields};
constexpr GoField kInstanceFields[] = {{"name"}, {"attributes"}};
constexpr GoStruct kInstance{"v1alpha2.NamedResourcesInstance", kInstanceFields};
enum Attribute : size_t { kName, kQuantity, kBool, kInt, kIntSlice, kString, kStringSlice, kVersion };
constexpr GoField kAttributeFields[] = {{"name"},     {"quantity"}, {"bool"},        {"int"},
                                        {"intSlice"}, {"string"},   {"stringSlice"}, {"version"}};
constexpr GoStruct kAttribute{"v1alpha2.NamedResourcesAttribute", kAttributeFields};
constexpr GoField kIntsFields[] = {{"ints"}};
constexpr GoStruct kInts{"v1alpha2.NamedResourcesIntSlice", kIntsFields};
constexpr GoField kStringsFields[] = {{"strings"}};
constexpr GoStruct kStrings{"v1alpha2.NamedResourcesStringSlice", kStringsFields};
constexpr GoField kObjectFields[] = {{"kind"}, {"metadata"}};
constexpr GoStruct kNode{"v1.Node", kObjectFields};

void DecodeInts(JsonDecoder& decoder, JsonValue json, wire::IntSlice* out) {
  decoder.Struct(json, kInts, [&](size_t, JsonValue list) {
    GoSlice<int64_t> ints;
    decoder.Slice(list, "[]int64", &ints, [&](JsonValue value, int64_t* one) { decoder.Int64(value, "int64", one); });
    for (const int64_t one : ints) out->add_ints(one);
  });
}

void DecodeStrings(JsonDecoder& decoder, JsonValue json, wire::StringSlice* out) {
  decoder.Struct(json, kStrings, [&](size_t, JsonValue list) {
    GoSlice<std::string> strings;
    decoder.Slice(list, "[]string", &strings,
                  [&](JsonValue value, std::string* one) { decoder.String(value, "string", one); });
    for (const std::string& one : strings) out->add_strings(one);
  });
}

void DecodeAttributeField(JsonDecoder& decoder, size_t field, JsonValue json, wire::NamedResourcesAttribute* out) {
  if (json.type() == JsonType::kNull) return;
  if (field == kName) return decoder.String(json, "string", out->mutable_name());
  wire::NamedResourcesAttributeValue& value = *out->mutable_attribute_value();
  if (field == kQuantity) {
    // A number will do.
    value.mutable_quantity()->set_string(std::string(json.type() == JsonType::kString ? json.text() : json.literal()));
  } else if (field == kBool) {
    bool is = false;
    decoder.Bool(json, "bool", &is);
    value.set_bool_(is);
  } else if (field == kInt) {
    int64_t number = 0;
    decoder.Int64(json, "int64", &number);
    value.set_int_(number);
  } else if (field == kIntSlice) {
    DecodeInts(decoder, json, value.mutable_int_slice());
  } else if (field == kString) {
    decoder.String(json, "string", value.mutable_string());
  } else if (field == kStringSlice) {
    DecodeStrings(decoder, json, value.mutable_string_slice());
  } else {
    decoder.String(json, "string", value.mutable_version());
  }
}

void DecodeInstance(JsonDecoder& decoder, JsonValue json, wire::NamedResourcesInstance* out) {
  decoder.Struct(json, kInstance, [&](size_t field, JsonValue value) {
    if (field == 0) return decoder.String(value, "string", out->mutable_name());
    if (value.type() != JsonType::kArray && value.type() != JsonType::kNull) {
      return decoder.WrongType(value, "[]v1alpha2.NamedResourcesAttribute");
    }
    for (const JsonValue attribute : value.elements()) {
      wire::NamedResourcesAttribute* added = out->add_attributes();
      decoder.Struct(attribute, kAttribute,
                     [&](size_t member, JsonValue content) { DecodeAttributeField(decoder, member, content, added); });
    }
  });
}

void DecodeResources(JsonDecoder& decoder, JsonValue json, wire::NamedResources* out) {
  decoder.Struct(json, kResources, [&](size_t, JsonValue list) {
    if (list.type() != JsonType::kArray && list.type() != JsonType::kNull) {
      return decoder.WrongType(list, "[]v1alpha2.NamedResourcesInstance");
    }
    for (const JsonValue instance : list.elements()) DecodeInstance(decoder, instance, out->add_instances());
  });
}

dra::ModelSlice DecodeSlice(JsonDecoder& decoder, JsonValue json) {
  dra::ModelSlice slice;
  decoder.Struct(json, kSlice, [&](size_t field, JsonValue value) {
    if (field == 1) return decoder.String(value, "string", &slice.driver_name);
    if (field == 2) {
      if (value.type() != JsonType::kNull) {
        DecodeResources(decoder, value, slice.model.mutable_named_resources());
      }
      return;
    }
    slice.metadata = std::string(value.literal());
    decoder.Struct(value, kMeta, [&](size_t member, JsonValue text) {
      if (member == 0) decoder.String(text, "string", &slice.name);
    });
  });
  return slice;
}

void WriteValue(const wire::NamedResourcesAttributeValue& value, JsonWriter& json) {
  if (value.has_quantity()) {
    json.Key("quantity");
    json.String(value.quantity().string());
  }
  if (value.has_bool_()) {
    json.Key("bool");
    json.Bool(value.bool_());
  }
  if (value.has_int_()) {
    json.Key("int");
    json.Int(value.int_());
  }
  if (value.has_int_slice()) {
    json.Key("intSlice");
    json.BeginObject();
    json.Key("ints");
    json.BeginArray();
    for (const int64_t one : value.int_slice().ints()) json.Int(one);
    json.EndArray();
    json.EndObject();
  }
  if (value.has_string()) {
    json.Key("string");
    json.String(value.string());
  }
  if (value.has_string_slice()) {
    json.Key("stringSlice");
    json.BeginObject();
    json.Key("strings");
    json.BeginArray();
    for (const std::string& one : value.string_slice().strings()) json.String(one);
    json.EndArray();
    json.EndObject();
  }
  if (value.has_version()) {
    json.Key("version");
    json.String(value.version());
  }
}

void WriteResources(const wire::NamedResources& resources, JsonWriter& json) {
  json.BeginObject();
  json.Key("instances");
  json.BeginArray();
  for (const auto& instance : resources.instances()) {
    json.BeginObject();
    json.Key("name");
    json.String(instance.name());
    if (!instance.attributes().empty()) {
      json.Key("attributes");
      json.BeginArray();
      for (const auto& attribute : instance.attributes()) {
        json.BeginObject();
        json.Key("name");
        json.String(attribute.name());
        WriteValue(attribute.attribute_value(), json);
        json.EndObject();
      }
      json.EndArray();
    }
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

std::string ObjectJson(const dra::ModelSlice& slice, const std::string& node_name, const std::string& metadata) {
  std::string text;
  JsonWriter json(&text);
  json.BeginObject();
  json.Key("kind");
  json.String("ResourceSlice");
  json.Key("apiVersion");
  json.String(kSliceApi);
  json.Key("metadata");
  json.Raw(metadata);
  json.Key("nodeName");
  json.String(node_name);
  json.Key("driverName");
  json.String(slice.driver_name);
  if (slice.model.has_named_resources()) {
    json.Key("namedResources");
    WriteResources(slice.model.named_resources(), json);
  }
  json.EndObject();
  return text;
}

}  // namespace

absl::StatusOr<std::vector<dra::ModelSlice>> ParseSliceList(std::string_view json) {
  ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(json));
  std::string kind;
  std::vector<dra::ModelSlice> slices;
  JsonDecoder decoder;
  decoder.Struct(document.root(), kList, [&](size_t field, JsonValue value) {
    if (field == 0) return decoder.String(value, "string", &kind);
    for (const JsonValue item : value.elements()) slices.push_back(DecodeSlice(decoder, item));
  });
  RETURN_IF_ERROR(decoder.status());
  if (kind != "ResourceSliceList") return absl::InvalidArgumentError("the answer is not a list of ResourceSlices");
  for (const dra::ModelSlice& slice : slices) {
    if (slice.name.empty()) return absl::InvalidArgumentError("a ResourceSlice without a name");
  }
  return slices;
}

std::string NewSliceJson(const dra::ModelSlice& slice, const SliceNode& node) {
  std::string metadata;
  JsonWriter json(&metadata);
  json.BeginObject();
  json.Key("generateName");
  json.String(absl::StrCat(node.name, "-", slice.driver_name, "-"));
  json.Key("ownerReferences");
  json.BeginArray();
  json.BeginObject();
  json.Key("apiVersion");
  json.String("v1");
  json.Key("kind");
  json.String("Node");
  json.Key("name");
  json.String(node.name);
  json.Key("uid");
  json.String(node.uid);
  json.Key("controller");
  json.Bool(true);
  json.EndObject();
  json.EndArray();
  json.EndObject();
  return ObjectJson(slice, node.name, metadata);
}

std::string SliceJson(const dra::ModelSlice& slice, const std::string& node_name) {
  return ObjectJson(slice, node_name, slice.metadata);
}

absl::StatusOr<std::string> ParseNodeUid(std::string_view json) {
  ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(json));
  std::string kind;
  std::string uid;
  JsonDecoder decoder;
  decoder.Struct(document.root(), kNode, [&](size_t field, JsonValue value) {
    if (field == 0) return decoder.String(value, "string", &kind);
    decoder.Struct(value, kMeta, [&](size_t member, JsonValue text) {
      if (member == 1) decoder.String(text, "string", &uid);
    });
  });
  RETURN_IF_ERROR(decoder.status());
  if (kind != "Node" || uid.empty()) return absl::InvalidArgumentError("the answer is not a Node");
  return uid;
}

}  // namespace kubelet_cm::apiserver
