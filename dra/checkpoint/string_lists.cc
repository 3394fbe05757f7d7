#include "dra/checkpoint/string_lists.h"

namespace kubelet_cm::dra {
namespace {

constexpr GoStruct kEmpty{"sets.Empty", {}};

}  // namespace

void DecodeStringSet(JsonDecoder& decoder, JsonValue value, StringSet* out) {
  if (value.type() == JsonType::kNull) return out->reset();
  if (value.type() != JsonType::kObject) return decoder.WrongType(value, "sets.Set[string]");
  if (!out->has_value()) out->emplace();
  for (const auto [key, member] : value.members()) {
    decoder.Struct(member, kEmpty, [](size_t, JsonValue) {});
    (*out)->emplace(key.text());
  }
}

void DecodeStringList(JsonDecoder& decoder, JsonValue value, StringList* out) {
  decoder.Slice(value, "[]string", out,
                [&decoder](JsonValue element, std::string* text) { decoder.String(element, "string", text); });
}

void AppendStringSet(const StringSet& set, ControlEscapes escapes, std::string* out) {
  if (!set.has_value()) {
    out->append("null");
    return;
  }
  char before = '{';
  for (const std::string& key : *set) {
    out->push_back(before);
    before = ',';
    AppendJsonString(key, escapes, out);
    out->append(":{}");
  }
  out->append(set->empty() ? "{}" : "}");
}

void AppendStringList(const StringList& list, ControlEscapes escapes, std::string* out) {
  if (list.is_nil()) {
    out->append("null");
    return;
  }
  char before = '[';
  for (const std::string& text : list) {
    out->push_back(before);
    before = ',';
    AppendJsonString(text, escapes, out);
  }
  out->append(list.empty() ? "[]" : "]");
}

}  // namespace kubelet_cm::dra
