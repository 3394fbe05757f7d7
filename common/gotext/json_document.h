// A JSON text read by the rules of Go's encoding/json, and views of its values.
//
//   ASSIGN_OR_RETURN(JsonDocument document, JsonDocument::Parse(text));
//   for (const auto [key, value] : document.root().members()) { ... }
//
// What Go accepts is accepted, and errors have Go's texts: see json_scanner.h. Members stand in the order of the text,
// duplicates included; what a duplicate means is up to the reader (json_decoder.h does what Go does). Numbers are kept
// as spelt. Strings read as Go reads them, with U+FFFD for what is not Unicode.
//
// The document refers to the text, which the caller keeps; views refer to the document, and stay good when it is moved.
// Immutable after Parse: any thread may read.
#ifndef KUBELET_CM_COMMON_GOTEXT_JSON_DOCUMENT_H_
#define KUBELET_CM_COMMON_GOTEXT_JSON_DOCUMENT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "common/gotext/json_tape.h"

namespace kubelet_cm {

enum class JsonType { kNull, kBool, kNumber, kString, kArray, kObject };

class JsonElements;
class JsonMembers;

// A value of a document; two pointers, passed by value.
class JsonValue {
 public:
  JsonValue(const JsonTape* tape, const JsonNode* node) : tape_(tape), node_(node) {}

  JsonType type() const {
    constexpr JsonType kTypes[] = {JsonType::kNull,   JsonType::kBool,   JsonType::kBool,  JsonType::kNumber,
                                   JsonType::kString, JsonType::kString, JsonType::kArray, JsonType::kObject};
    return kTypes[node_->kind];  // in the order of JsonKind, all that three bits can hold
  }
  // Where the value starts in the text, and where it has ended.
  int64_t begin_offset() const { return node_->begin; }
  int64_t end_offset() const { return node_->end; }
  // The value as it is written in the text.
  std::string_view literal() const { return tape_->text.substr(node_->begin, node_->end - node_->begin); }

  // Bools.
  bool boolean() const { return kind() == JsonKind::kTrue; }
  // Strings, also keys.
  std::string_view text() const {
    if (kind() != JsonKind::kString) return UnescapedText();
    return tape_->text.substr(node_->begin + 1, node_->end - node_->begin - 2);
  }
  // Arrays: elements; objects: members; others: 0.
  size_t size() const { return node_->count; }
  // None for what is not an array.
  JsonElements elements() const;
  // None for what is not an object.
  JsonMembers members() const;

 private:
  friend class JsonElements;
  friend class JsonMembers;

  JsonKind kind() const { return static_cast<JsonKind>(node_->kind); }
  bool IsContainer() const { return kind() >= JsonKind::kArray; }
  std::string_view UnescapedText() const;
  const JsonNode* Next() const { return IsContainer() ? tape_->nodes.data() + node_->link : node_ + 1; }
  const JsonNode* ContentsEnd(JsonKind wanted) const { return kind() == wanted ? Next() : node_ + 1; }

  const JsonTape* tape_;
  const JsonNode* node_;
};

// The elements of an array, for a range-based for.
class JsonElements {
 public:
  class Iterator {
   public:
    explicit Iterator(JsonValue value) : value_(value) {}
    JsonValue operator*() const { return value_; }
    Iterator& operator++() {
      value_.node_ = value_.Next();
      return *this;
    }
    bool operator==(const Iterator& other) const { return value_.node_ == other.value_.node_; }

   private:
    JsonValue value_;
  };

  explicit JsonElements(JsonValue array) : array_(array) {}
  Iterator begin() const { return Iterator(JsonValue(array_.tape_, array_.node_ + 1)); }
  Iterator end() const { return Iterator(JsonValue(array_.tape_, array_.ContentsEnd(JsonKind::kArray))); }

 private:
  JsonValue array_;
};

struct JsonMember {
  JsonValue key;
  JsonValue value;
};

// The members of an object, for a range-based for.
class JsonMembers {
 public:
  class Iterator {
   public:
    explicit Iterator(JsonValue key) : key_(key) {}
    JsonMember operator*() const { return {key_, Value()}; }
    Iterator& operator++() {
      key_.node_ = Value().Next();
      return *this;
    }
    bool operator==(const Iterator& other) const { return key_.node_ == other.key_.node_; }

   private:
    JsonValue Value() const { return JsonValue(key_.tape_, key_.node_ + 1); }

    JsonValue key_;
  };

  explicit JsonMembers(JsonValue object) : object_(object) {}
  Iterator begin() const { return Iterator(JsonValue(object_.tape_, object_.node_ + 1)); }
  Iterator end() const { return Iterator(JsonValue(object_.tape_, object_.ContentsEnd(JsonKind::kObject))); }

 private:
  JsonValue object_;
};

inline JsonElements JsonValue::elements() const { return JsonElements(*this); }
inline JsonMembers JsonValue::members() const { return JsonMembers(*this); }

class JsonDocument {
 public:
  // Reads `text`, which must outlive the document.
  static absl::StatusOr<JsonDocument> Parse(std::string_view text);

  JsonValue root() const { return JsonValue(tape_.get(), tape_->nodes.data()); }

 private:
  explicit JsonDocument(std::unique_ptr<const JsonTape> tape) : tape_(std::move(tape)) {}

  std::unique_ptr<const JsonTape> tape_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_JSON_DOCUMENT_H_
