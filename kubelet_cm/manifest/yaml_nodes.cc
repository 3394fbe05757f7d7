#include "kubelet_cm/manifest/yaml_nodes.h"

#include <utility>

namespace kubelet_cm {
namespace {

// The parser says "?" for a plain scalar or any list or map, and "!" for a scalar in quotes.
std::string WrittenTag(const std::string& tag) { return tag == "?" || tag == "!" ? std::string() : tag; }

}  // namespace

ManifestPlace PlaceOfMark(const YAML::Mark& mark) {
  return mark.is_null() ? ManifestPlace{} : ManifestPlace{mark.line + 1, mark.column + 1};
}

void YamlNodes::OnDocumentStart(const YAML::Mark&) {
  nodes_.clear();
  open_.clear();
  anchored_.clear();
}

void YamlNodes::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  Add({.kind = YamlNode::Kind::kPlain, .place = PlaceOfMark(mark)}, anchor);
}

void YamlNodes::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         const std::string& value) {
  const bool plain = tag == "?" || tag.empty();
  Add({.kind = plain ? YamlNode::Kind::kPlain : YamlNode::Kind::kText,
       .text = value,
       .tag = WrittenTag(tag),
       .place = PlaceOfMark(mark)},
      anchor);
}

void YamlNodes::OnAlias(const YAML::Mark&, YAML::anchor_t anchor) {
  const auto found = anchored_.find(anchor);
  if (found == anchored_.end() || open_.empty()) return;  // the parser refuses an alias of nothing
  nodes_[open_.back()].children.push_back(found->second);
}

void YamlNodes::OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                                YAML::EmitterStyle::value) {
  Add({.kind = YamlNode::Kind::kList, .tag = WrittenTag(tag), .place = PlaceOfMark(mark)}, anchor);
  open_.push_back(nodes_.size() - 1);
}

void YamlNodes::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           YAML::EmitterStyle::value) {
  Add({.kind = YamlNode::Kind::kMap, .tag = WrittenTag(tag), .place = PlaceOfMark(mark)}, anchor);
  open_.push_back(nodes_.size() - 1);
}

void YamlNodes::Add(YamlNode node, YAML::anchor_t anchor) {
  if (!open_.empty()) nodes_[open_.back()].children.push_back(nodes_.size());
  if (anchor != YAML::NullAnchor) anchored_[anchor] = nodes_.size();
  nodes_.push_back(std::move(node));
}

}  // namespace kubelet_cm
