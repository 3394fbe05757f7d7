#include "common/gotext/json_compare.h"

namespace kubelet_cm {
namespace {

bool SameElements(JsonValue a, JsonValue b) {
  auto other = b.elements().begin();
  for (const JsonValue element : a.elements()) {
    if (!SameJson(element, *other)) return false;
    ++other;
  }
  return true;
}

// Usually the members stand in the same order.
bool SameMembers(JsonValue a, JsonValue b) {
  auto expected = b.members().begin();
  for (const auto [key, value] : a.members()) {
    const JsonMember candidate = *expected;
    ++expected;
    const auto other = candidate.key.text() == key.text() ? candidate.value : FindJson(b, key.text());
    if (!other.has_value() || !SameJson(value, *other)) return false;
  }
  return true;
}

}  // namespace

std::optional<JsonValue> FindJson(JsonValue object, std::string_view name) {
  for (const auto [key, value] : object.members()) {
    if (key.text() == name) return value;
  }
  return std::nullopt;
}

std::string JsonText(JsonValue object, std::string_view name) {
  const std::optional<JsonValue> value = FindJson(object, name);
  return value.has_value() && value->type() == JsonType::kString ? std::string(value->text()) : "";
}

bool SameJson(JsonValue a, JsonValue b) {
  if (a.type() != b.type() || a.size() != b.size()) return false;
  switch (a.type()) {
    case JsonType::kString:
      return a.text() == b.text();
    case JsonType::kArray:
      return SameElements(a, b);
    case JsonType::kObject:
      return SameMembers(a, b);
    default:
      return a.literal() == b.literal();
  }
}

}  // namespace kubelet_cm
