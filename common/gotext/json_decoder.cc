#include "common/gotext/json_decoder.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/gotext/go_base64.h"
#include "common/gotext/go_number.h"
#include "common/gotext/json_error.h"
#include "common/status/check.h"

namespace kubelet_cm {
namespace {

constexpr std::string_view kLongS = "\xC5\xBF";           // U+017F
constexpr std::string_view kKelvinSign = "\xE2\x84\xAA";  // U+212A

absl::string_view ForAbsl(std::string_view text) { return absl::string_view(text.data(), text.size()); }

std::string_view Describe(JsonType type) {
  switch (type) {
    case JsonType::kNull:
      return "null";
    case JsonType::kBool:
      return "bool";
    case JsonType::kNumber:
      return "number";
    case JsonType::kString:
      return "string";
    case JsonType::kArray:
      return "array";
    case JsonType::kObject:
      return "object";
  }
  CHECK(false) << "a JSON type " << static_cast<int>(type);
  return "";
}

// Takes one letter off `key`, as the lower-case letter that it folds to; 0 for what is no ASCII letter to Go.
char TakeFolded(std::string_view* key) {
  size_t width = 1;
  char folded = absl::ascii_tolower(static_cast<unsigned char>(key->front()));
  if (key->substr(0, kLongS.size()) == kLongS) {
    width = kLongS.size();
    folded = 's';
  } else if (key->substr(0, kKelvinSign.size()) == kKelvinSign) {
    width = kKelvinSign.size();
    folded = 'k';
  }
  key->remove_prefix(width);
  return folded;
}

}  // namespace

bool FieldMatches(std::string_view name, std::string_view key) {
  for (const char letter : name) {
    if (key.empty() || TakeFolded(&key) != absl::ascii_tolower(static_cast<unsigned char>(letter))) return false;
  }
  return key.empty();
}

size_t JsonDecoder::FindField(absl::Span<const GoField> fields, std::string_view key) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].key == key) return i;
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    if (FieldMatches(fields[i].key, key)) return i;
  }
  return fields.size();
}

void JsonDecoder::Bool(JsonValue value, std::string_view type, bool* out) {
  switch (value.type()) {
    case JsonType::kNull:
      return;
    case JsonType::kBool:
      *out = value.boolean();
      return;
    default:
      WrongType(value, type);
  }
}

void JsonDecoder::Int64(JsonValue value, std::string_view type, int64_t* out) {
  if (value.type() == JsonType::kNull) return;
  if (value.type() != JsonType::kNumber) return WrongType(value, type);
  if (const auto number = ParseGoInt(value.literal())) {
    *out = *number;
    return;
  }
  CannotUnmarshal(absl::StrCat("number ", ForAbsl(value.literal())), type, value.end_offset());
}

void JsonDecoder::Uint(JsonValue value, const GoUint& type, uint64_t* out) {
  if (value.type() == JsonType::kNull) return;
  if (value.type() != JsonType::kNumber) return WrongType(value, type.type);
  if (const auto number = ParseGoUint(value.literal()); number.has_value() && *number <= type.max) {
    *out = *number;
    return;
  }
  CannotUnmarshal(absl::StrCat("number ", ForAbsl(value.literal())), type.type, value.end_offset());
}

void JsonDecoder::Bytes(JsonValue value, GoBytes* out) {
  if (value.type() == JsonType::kString) {
    std::string bytes;
    if (const auto at = DecodeGoBase64(value.text(), &bytes)) {
      return SaveError(absl::StrCat("illegal base64 data at input byte ", *at), value.end_offset());
    }
    return out->Set(std::move(bytes));
  }
  Slice(value, "[]uint8", out, [this](JsonValue element, char* byte) {
    uint64_t number = static_cast<uint8_t>(*byte);
    Uint(element, {"uint8", 0xFF}, &number);
    *byte = static_cast<char>(number);
  });
}

std::optional<int64_t> JsonDecoder::Int64Key(JsonValue key, std::string_view type) {
  const auto number = ParseGoInt(key.text());
  if (!number.has_value()) {
    CannotUnmarshal(absl::StrCat("number ", ForAbsl(key.text())), type, key.begin_offset() + 1);
  }
  return number;
}

void JsonDecoder::WrongType(JsonValue value, std::string_view type) {
  const bool container = value.type() == JsonType::kArray || value.type() == JsonType::kObject;
  // Go notices behind the opening bracket, or behind the whole of anything else.
  CannotUnmarshal(Describe(value.type()), type, container ? value.begin_offset() + 1 : value.end_offset());
}

void JsonDecoder::CannotUnmarshal(std::string_view description, std::string_view type, int64_t offset) {
  if (!status_.ok()) return;
  std::string message = absl::StrCat("json: cannot unmarshal ", ForAbsl(description), " into Go ");
  if (innermost_ == nullptr) {
    message += "value";
  } else {
    const std::string_view type_name = innermost_->type->type;
    std::string path;
    for (const Step* step = innermost_; step != nullptr; step = step->outer) {
      const std::string_view field = step->field->path.empty() ? step->field->key : step->field->path;
      path = absl::StrCat(".", ForAbsl(field), path);
    }
    absl::StrAppend(&message, "struct field ", ForAbsl(type_name.substr(type_name.rfind('.') + 1)), path);
  }
  message += " of type ";
  message += type;
  SaveError(message, offset);
}

void JsonDecoder::SaveError(std::string_view message, int64_t offset) {
  if (status_.ok()) status_ = JsonError(message, offset);
}

}  // namespace kubelet_cm
