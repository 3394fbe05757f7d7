// The nodes of one YAML document, as yaml-cpp's parser tells of them. Aliases name the node they stand for.
//
// The parser reports errors by exceptions; it is the one library here that does, and YamlToJson is where they end.
#ifndef KUBELET_CM_KUBELET_CM_MANIFEST_YAML_NODES_H_
#define KUBELET_CM_KUBELET_CM_MANIFEST_YAML_NODES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "kubelet_cm/manifest/manifest_text.h"
#include "yaml-cpp/eventhandler.h"
#include "yaml-cpp/mark.h"

namespace kubelet_cm {

struct YamlNode {
  enum class Kind { kPlain, kText, kList, kMap };
  Kind kind = Kind::kPlain;
  std::string text = {};  // of a scalar
  std::string tag = {};   // written out in the text; empty: none
  ManifestPlace place = {};
  std::vector<size_t> children = {};  // of a map: key, value, key, value ...
};

ManifestPlace PlaceOfMark(const YAML::Mark& mark);

// One document; one thread.
class YamlNodes : public YAML::EventHandler {
 public:
  const YamlNode& node(size_t index) const { return nodes_[index]; }
  // Whether the document has any content; its top is node(0) then.
  bool empty() const { return nodes_.empty(); }

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { open_.pop_back(); }

 private:
  void Add(YamlNode node, YAML::anchor_t anchor);

  std::vector<YamlNode> nodes_;
  std::vector<size_t> open_;  // the lists and maps around what comes next
  absl::flat_hash_map<YAML::anchor_t, size_t> anchored_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_MANIFEST_YAML_NODES_H_
