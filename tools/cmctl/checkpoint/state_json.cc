#include "tools/cmctl/checkpoint/state_json.h"

#include <algorithm>

#include "absl/strings/str_replace.h"
#include "common/gotext/json_document.h"
#include "common/gotext/json_writer.h"
#include "tools/cmctl/checkpoint/terminal_text.h"
#include "yaml-cpp/yaml.h"

namespace kubelet_cm::cmctl {
namespace {

// Deeper than any file of the kubelet's. What lies below is written as it stands.
constexpr size_t kMostLevels = 64;

void WriteOptional(std::string_view key, const std::optional<uint64_t>& value, JsonWriter* writer) {
  writer->Key(key);
  value.has_value() ? writer->Uint(*value) : writer->Null();
}

void WriteProblem(const FileProblem& problem, JsonWriter* writer) {
  writer->BeginObject();
  writer->Key("kind");
  writer->String(problem.kind);
  writer->Key("text");
  writer->String(problem.text);
  writer->Key("offset");
  problem.offset.has_value() ? writer->Int(*problem.offset) : writer->Null();
  writer->EndObject();
}

void Indent(JsonValue value, size_t level, std::string* out) {
  const bool object = value.type() == JsonType::kObject;
  if ((!object && value.type() != JsonType::kArray) || value.size() == 0 || level == kMostLevels) {
    *out += value.literal();
    return;
  }
  out->push_back(object ? '{' : '[');
  bool first = true;
  const auto next = [&] {
    *out += first ? "\n" : ",\n";
    out->append(2 * (level + 1), ' ');
    first = false;
  };
  for (const auto [key, member] : value.members()) {
    next();
    *out += key.literal();
    *out += ": ";
    Indent(member, level + 1, out);
  }
  for (const JsonValue element : value.elements()) {
    next();
    Indent(element, level + 1, out);
  }
  out->push_back('\n');
  out->append(2 * level, ' ');
  out->push_back(object ? '}' : ']');
}

void Emit(JsonValue value, size_t level, YAML::Emitter* out) {
  if (level == kMostLevels) {
    *out << YAML::DoubleQuoted << std::string(value.literal());
    return;
  }
  switch (value.type()) {
    case JsonType::kObject:
      *out << YAML::BeginMap;
      for (const auto [key, member] : value.members()) {
        *out << YAML::Key << YAML::DoubleQuoted << std::string(key.text()) << YAML::Value;
        Emit(member, level + 1, out);
      }
      *out << YAML::EndMap;
      break;
    case JsonType::kArray:
      *out << YAML::BeginSeq;
      for (const JsonValue element : value.elements()) Emit(element, level + 1, out);
      *out << YAML::EndSeq;
      break;
    case JsonType::kString:
      *out << YAML::DoubleQuoted << std::string(value.text());
      break;
    case JsonType::kNull:
      *out << YAML::Null;
      break;
    case JsonType::kBool:
    case JsonType::kNumber:
      *out << std::string(value.literal());
      break;
  }
}

}  // namespace

std::string StateJson(const StateFile& file, const ResponseView& responses) {
  const FileVerdict& verdict = file.verdict();
  std::string json;
  JsonWriter writer(&json);
  writer.BeginObject();
  writer.Key("format");
  verdict.format.empty() ? writer.Null() : writer.String(verdict.format);
  WriteOptional("checksum", verdict.stored_checksum, &writer);
  WriteOptional("computedChecksum", verdict.computed_checksum, &writer);
  writer.Key("valid");
  writer.Bool(verdict.valid);
  writer.Key("problems");
  writer.BeginArray();
  for (const FileProblem& problem : verdict.problems) WriteProblem(problem, &writer);
  writer.EndArray();
  writer.Key("content");
  writer.Raw(file.ContentJson(responses));
  writer.EndObject();
  return json;
}

std::string IndentedJson(std::string_view json) {
  const auto document = JsonDocument::Parse(json);
  if (!document.ok()) return std::string(json);
  std::string out;
  Indent(document->root(), 0, &out);
  return PrintableJson(out) + "\n";
}

std::string YamlOf(std::string_view json) {
  const auto document = JsonDocument::Parse(json);
  if (!document.ok()) return std::string(json);
  YAML::Emitter out;
  out.SetOutputCharset(YAML::EscapeNonAscii);
  Emit(document->root(), 0, &out);
  // The one character of ASCII that does not print and that the emitter leaves.
  return absl::StrReplaceAll(out.c_str(), {{"\x7f", "\\x7f"}}) + "\n";
}

}  // namespace kubelet_cm::cmctl
