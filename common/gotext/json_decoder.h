// Decodes JSON values into C++ objects with the rules of Go's json.Unmarshal: what the kubelet's own types would hold
// after reading the same text.
//
//   constexpr GoField kFields[] = {{"Data"}, {"Checksum"}};
//   constexpr GoStruct kCheckpoint{"checkpoint.Data", kFields};
//   JsonDecoder decoder;
//   decoder.Struct(document.root(), kCheckpoint, [&](size_t field, JsonValue value) {
//     if (field == 0) decoder.Struct(value, kData, ...);
//     if (field == 1) decoder.Uint(value, {"checksum.Checksum", kMaxUint64}, &checksum);
//   });
//   RETURN_IF_ERROR(decoder.status());
//
// Objects are decoded into what is there: a member that is absent, or null where Go has no nil, leaves its target
// alone; a member that comes twice is decoded twice over the same target. A value of the wrong type is skipped,
// decoding goes on, and the first such error is kept, with Go's text. Depth of recursion is that of the Go types, not
// of the text.
//
// One decoder a document; one thread.
#ifndef KUBELET_CM_COMMON_GOTEXT_JSON_DECODER_H_
#define KUBELET_CM_COMMON_GOTEXT_JSON_DECODER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "common/gotext/go_slice.h"
#include "common/gotext/json_document.h"

namespace kubelet_cm {

// A field of a Go struct: its JSON key, in ASCII, and how errors call it if not by that key (a field of an embedded
// struct: "TypeMeta.kind").
struct GoField {
  std::string_view key;
  std::string_view path = {};
};

// A Go struct type as Go prints it ("checkpoint.Data"), with the fields that JSON can reach.
struct GoStruct {
  std::string_view type;
  absl::Span<const GoField> fields;
};

// An unsigned integer type: its name and its largest value.
struct GoUint {
  std::string_view type;
  uint64_t max;
};

// A map type and the type of its keys.
struct GoMap {
  std::string_view type;
  std::string_view key_type = "string";
};

// Whether Go takes `key` for the field `name`, an ASCII text: letters compare without case, and U+017F and U+212A are
// an s and a k.
bool FieldMatches(std::string_view name, std::string_view key);

class JsonDecoder {
 public:
  JsonDecoder() = default;
  JsonDecoder(const JsonDecoder&) = delete;
  JsonDecoder& operator=(const JsonDecoder&) = delete;

  // The first error: a JsonError with the text that Go returns.
  const absl::Status& status() const { return status_; }

  void String(JsonValue value, std::string_view type, std::string* out) { StringInto(value, type, out); }
  // Without a copy: `out` refers to the document and its text.
  void String(JsonValue value, std::string_view type, std::string_view* out) { StringInto(value, type, out); }
  void Bool(JsonValue value, std::string_view type, bool* out);
  void Int64(JsonValue value, std::string_view type, int64_t* out);
  void Uint(JsonValue value, const GoUint& type, uint64_t* out);
  // []byte: base64, or a list of numbers.
  void Bytes(JsonValue value, GoBytes* out);

  // A pointer: nothing for null, else what `decode(value, T*)` makes of the value.
  template <typename T, typename Decode>
  void Pointer(JsonValue value, std::optional<T>* out, Decode decode);

  // Calls `decode(element, T*)` for each.
  template <typename T, typename Storage, typename Decode>
  void Slice(JsonValue value, std::string_view type, GoSlice<T, Storage>* out, Decode decode);

  // A map with keys of int64_t, or of a string type (std::string_view refers to the document), nothing standing for
  // nil. Calls `decode(value, mapped_type*)` for each member and assigns the outcome: the value of an earlier equal key
  // is replaced, not merged.
  template <typename M, typename Decode>
  void Map(JsonValue value, const GoMap& type, std::optional<M>* out, Decode decode);

  // Calls `decode(index in type.fields, value)` for each member that is a field.
  template <typename Decode>
  void Struct(JsonValue value, const GoStruct& type, Decode decode);

  // For what the above does not cover: value, described as in "array" or "number 5", cannot become a `type`.
  void CannotUnmarshal(std::string_view description, std::string_view type, int64_t offset);
  // The same, with the description and the offset that Go gives a value of the wrong kind.
  void WrongType(JsonValue value, std::string_view type);

 private:
  template <typename Text>
  void StringInto(JsonValue value, std::string_view type, Text* out);
  void SaveError(std::string_view message, int64_t offset);
  // The index of the field for `key`; the number of fields if there is none.
  static size_t FindField(absl::Span<const GoField> fields, std::string_view key);
  std::optional<int64_t> Int64Key(JsonValue key, std::string_view type);

  // A struct that is being decoded, and the field where it is: part of the way to the value at work.
  struct Step {
    const GoStruct* type;
    const GoField* field;
    const Step* outer;
  };

  absl::Status status_;
  const Step* innermost_ = nullptr;
};

template <typename Text>
void JsonDecoder::StringInto(JsonValue value, std::string_view type, Text* out) {
  if (value.type() == JsonType::kString) {
    *out = value.text();
  } else if (value.type() != JsonType::kNull) {
    WrongType(value, type);
  }
}

template <typename T, typename Decode>
void JsonDecoder::Pointer(JsonValue value, std::optional<T>* out, Decode decode) {
  if (value.type() == JsonType::kNull) {
    out->reset();
    return;
  }
  if (!out->has_value()) out->emplace();
  decode(value, &**out);
}

template <typename T, typename Storage, typename Decode>
void JsonDecoder::Slice(JsonValue value, std::string_view type, GoSlice<T, Storage>* out, Decode decode) {
  if (value.type() == JsonType::kNull) return out->SetNil();
  if (value.type() != JsonType::kArray) return WrongType(value, type);
  out->Reserve(value.size());
  size_t i = 0;
  for (const JsonValue element : value.elements()) decode(element, &out->Grow(i++));
  out->Finish(i);
}

template <typename M, typename Decode>
void JsonDecoder::Map(JsonValue value, const GoMap& type, std::optional<M>* out, Decode decode) {
  if (value.type() == JsonType::kNull) return out->reset();
  if (value.type() != JsonType::kObject) return WrongType(value, type.type);
  if (!out->has_value()) out->emplace();
  for (const auto [key, member] : value.members()) {
    typename M::mapped_type mapped{};
    decode(member, &mapped);  // before the key: the first error counts
    if constexpr (std::is_same_v<typename M::key_type, int64_t>) {
      if (const auto number = Int64Key(key, type.key_type)) (*out)->insert_or_assign(*number, std::move(mapped));
    } else {
      (*out)->insert_or_assign(typename M::key_type(key.text()), std::move(mapped));
    }
  }
}

template <typename Decode>
void JsonDecoder::Struct(JsonValue value, const GoStruct& type, Decode decode) {
  if (value.type() == JsonType::kNull) return;
  if (value.type() != JsonType::kObject) return WrongType(value, type.type);
  Step step{&type, nullptr, innermost_};
  innermost_ = &step;
  size_t expected = 0;  // the members of a text that Go wrote stand in the order of the fields
  for (const auto [key, member] : value.members()) {
    const bool in_order = expected < type.fields.size() && type.fields[expected].key == key.text();
    const size_t field = in_order ? expected : FindField(type.fields, key.text());
    if (field == type.fields.size()) continue;
    expected = field + 1;
    step.field = &type.fields[field];
    decode(field, member);
  }
  innermost_ = step.outer;
}

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_JSON_DECODER_H_
