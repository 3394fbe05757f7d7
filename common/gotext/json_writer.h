// Writes JSON as Go's encoding/json does: compact, strings escaped as in json_string.h, byte slices as base64.
//
//   JsonWriter writer(&text);
//   writer.BeginObject();
//   writer.Key("Checksum");
//   writer.Uint(sum);
//   writer.EndObject();
//
// Appends to a string that the caller owns and that outlives the writer. Keys appear in the order of the calls: what Go
// sorts (the keys of maps), the caller sorts. Begin and End, keys and values must pair up; only commas are taken care
// of. One thread at a time.
#ifndef KUBELET_CM_COMMON_GOTEXT_JSON_WRITER_H_
#define KUBELET_CM_COMMON_GOTEXT_JSON_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "common/gotext/json_string.h"

namespace kubelet_cm {

class JsonWriter {
 public:
  explicit JsonWriter(std::string* out, ControlEscapes escapes = ControlEscapes::kShort)
      : out_(out), escapes_(escapes) {}
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  void BeginObject() { Begin('{'); }
  void EndObject() { End('}'); }
  void BeginArray() { Begin('['); }
  void EndArray() { End(']'); }

  // The key of the next value.
  void Key(std::string_view key);

  void String(std::string_view value);
  void Int(int64_t value);
  void Uint(uint64_t value);
  void Bool(bool value) { Raw(value ? "true" : "false"); }
  // Also for nil slices, maps and pointers.
  void Null() { Raw("null"); }
  // A byte slice that is not nil.
  void Base64(std::string_view bytes);
  // A value that is JSON already, or several with commas between them.
  void Raw(std::string_view json);

 private:
  void Begin(char bracket);
  void End(char bracket);
  void Separate() {
    if (comma_due_) out_->push_back(',');
    comma_due_ = true;
  }

  std::string* const out_;
  const ControlEscapes escapes_;
  bool comma_due_ = false;
  std::string base64_;  // kept for its memory
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_JSON_WRITER_H_
