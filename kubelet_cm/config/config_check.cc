#include "kubelet_cm/config/config_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "common/gotext/quote.h"
#include "kubelet_cm/config/go_duration.h"
#include "kubelet_cm/config/kubelet_config_fields.h"

namespace kubelet_cm::config {
namespace {

constexpr size_t kMostProblems = 10;

class Checker {
 public:
  Checker(ConfigProblems* problems, ConfigFindings* findings) : problems_(*problems), findings_(*findings) {}

  // `listed`: what is not honoured is told of by its path; not so inside of what was told of already.
  void Fields(const ConfigNode& map, absl::Span<const KubeletConfigField> fields, const std::string& path,
              bool listed) {
    for (const auto& [key, value] : map.entries) {
      const std::string name = path.empty() ? key : absl::StrCat(path, ".", key);
      const KubeletConfigField* const field = FindField(fields, key);
      if (field == nullptr) {
        findings_.unknown.insert(name);
      } else if (!value.is_null()) {
        if (listed && !field->honoured && field->type != FieldType::kObject) findings_.not_honoured.insert(name);
        Value(value, *field, name, listed);
      }
    }
  }

 private:
  void Value(const ConfigNode& node, const KubeletConfigField& field, const std::string& path, bool listed) {
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
        if (node.type != JsonType::kObject) return Expected("a map", node, path);
        return Fields(node, field.fields, path, listed);
      default:
        return Scalar(node, field.type, path);
    }
  }

  void List(const ConfigNode& node, const KubeletConfigField& item, std::string_view what, const std::string& path) {
    if (node.type != JsonType::kArray) return Expected(what, node, path);
    for (size_t i = 0; i < node.items.size(); ++i) {
      if (!node.items[i].is_null()) Value(node.items[i], item, absl::StrCat(path, "[", i, "]"), false);
    }
  }

  void Map(const ConfigNode& node, FieldType type, std::string_view what, const std::string& path) {
    if (node.type != JsonType::kObject) return Expected(what, node, path);
    for (const auto& [key, value] : node.entries) {
      if (!value.is_null()) Value(value, {"", type}, absl::StrCat(path, "[", GoQuote(key), "]"), false);
    }
  }

  void Scalar(const ConfigNode& node, FieldType type, const std::string& path) {
    switch (type) {
      case FieldType::kString:
        if (node.string() == nullptr) ExpectedString(node, path);
        return;
      case FieldType::kBool:
        if (node.type != JsonType::kBool) {
          Expected("true or false", node, path);
        }
        return;
      case FieldType::kFloat:
        if (node.type != JsonType::kNumber) Expected("a number", node, path);
        return;
      case FieldType::kQuantity:
        if (node.string() == nullptr && node.type != JsonType::kNumber)
          Expected("a quantity such as \"10Mi\"", node, path);
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

  void Duration(const ConfigNode& node, FieldType type, const std::string& path) {
    int64_t nanoseconds = 0;
    if (type == FieldType::kDurationOrNanos && WholeNumber(node, &nanoseconds)) return;
    if (node.string() == nullptr) return Expected("a duration such as \"1m30s\"", node, path);
    if (const auto duration = ParseGoDuration(*node.string()); !duration.ok()) {
      problems_.Add(node.at, path, std::string(duration.status().message()));
    }
  }

  void Integer(const ConfigNode& node, int64_t least, int64_t most, const std::string& path) {
    int64_t value = 0;
    if (!WholeNumber(node, &value)) {
      Expected("a whole number", node, path);
    } else if (value < least || value > most) {
      problems_.Add(node.at, path, absl::StrCat("expected a number from ", least, " to ", most, ", got ", value));
    }
  }

  void ExpectedString(const ConfigNode& node, const std::string& path) {
    if (node.type == JsonType::kArray || node.type == JsonType::kObject) return Expected("a string", node, path);
    problems_.Add(
        node.at, path,
        absl::StrCat("expected a string, got ", WhatItIs(node), " (in quotes it is one: ", GoQuote(node.text), ")"));
  }

  void Expected(std::string_view what, const ConfigNode& node, const std::string& path) {
    problems_.Add(node.at, path, absl::StrCat("expected ", std::string(what), ", got ", WhatItIs(node)));
  }

  ConfigProblems& problems_;
  ConfigFindings& findings_;
};

}  // namespace

void ConfigProblems::Add(ManifestPlace at, std::string_view path, std::string_view message) {
  problems_.emplace(at.line, at.column,
                    absl::StrCat(std::string(path), path.empty() ? "" : ": ", std::string(message)));
}

absl::Status ConfigProblems::ToStatus() const {
  if (problems_.empty()) return absl::OkStatus();
  std::vector<std::string> lines;
  for (const auto& [line, column, text] : problems_) {
    if (lines.size() == kMostProblems) {
      lines.push_back(absl::StrCat("and ", problems_.size() - kMostProblems, " more"));
      break;
    }
    lines.emplace_back(ErrorAtPlace({line, column}, text).message());
  }
  return absl::InvalidArgumentError(absl::StrJoin(lines, "\n"));
}

ConfigFindings CheckKubeletConfig(const ConfigNode& root, ConfigProblems* problems) {
  ConfigFindings findings;
  Checker(problems, &findings).Fields(root, KubeletConfigFields(), "", true);
  return findings;
}

std::string WhatItIs(const ConfigNode& node) {
  switch (node.type) {
    case JsonType::kArray:
      return "a list";
    case JsonType::kObject:
      return "a map";
    case JsonType::kNull:
      return "nothing";
    case JsonType::kString:
      return absl::StrCat("the string ", GoQuote(node.text));
    case JsonType::kBool:
      return absl::StrCat("the truth value ", node.text);
    case JsonType::kNumber:
      return absl::StrCat("the number ", node.text);
  }
  return "";
}

bool WholeNumber(const ConfigNode& node, int64_t* value) {
  if (node.type != JsonType::kNumber) return false;
  if (absl::SimpleAtoi(node.text, value)) return true;
  double number = 0;
  // 2^63 itself is no int64_t.
  if (!absl::SimpleAtod(node.text, &number) || std::trunc(number) != number || std::abs(number) >= 0x1p63) return false;
  *value = static_cast<int64_t>(number);
  return true;
}

}  // namespace kubelet_cm::config
