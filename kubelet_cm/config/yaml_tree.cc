#include "kubelet_cm/config/yaml_tree.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/quote.h"
#include "common/gotext/utf8.h"
#include "common/status/status_macros.h"
#include "yaml-cpp/eventhandler.h"
#include "yaml-cpp/exceptions.h"
#include "yaml-cpp/parser.h"

namespace kubelet_cm::config {
namespace {

YamlPosition PositionOf(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

// Leaves the parser: yaml-cpp takes no answer from its handlers.
struct Refusal {
  absl::Status why;
};

struct TreeSize {
  size_t nodes = 0;
  size_t bytes = 0;
};

TreeSize SizeOf(const YamlNode& node) {
  TreeSize size = {1, node.text.size()};
  const auto add = [&size](const YamlNode& below) {
    const TreeSize more = SizeOf(below);
    size.nodes += more.nodes;
    size.bytes += more.bytes;
  };
  for (const YamlNode& item : node.items) add(item);
  for (const auto& [key, value] : node.entries) {
    add(key);
    add(value);
  }
  return size;
}

size_t DepthOf(const YamlNode& node) {
  size_t below = 0;
  for (const YamlNode& item : node.items) below = std::max(below, DepthOf(item));
  for (const auto& [key, value] : node.entries) below = std::max({below, DepthOf(key), DepthOf(value)});
  return below + 1;
}

class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const YamlLimits& limits) : limits_(limits) {}

  YamlNode Take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { Add({.at = PositionOf(mark)}, anchor); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchored_.find(anchor);
    if (known == anchored_.end()) throw Refusal{YamlError(PositionOf(mark), "an alias of what it is part of")};
    YamlNode copy = known->second;
    copy.at = PositionOf(mark);
    Count(copy);
    if (open_.size() + DepthOf(copy) > limits_.depth) throw TooDeep(copy.at);
    Place(std::move(copy));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = {.at = PositionOf(mark), .text = value, .scalar = YamlText()};
    if (tag == "?") {
      node.scalar = ResolvePlainScalar(value);
    } else if (!tag.empty() && tag != "!") {
      node.scalar = Tagged(node.at, tag, value);
    }
    Add(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Open({.kind = YamlNode::Kind::kList, .at = PositionOf(mark)}, anchor);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    Open({.kind = YamlNode::Kind::kMap, .at = PositionOf(mark)}, anchor);
  }
  void OnMapEnd() override { Close(); }

 private:
  // A list or map whose end has not been read.
  struct OpenNode {
    YamlNode node;
    YAML::anchor_t anchor;
    std::vector<YamlNode> key = {};  // of a map: the key whose value comes next
    absl::flat_hash_map<std::string, YamlPosition> keys = {};
  };

  Refusal TooDeep(YamlPosition at) const {
    return {YamlError(at, absl::StrCat("nested more than ", limits_.depth, " levels deep"))};
  }

  static YamlScalar Tagged(YamlPosition at, const std::string& tag, const std::string& value) {
    if (tag == "tag:yaml.org,2002:str") return YamlText();
    YamlScalar scalar = ResolvePlainScalar(value);
    const bool is_integer = std::holds_alternative<int64_t>(scalar) || std::holds_alternative<uint64_t>(scalar);
    if ((tag == "tag:yaml.org,2002:int" && is_integer) ||
        (tag == "tag:yaml.org,2002:bool" && std::holds_alternative<bool>(scalar)) ||
        (tag == "tag:yaml.org,2002:null" && std::holds_alternative<std::monostate>(scalar)) ||
        (tag == "tag:yaml.org,2002:float" && (is_integer || std::holds_alternative<double>(scalar)))) {
      return scalar;
    }
    throw Refusal{YamlError(at, absl::StrCat("the tag ", GoQuote(tag), " does not fit ", GoQuote(value)))};
  }

  void Count(const YamlNode& node) {
    const TreeSize size = SizeOf(node);
    count_.nodes += size.nodes;
    count_.bytes += size.bytes;
    if (count_.nodes > limits_.nodes) {
      throw Refusal{YamlError(node.at, absl::StrCat("more than ", limits_.nodes, " values"))};
    }
    if (count_.bytes > limits_.tree_bytes) {
      throw Refusal{YamlError(node.at, absl::StrCat("more than ", limits_.tree_bytes, " bytes of text"))};
    }
  }

  void Add(YamlNode node, YAML::anchor_t anchor) {
    Count(node);
    if (anchor != YAML::NullAnchor) anchored_[anchor] = node;
    Place(std::move(node));
  }

  void Open(YamlNode node, YAML::anchor_t anchor) {
    Count(node);
    if (open_.size() >= limits_.depth) throw TooDeep(node.at);
    open_.push_back({.node = std::move(node), .anchor = anchor});
  }

  void Close() {
    OpenNode done = std::move(open_.back());
    open_.pop_back();
    if (done.anchor != YAML::NullAnchor) anchored_[done.anchor] = done.node;
    Place(std::move(done.node));
  }

  // Where the parser is: the root, the next item, a key, or the value of the key before.
  void Place(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    OpenNode& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::kList) {
      parent.node.items.push_back(std::move(node));
    } else if (parent.key.empty()) {
      CheckKey(parent, node);
      parent.key.push_back(std::move(node));
    } else {
      parent.node.entries.emplace_back(std::move(parent.key.front()), std::move(node));
      parent.key.clear();
    }
  }

  static void CheckKey(OpenNode& parent, const YamlNode& key) {
    if (key.kind != YamlNode::Kind::kScalar) throw Refusal{YamlError(key.at, "a key is a plain word or a string")};
    if (key.text == "<<") throw Refusal{YamlError(key.at, "merge keys (<<) are not supported")};
    const auto [first, is_new] = parent.keys.emplace(key.text, key.at);
    if (!is_new) {
      throw Refusal{YamlError(
          key.at, absl::StrCat("key ", GoQuote(key.text), " is there twice, first in line ", first->second.line))};
    }
  }

  const YamlLimits limits_;
  TreeSize count_;
  YamlNode root_;
  std::vector<OpenNode> open_;
  absl::flat_hash_map<YAML::anchor_t, YamlNode> anchored_;
};

// Where the first byte that is no UTF-8 is: yaml-cpp lets such bytes through.
absl::Status CheckUtf8(std::string_view text) {
  YamlPosition at;
  while (!text.empty()) {
    const DecodedRune rune = DecodeRune(text);
    if (rune.malformed()) return YamlError(at, "a byte that is not UTF-8");
    at = rune.rune == '\n' ? YamlPosition{at.line + 1, 1} : YamlPosition{at.line, at.column + 1};
    text.remove_prefix(rune.width);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status YamlError(YamlPosition at, std::string_view message) {
  return absl::InvalidArgumentError(
      absl::StrCat("line ", at.line, ", column ", at.column, ": ", absl::string_view(message.data(), message.size())));
}

absl::StatusOr<YamlNode> ParseYamlTree(std::string_view text, const YamlLimits& limits) {
  if (text.size() > limits.bytes) {
    return absl::InvalidArgumentError(absl::StrCat("more than ", limits.bytes, " bytes"));
  }
  RETURN_IF_ERROR(CheckUtf8(text));
  std::istringstream stream{std::string(text)};
  TreeBuilder builder(limits);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return YamlNode();
    YamlNode root = builder.Take();
    TreeBuilder second(limits);
    if (parser.HandleNextDocument(second)) {
      const YamlNode rest = second.Take();
      if (!rest.is_null()) return YamlError(rest.at, "a second document");
    }
    return root;
  } catch (const Refusal& refusal) {
    return refusal.why;
  } catch (const YAML::Exception& error) {
    return YamlError(PositionOf(error.mark), error.msg);
  }
}

}  // namespace kubelet_cm::config
