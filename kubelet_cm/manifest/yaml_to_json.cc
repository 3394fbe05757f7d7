#include "kubelet_cm/manifest/yaml_to_json.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/json_writer.h"
#include "common/gotext/quote.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/manifest/yaml_nodes.h"
#include "kubelet_cm/manifest/yaml_scalar.h"
#include "yaml-cpp/exceptions.h"
#include "yaml-cpp/parser.h"

namespace kubelet_cm {
namespace {

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";
constexpr size_t kShownSize = 64;

absl::Status At(const YamlNode& node, std::string_view message) { return ErrorAtPlace(node.place, message); }

std::string Shown(std::string_view text) { return GoQuote(text.substr(0, kShownSize)); }

// Writes one document as JSON.
class JsonFromYaml {
 public:
  explicit JsonFromYaml(const YamlNodes& nodes) : nodes_(nodes), writer_(&json_) {}

  absl::StatusOr<ManifestText> Write() && {
    RETURN_IF_ERROR(Value(0));
    return ManifestText(std::move(json_), std::move(marks_));
  }

 private:
  using Kind = YamlNode::Kind;
  // A member of a map: key and value.
  struct Member {
    std::string key;
    size_t value;
  };
  using Keys = absl::flat_hash_set<std::string>;

  absl::Status Value(size_t index) {
    const YamlNode& node = nodes_.node(index);
    if (json_.size() > kMaxYamlJsonBytes || marks_.size() == kMaxYamlValues) {
      return absl::ResourceExhaustedError(absl::StrCat("YAML that has more than ", kMaxYamlValues, " values or ",
                                                       kMaxYamlJsonBytes, " bytes with its aliases written out"));
    }
    if (++depth_ > kMaxYamlDepth) return At(node, absl::StrCat("more than ", kMaxYamlDepth, " levels deep"));
    // Behind the comma that the writer may put before the value.
    const bool comma = !json_.empty() && json_.back() != '[' && json_.back() != ':';
    marks_.push_back({static_cast<int64_t>(json_.size() + (comma ? 1 : 0)), node.place});
    if (node.kind == Kind::kList) RETURN_IF_ERROR(List(node));
    if (node.kind == Kind::kMap) RETURN_IF_ERROR(Map(node));
    if (node.kind == Kind::kPlain || node.kind == Kind::kText) RETURN_IF_ERROR(ScalarValue(node));
    --depth_;
    return absl::OkStatus();
  }

  absl::Status List(const YamlNode& node) {
    if (!node.tag.empty() && node.tag != "tag:yaml.org,2002:seq") return At(node, "tag " + Shown(node.tag));
    writer_.BeginArray();
    for (const size_t child : node.children) RETURN_IF_ERROR(Value(child));
    writer_.EndArray();
    return absl::OkStatus();
  }

  absl::Status Map(const YamlNode& node) {
    if (!node.tag.empty() && node.tag != "tag:yaml.org,2002:map") return At(node, "tag " + Shown(node.tag));
    std::vector<Member> members;
    Keys keys;
    RETURN_IF_ERROR(OwnMembers(node, &members, &keys));
    RETURN_IF_ERROR(MergedMembers(node, 0, &members, &keys));
    writer_.BeginObject();
    for (const Member& member : members) {
      writer_.Key(member.key);
      RETURN_IF_ERROR(Value(member.value));
    }
    writer_.EndObject();
    return absl::OkStatus();
  }

  static bool IsMergeKey(const YamlNode& key) { return key.kind == Kind::kPlain && key.text == "<<"; }

  absl::Status OwnMembers(const YamlNode& map, std::vector<Member>* members, Keys* keys) {
    for (size_t i = 0; i + 1 < map.children.size(); i += 2) {
      const YamlNode& key_node = nodes_.node(map.children[i]);
      if (IsMergeKey(key_node)) continue;
      ASSIGN_OR_RETURN(std::string key, KeyText(key_node));
      if (!keys->insert(key).second) return At(key_node, absl::StrCat("key ", Shown(key), " already set in map"));
      members->push_back({std::move(key), map.children[i + 1]});
    }
    return absl::OkStatus();
  }

  // What "<<" brings in: the members of a map, or of several, that are not there yet.
  absl::Status MergedMembers(const YamlNode& map, size_t depth, std::vector<Member>* members, Keys* keys) {
    if (depth > kMaxYamlDepth) return At(map, absl::StrCat("more than ", kMaxYamlDepth, " levels deep"));
    for (size_t i = 0; i + 1 < map.children.size(); i += 2) {
      if (!IsMergeKey(nodes_.node(map.children[i]))) continue;
      const YamlNode& merged = nodes_.node(map.children[i + 1]);
      if (merged.kind == Kind::kMap) {
        RETURN_IF_ERROR(MergeOne(merged, depth, members, keys));
        continue;
      }
      if (merged.kind != Kind::kList) return At(merged, "map merge requires map or sequence of maps as the value");
      for (const size_t child : merged.children) RETURN_IF_ERROR(MergeOne(nodes_.node(child), depth, members, keys));
    }
    return absl::OkStatus();
  }

  absl::Status MergeOne(const YamlNode& merged, size_t depth, std::vector<Member>* members, Keys* keys) {
    if (merged.kind != Kind::kMap) return At(merged, "map merge requires map or sequence of maps as the value");
    if (++merges_ > kMaxMerges) return At(merged, absl::StrCat("more than ", kMaxMerges, " maps merged"));
    for (size_t i = 0; i + 1 < merged.children.size(); i += 2) {
      const YamlNode& key_node = nodes_.node(merged.children[i]);
      if (IsMergeKey(key_node)) continue;
      ASSIGN_OR_RETURN(std::string key, KeyText(key_node));
      if (keys->insert(key).second) members->push_back({std::move(key), merged.children[i + 1]});
    }
    return MergedMembers(merged, depth + 1, members, keys);
  }

  absl::StatusOr<YamlScalar> Scalar(const YamlNode& node) {
    if (node.tag == "tag:yaml.org,2002:str") return YamlScalar{JsonType::kString, node.text};
    if (node.kind == Kind::kText && node.tag.empty()) return YamlScalar{JsonType::kString, node.text};
    absl::StatusOr<YamlScalar> scalar = ResolvePlainScalar(node.text);
    if (!scalar.ok()) {
      const absl::string_view why = scalar.status().message();
      return At(node, std::string_view(why.data(), why.size()));
    }
    if (!node.tag.empty() && !HasType(node.tag, scalar->type)) {
      return At(node, absl::StrCat("tag ", Shown(node.tag), " does not fit ", Shown(node.text)));
    }
    return scalar;
  }

  static bool HasType(std::string_view tag, JsonType type) {
    if (!tag.starts_with(kTagPrefix)) return false;
    tag.remove_prefix(kTagPrefix.size());
    return (tag == "null" && type == JsonType::kNull) || (tag == "bool" && type == JsonType::kBool) ||
           ((tag == "int" || tag == "float") && type == JsonType::kNumber);
  }

  absl::Status ScalarValue(const YamlNode& node) {
    ASSIGN_OR_RETURN(const YamlScalar scalar, Scalar(node));
    if (scalar.type == JsonType::kString) {
      writer_.String(scalar.text);
    } else {
      writer_.Raw(scalar.text);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> KeyText(const YamlNode& node) {
    if (node.kind == Kind::kList || node.kind == Kind::kMap) return At(node, "a key that is no text");
    ASSIGN_OR_RETURN(YamlScalar scalar, Scalar(node));
    if (scalar.type == JsonType::kNull) return At(node, "a key that is null");
    return std::move(scalar.text);
  }

  static constexpr size_t kMaxMerges = 10'000;

  const YamlNodes& nodes_;
  std::string json_;
  JsonWriter writer_;
  std::vector<ManifestText::Mark> marks_;
  size_t depth_ = 0;
  size_t merges_ = 0;
};

absl::Status CheckText(std::string_view yaml) {
  if (yaml.size() > kMaxYamlBytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("a text of ", yaml.size(), " bytes, of which YAML can have ", kMaxYamlBytes));
  }
  const auto control = std::find_if(yaml.begin(), yaml.end(), [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t') || c == '\x7f';
  });
  if (control == yaml.end()) return absl::OkStatus();
  const ManifestText text{std::string(yaml)};
  return text.ErrorAt(control - yaml.begin(), "control characters are not allowed");
}

absl::StatusOr<std::vector<ManifestText>> Convert(std::istream& input) {
  std::vector<ManifestText> documents;
  YamlNodes nodes;
  YAML::Parser parser(input);
  for (size_t count = 0; parser.HandleNextDocument(nodes); ++count) {
    if (count == kMaxYamlDocuments) {
      return absl::ResourceExhaustedError(absl::StrCat("more than ", kMaxYamlDocuments, " documents"));
    }
    if (nodes.empty()) continue;
    ASSIGN_OR_RETURN(ManifestText document, JsonFromYaml(nodes).Write());
    if (document.json() != "null") documents.push_back(std::move(document));
  }
  return documents;
}

}  // namespace

absl::StatusOr<std::vector<ManifestText>> YamlToJson(std::string_view yaml) {
  RETURN_IF_ERROR(CheckText(yaml));
  std::istringstream input{std::string(yaml)};
  try {
    return Convert(input);
  } catch (const YAML::Exception& error) {
    return ErrorAtPlace(PlaceOfMark(error.mark), error.msg);
  }
}

}  // namespace kubelet_cm
