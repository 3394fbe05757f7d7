#include "common/gotext/json_document.h"

#include <utility>

#include "common/gotext/json_scanner.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {

JsonType JsonValue::type() const {
  switch (kind()) {
    case JsonKind::kNull:
      return JsonType::kNull;
    case JsonKind::kFalse:
    case JsonKind::kTrue:
      return JsonType::kBool;
    case JsonKind::kNumber:
      return JsonType::kNumber;
    case JsonKind::kString:
    case JsonKind::kEscapedString:
      return JsonType::kString;
    case JsonKind::kArray:
      return JsonType::kArray;
    case JsonKind::kObject:
      return JsonType::kObject;
  }
  CHECK(false) << "a node of kind " << node_->kind;
  return JsonType::kNull;
}

std::string_view JsonValue::text() const {
  if (kind() == JsonKind::kString) return tape_->text.substr(node_->begin + 1, node_->end - node_->begin - 2);
  CHECK(kind() == JsonKind::kEscapedString) << "text of a node of kind " << node_->kind;
  const JsonTape::Span span = tape_->unescaped[node_->link];
  return std::string_view(tape_->unescaped_text).substr(span.begin, span.size);
}

absl::StatusOr<JsonDocument> JsonDocument::Parse(std::string_view text) {
  auto tape = std::make_unique<JsonTape>();
  RETURN_IF_ERROR(JsonScanner(text, tape.get()).Scan());
  return JsonDocument(std::move(tape));
}

}  // namespace kubelet_cm
