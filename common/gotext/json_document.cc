#include "common/gotext/json_document.h"

#include <utility>

#include "common/gotext/json_scanner.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {

std::string_view JsonValue::UnescapedText() const {
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
