#include "kubelet_cm/manifest/manifest_objects.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/gotext/json_decoder.h"
#include "common/gotext/json_error.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/manifest/yaml_to_json.h"

namespace kubelet_cm {
namespace {

constexpr std::string_view kList = "List";
constexpr GoField kTypeFields[] = {{"apiVersion"}, {"kind"}, {"items"}};
constexpr GoStruct kType{"v1.TypeMeta", kTypeFields};

struct TypeMeta {
  std::string api_version;
  std::string kind;
  std::optional<JsonValue> items;
};

absl::StatusOr<TypeMeta> TypeOf(JsonValue object, const ManifestText& text) {
  if (object.type() != JsonType::kObject) return text.ErrorAt(object.begin_offset(), "not an object");
  TypeMeta meta;
  JsonDecoder decoder;
  decoder.Struct(object, kType, [&](size_t field, JsonValue value) {
    if (field == 0) return decoder.String(value, "string", &meta.api_version);
    if (field == 1) return decoder.String(value, "string", &meta.kind);
    meta.items = value;
  });
  RETURN_IF_ERROR(text.WithPlace(decoder.status()));
  return meta;
}

}  // namespace

absl::Status ManifestObject::WithPlace(const absl::Status& error) const {
  if (error.ok() || JsonErrorOffset(error).has_value()) return text->WithPlace(error);
  const absl::Status placed =
      text->ErrorAt(value.begin_offset(), std::string_view(error.message().data(), error.message().size()));
  return absl::Status(error.code(), placed.message());
}

absl::StatusOr<ManifestObjects> ManifestObjects::Read(std::string_view text) {
  ManifestObjects objects;
  const size_t start = text.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && text[start] == '{') {
    if (text.size() > kMaxManifestBytes) {
      return absl::ResourceExhaustedError(
          absl::StrCat("a text of ", text.size(), " bytes, of which a manifest can have ", kMaxManifestBytes));
    }
    RETURN_IF_ERROR(objects.AddDocument(ManifestText(std::string(text))));
    return objects;
  }
  ASSIGN_OR_RETURN(std::vector<ManifestText> documents, YamlToJson(text));
  for (ManifestText& document : documents) RETURN_IF_ERROR(objects.AddDocument(std::move(document)));
  return objects;
}

absl::Status ManifestObjects::AddDocument(ManifestText text) {
  texts_.push_back(std::make_unique<const ManifestText>(std::move(text)));
  const ManifestText& kept = *texts_.back();
  absl::StatusOr<JsonDocument> document = JsonDocument::Parse(kept.json());
  if (!document.ok()) return kept.WithPlace(document.status());
  documents_.push_back(*std::move(document));
  return Add(documents_.back().root(), &kept, "", "");
}

absl::Status ManifestObjects::Add(JsonValue value, const ManifestText* text, std::string_view list_kind,
                                  std::string_view list_version) {
  if (objects_.size() == kMaxManifestObjects) {
    return absl::ResourceExhaustedError(absl::StrCat("more than ", kMaxManifestObjects, " objects"));
  }
  ASSIGN_OR_RETURN(TypeMeta meta, TypeOf(value, *text));
  if (meta.kind.empty() && meta.api_version.empty()) {
    meta.kind = list_kind;
    meta.api_version = list_version;
  }
  if (!meta.kind.ends_with(kList)) {
    objects_.push_back({std::move(meta.api_version), std::move(meta.kind), value, text});
    return absl::OkStatus();
  }
  if (!list_kind.empty() || !list_version.empty()) return text->ErrorAt(value.begin_offset(), "a list in a list");
  if (!meta.items.has_value() || meta.items->type() == JsonType::kNull) return absl::OkStatus();
  if (meta.items->type() != JsonType::kArray) {
    return text->ErrorAt(meta.items->begin_offset(), "items: not a list");
  }
  const std::string_view item_kind = std::string_view(meta.kind).substr(0, meta.kind.size() - kList.size());
  for (const JsonValue item : meta.items->elements()) {
    // The items of a plain List say themselves what they are.
    RETURN_IF_ERROR(Add(item, text, item_kind, item_kind.empty() ? kList : std::string_view(meta.api_version)));
  }
  return absl::OkStatus();
}

}  // namespace kubelet_cm
