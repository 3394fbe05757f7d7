#include "tools/cmctl/bundle/redaction.h"

#include <memory>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "common/gotext/json_document.h"
#include "common/gotext/json_writer.h"
#include "tools/cmctl/checkpoint/recognition.h"
#include "tools/cmctl/checkpoint/response_view.h"
#include "tools/cmctl/checkpoint/state_json.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

bool IsSecret(std::string_view key) {
  const std::string lower = absl::AsciiStrToLower(Abseil(key));
  return lower == "allocresp" || lower == "envs" || lower == "annotations" || lower == "data" ||
         lower == "structureddata";
}

// A format whose places for secrets are known.
bool IsKnown(std::string_view format) { return format.starts_with("devicemanager-") || format.starts_with("dra-"); }

// With every scalar of it hidden, or those below a secret key.
void Copy(JsonValue value, bool hidden, JsonWriter* writer) {
  switch (value.type()) {
    case JsonType::kObject:
      writer->BeginObject();
      for (const auto [key, member] : value.members()) {
        writer->Key(key.text());
        Copy(member, hidden || IsSecret(key.text()), writer);
      }
      writer->EndObject();
      return;
    case JsonType::kArray:
      writer->BeginArray();
      for (const JsonValue element : value.elements()) Copy(element, hidden, writer);
      writer->EndArray();
      return;
    case JsonType::kNull:
      return writer->Null();
    default:
      hidden ? writer->String(kRedacted) : writer->Raw(value.literal());
  }
}

std::string Redacted(const std::string& json, bool with_content) {
  const auto document = JsonDocument::Parse(json);
  if (!document.ok()) return "null";
  std::string out;
  JsonWriter writer(&out);
  writer.BeginObject();
  for (const auto [key, value] : document->root().members()) {
    writer.Key(key.text());
    if (key.text() == "content" && !with_content) {
      writer.Null();
    } else {
      Copy(value, false, &writer);
    }
  }
  writer.EndObject();
  return out;
}

}  // namespace

std::string RedactedState(const std::string& file_name, std::string bytes) {
  const std::unique_ptr<StateFile> file = RecogniseStateFile(file_name, std::move(bytes));
  // In a file that has changed, values may stand where names do.
  const std::string json = StateJson(*file, {.decoded = file->verdict().valid, .secrets = false});
  return IndentedJson(Redacted(json, IsKnown(file->verdict().format)));
}

}  // namespace kubelet_cm::cmctl
