#include "kubelet_cm/config/config_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "common/gotext/quote.h"
#include "kubelet_cm/config/go_duration.h"
#include "kubelet_cm/config/kubelet_config_fields.h"

namespace kubelet_cm::config {
namespace {

constexpr size_t kMostProblems = 10;

bool IsNumber(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::kScalar) return false;
  const double* const number = std::get_if<double>(&node.scalar);
  return std::holds_alternative<int64_t>(node.scalar) || std::holds_alternative<uint64_t>(node.scalar) ||
         (number != nullptr && std::isfinite(*number));
}

class Checker {
 public:
  Checker(ConfigProblems* problems, ConfigFindings* findings) : problems_(*problems), findings_(*findings) {}

  // `listed`: what is not honoured is told of by its path; not so inside of what was told of already.
  void Fields(const YamlNode& map, absl::Span<const KubeletConfigField> fields, const std::string& path, bool listed) {
    for (const auto& [key, value] : map.entries) {
      const std::string name = path.empty() ? key.text : absl::StrCat(path, ".", key.text);
      const KubeletConfigField* const field = FindField(fields, key.text);
      if (field == nullptr) {
        findings_.unknown.insert(name);
      } else if (!value.is_null()) {
        if (listed && !field->honoured && field->type != FieldType::kObject) findings_.not_honoured.insert(name);
        Value(value, *field, name, listed);
      }
    }
  }

 private:
  void Value(const YamlNode& node, const KubeletConfigField& field, const std::string& path, bool listed) {
    switch (field.type) {
      case FieldType::kStrings:
        return List(node, {"", FieldType::kString}, "a list of strings", path);
      case FieldType::kInt32s:
        return List(node, {"", FieldType::kInt32}, "a list of whole numbers", path);
      case FieldType::kObjects:
        return List(node, {"", FieldType::kObject, field.fields}, "a list of maps", path);
      case FieldType::kStringMap:
        return Map(node, FieldType::kString, "a map of strings", path);
      case FieldType::kBoolMap:
        return Map(node, FieldType::kBool, "a map of true and false", path);
      case FieldType::kStringsMap:
        return Map(node, FieldType::kStrings, "a map of lists of strings", path);
      case FieldType::kQuantityMap:
        return Map(node, FieldType::kQuantity, "a map of quantities", path);
      case FieldType::kObject:
        if (node.kind != YamlNode::Kind::kMap) return Expected("a map", node, path);
        return Fields(node, field.fields, path, listed);
      default:
        return Scalar(node, field.type, path);
    }
  }

  void List(const YamlNode& node, const KubeletConfigField& item, std::string_view what, const std::string& path) {
    if (node.kind != YamlNode::Kind::kList) return Expected(what, node, path);
    for (size_t i = 0; i < node.items.size(); ++i) {
      if (!node.items[i].is_null()) Value(node.items[i], item, absl::StrCat(path, "[", i, "]"), false);
    }
  }

  void Map(const YamlNode& node, FieldType type, std::string_view what, const std::string& path) {
    if (node.kind != YamlNode::Kind::kMap) return Expected(what, node, path);
    for (const auto& [key, value] : node.entries) {
      if (!value.is_null()) Value(value, {"", type}, absl::StrCat(path, "[", GoQuote(key.text), "]"), false);
    }
  }

  void Scalar(const YamlNode& node, FieldType type, const std::string& path) {
    switch (type) {
      case FieldType::kString:
        if (node.string() == nullptr) ExpectedString(node, path);
        return;
      case FieldType::kBool:
        if (node.kind != YamlNode::Kind::kScalar || !std::holds_alternative<bool>(node.scalar)) {
          Expected("true or false", node, path);
        }
        return;
      case FieldType::kFloat:
        if (!IsNumber(node)) Expected("a number", node, path);
        return;
      case FieldType::kQuantity:
        if (node.string() == nullptr && !IsNumber(node)) Expected("a quantity such as \"10Mi\"", node, path);
        return;
      case FieldType::kDuration:
      case FieldType::kDurationOrNanos:
        return Duration(node, type, path);
      case FieldType::kInt32:
        return Integer(node, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max(), path);
      case FieldType::kUint32:
        return Integer(node, 0, std::numeric_limits<uint32_t>::max(), path);
      default:
        return Integer(node, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), path);
    }
  }

  void Duration(const YamlNode& node, FieldType type, const std::string& path) {
    int64_t nanoseconds = 0;
    if (type == FieldType::kDurationOrNanos && WholeNumber(node, &nanoseconds)) return;
    if (node.string() == nullptr) return Expected("a duration such as \"1m30s\"", node, path);
    if (const auto duration = ParseGoDuration(*node.string()); !duration.ok()) {
      problems_.Add(node.at, path, std::string(duration.status().message()));
    }
  }

  void Integer(const YamlNode& node, int64_t least, int64_t most, const std::string& path) {
    int64_t value = 0;
    if (!WholeNumber(node, &value)) {
      Expected("a whole number", node, path);
    } else if (value < least || value > most) {
      problems_.Add(node.at, path, absl::StrCat("expected a number from ", least, " to ", most, ", got ", value));
    }
  }

  void ExpectedString(const YamlNode& node, const std::string& path) {
    if (node.kind != YamlNode::Kind::kScalar) return Expected("a string", node, path);
    problems_.Add(
        node.at, path,
        absl::StrCat("expected a string, got ", WhatItIs(node), " (in quotes it is one: ", GoQuote(node.text), ")"));
  }

  void Expected(std::string_view what, const YamlNode& node, const std::string& path) {
    problems_.Add(node.at, path, absl::StrCat("expected ", std::string(what), ", got ", WhatItIs(node)));
  }

  ConfigProblems& problems_;
  ConfigFindings& findings_;
};

}  // namespace

void ConfigProblems::Add(YamlPosition at, std::string_view path, std::string_view message) {
  problems_.emplace(at, absl::StrCat(std::string(path), path.empty() ? "" : ": ", std::string(message)));
}

absl::Status ConfigProblems::ToStatus() const {
  if (problems_.empty()) return absl::OkStatus();
  std::vector<std::string> lines;
  for (const auto& [at, text] : problems_) {
    if (lines.size() == kMostProblems) {
      lines.push_back(absl::StrCat("and ", problems_.size() - kMostProblems, " more"));
      break;
    }
    lines.emplace_back(YamlError(at, text).message());
  }
  return absl::InvalidArgumentError(absl::StrJoin(lines, "\n"));
}

ConfigFindings CheckKubeletConfig(const YamlNode& root, ConfigProblems* problems) {
  ConfigFindings findings;
  Checker(problems, &findings).Fields(root, KubeletConfigFields(), "", true);
  return findings;
}

std::string WhatItIs(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::kList) return "a list";
  if (node.kind == YamlNode::Kind::kMap) return "a map";
  if (node.is_null()) return "nothing";
  if (node.string() != nullptr) return absl::StrCat("the string ", GoQuote(node.text));
  return absl::StrCat(std::holds_alternative<bool>(node.scalar) ? "the truth value " : "the number ", node.text);
}

bool WholeNumber(const YamlNode& node, int64_t* value) {
  if (node.kind != YamlNode::Kind::kScalar) return false;
  if (const int64_t* const integer = std::get_if<int64_t>(&node.scalar); integer != nullptr) {
    *value = *integer;
    return true;
  }
  const double* const number = std::get_if<double>(&node.scalar);
  // 2^63 itself is no int64_t.
  if (number == nullptr || std::trunc(*number) != *number || std::abs(*number) >= 0x1p63) return false;
  *value = static_cast<int64_t>(*number);
  return true;
}

}  // namespace kubelet_cm::config
