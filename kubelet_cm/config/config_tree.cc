#include "kubelet_cm/config/config_tree.h"

#include "absl/status/status.h"
#include "common/gotext/utf8.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/manifest/yaml_to_json.h"

namespace kubelet_cm::config {
namespace {

// yaml-cpp lets such bytes through, and JSON would have other text in their place.
absl::Status CheckUtf8(std::string_view text) {
  ManifestPlace place;
  while (!text.empty()) {
    const DecodedRune rune = DecodeRune(text);
    if (rune.malformed()) return ErrorAtPlace(place, "a byte that is not UTF-8");
    place = rune.rune == '\n' ? ManifestPlace{place.line + 1, 1} : ManifestPlace{place.line, place.column + 1};
    text.remove_prefix(rune.width);
  }
  return absl::OkStatus();
}

// As deep as YamlToJson lets values be nested.
ConfigNode NodeOf(const JsonValue& value, const ManifestText& source) {
  ConfigNode node = {.type = value.type(), .at = source.PlaceOf(value.begin_offset())};
  if (node.type == JsonType::kString) {
    node.text = value.text();
  } else if (node.type != JsonType::kArray && node.type != JsonType::kObject) {
    node.text = value.literal();
  }
  for (const JsonValue element : value.elements()) node.items.push_back(NodeOf(element, source));
  for (const auto [key, member] : value.members()) node.entries.emplace_back(key.text(), NodeOf(member, source));
  return node;
}

absl::StatusOr<ConfigNode> TreeOf(const ManifestText& document) {
  ASSIGN_OR_RETURN(const JsonDocument json, JsonDocument::Parse(document.json()));
  return NodeOf(json.root(), document);
}

}  // namespace

absl::StatusOr<ConfigNode> ParseConfigTree(std::string_view text) {
  RETURN_IF_ERROR(CheckUtf8(text));
  ASSIGN_OR_RETURN(const std::vector<ManifestText> documents, YamlToJson(text));
  if (documents.empty()) return ConfigNode();
  if (documents.size() > 1) return documents[1].ErrorAt(0, "a second document");
  return TreeOf(documents.front());
}

}  // namespace kubelet_cm::config
