// The form in which a JSON document is held: one node a value, in the order of the text.
//
// An object's node is followed by the nodes of its members, key and value in turn; an array's by those of its elements.
// Made by JsonScanner, read through the views of json_document.h; not for other code.
#ifndef KUBELET_CM_COMMON_GOTEXT_JSON_TAPE_H_
#define KUBELET_CM_COMMON_GOTEXT_JSON_TAPE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kubelet_cm {

enum class JsonKind : uint8_t { kNull, kFalse, kTrue, kNumber, kString, kEscapedString, kArray, kObject };

struct JsonNode {
  uint32_t begin;  // the value's first byte in the text
  uint32_t end;    // behind its last byte
  // Arrays and objects: the index of the first node behind them. Escaped strings: the index in JsonTape::unescaped.
  uint32_t link;
  uint32_t kind : 3;    // a JsonKind
  uint32_t count : 29;  // arrays: elements; objects: members
};

struct JsonTape {
  // A string with escapes, or with bytes that are not UTF-8, as it reads: a place in `unescaped_text`.
  struct Span {
    size_t begin;
    size_t size;
  };

  std::string_view text;
  std::vector<JsonNode> nodes;
  std::vector<Span> unescaped;
  std::string unescaped_text;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_JSON_TAPE_H_
