// Prints values as Go's spew does under "%#v" with sorted keys: the text that the kubelet hashes for the checksum of a
// device checkpoint (and of DRA checkpoints up to 1.30). It knows the grammar and no format; a codec says the Go
// names of its types and fields, in Go's order:
//
//   void PrintGo(GoDump& dump, const Entry& entry) {       // found by argument-dependent lookup
//     dump.Struct([&] {
//       dump.Field("PodUID", "string", entry.pod_uid);
//       dump.Field("DeviceIDs", "checkpoint.DevicesPerNUMA", entry.devices);  // optional<map<int64_t, optional<...>>>
//       dump.BytesField("AllocResp", entry.response);                         // optional<string>
//     });
//   }
//   uint32_t sum = GoDumpChecksum([&](GoDump& dump) { dump.Typed("checkpoint.checkpointData", data); });
//
// go_kinds.h says which C++ types stand for which of Go's. A slice or map that may be nil is an optional one, and so
// is a pointer in a field, whose type name has the "*".
//
// The text goes to a sink in chunks and is never held whole. Used by one thread.
#ifndef KUBELET_CM_CHECKPOINTMANAGER_CHECKSUM_GO_DUMP_H_
#define KUBELET_CM_CHECKPOINTMANAGER_CHECKSUM_GO_DUMP_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "absl/functional/function_ref.h"
#include "checkpointmanager/checksum/go_kinds.h"

namespace kubelet_cm {

class GoDump {
 public:
  using Sink = absl::FunctionRef<void(std::string_view chunk)>;

  // Gives the sink all that `print` prints.
  static void Print(absl::FunctionRef<void(GoDump&)> print, Sink sink);

  GoDump(const GoDump&) = delete;
  GoDump& operator=(const GoDump&) = delete;

  // (type)value, as at the top and in every field of a struct.
  template <typename T>
  void Typed(std::string_view type, const T& value) {
    Type(type);
    Value(value);
  }

  // value alone, as inside of slices and maps.
  template <typename T>
  void Value(const T& value);

  // {fields}: `fields` calls Field() and the like for each, in the order of Go's declaration.
  template <typename Fields>
  void Struct(Fields fields) {
    Open("{");
    fields();
    Close('}');
  }
  template <typename T>
  void Field(std::string_view name, std::string_view type, const T& value) {
    Name(name);
    Typed(type, value);
  }
  // A slice whose elements `print` prints; nil where `range` is an empty optional.
  template <typename Range, typename PrintElement>
  void ListField(std::string_view name, std::string_view type, const std::optional<Range>& range, PrintElement print) {
    Name(name);
    Type(type);
    range.has_value() ? List(*range, print) : Nil();
  }
  // A []byte.
  void BytesField(std::string_view name, std::optional<std::string_view> bytes);

  // [elements], `print` printing one of them.
  template <typename Range, typename PrintElement>
  void List(const Range& range, PrintElement print) {
    Open("[");
    for (const auto& element : range) {
      Separate();
      print(element);
    }
    Close(']');
  }
  // map[key:value ...] in the order of the keys, `print_value` printing the value of one entry of the map.
  template <typename Map, typename PrintValue>
  void MapOf(const Map& map, PrintValue print_value);

  void Nil() { Text("<nil>"); }
  // Verbatim text: heads and tails of a dump of which the middle is hashed otherwise (FnvSequence).
  void Text(std::string_view text) {
    if (text.size() > static_cast<size_t>(end_ - at_)) return TextInChunks(text);
    at_ += text.copy(at_, text.size());
  }

 private:
  static constexpr size_t kBufferBytes = 8192;

  explicit GoDump(Sink sink) : sink_(sink) {}

  void Name(std::string_view name) {
    Separate();
    Text(name);
    Character(':');
  }
  void Type(std::string_view type) {
    Character('(');
    Text(type);
    Character(')');
  }
  // A space in front of all but the first in the innermost brackets.
  void Separate() {
    if (!first_) Character(' ');
    first_ = false;
  }
  void Open(std::string_view bracket) {
    Text(bracket);
    first_ = true;
  }
  void Close(char bracket) {
    Character(bracket);
    first_ = false;
  }
  void Character(char character) {
    if (at_ == end_) Flush(kBufferBytes);
    *at_++ = character;
  }
  void TextInChunks(std::string_view text);
  void Signed(int64_t number);
  void Unsigned(uint64_t number);
  void Decimals(std::string_view bytes);
  // Gives the sink the first `size` characters of the buffer.
  void Flush(size_t size);

  Sink sink_;
  bool first_ = true;
  char buffer_[kBufferBytes];
  char* at_ = buffer_;
  char* const end_ = buffer_ + kBufferBytes;
};

// FNV-1a of what `print` prints.
uint32_t GoDumpChecksum(absl::FunctionRef<void(GoDump&)> print);

// Appends what `print` prints.
void AppendGoDump(absl::FunctionRef<void(GoDump&)> print, std::string& out);
std::string GoDumpText(absl::FunctionRef<void(GoDump&)> print);

template <typename Map, typename PrintValue>
void GoDump::MapOf(const Map& map, PrintValue print_value) {
  Open("map[");
  go_kinds::ForEachByKey(map, [&](const typename Map::value_type& element) {
    Separate();
    Value(go_kinds::KeyOf<Map>(element));
    Character(':');
    print_value(element);
  });
  Close(']');
}

template <typename T>
void GoDump::Value(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    Text(value ? "true" : "false");
  } else if constexpr (std::signed_integral<T>) {
    Signed(value);
  } else if constexpr (std::unsigned_integral<T>) {
    Unsigned(value);
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    Text(value);
  } else if constexpr (std::is_same_v<T, std::nullopt_t>) {
    Nil();
  } else if constexpr (go_kinds::kIsOptional<T>) {
    value.has_value() ? Value(*value) : Nil();
  } else if constexpr (std::is_pointer_v<T>) {
    if (value == nullptr) return Nil();
    Text("<*>");
    Value(*value);
  } else if constexpr (requires { PrintGo(*this, value); }) {
    PrintGo(*this, value);
  } else if constexpr (go_kinds::KeyedWithValues<T>) {
    MapOf(value, [this](const auto& entry) { this->Value(entry.second); });
  } else if constexpr (go_kinds::Keyed<T>) {
    MapOf(value, [this](const auto&) { this->Text("{}"); });
  } else {
    static_assert(go_kinds::Sequence<T>, "give the type a PrintGo(GoDump&, const T&) in its own namespace");
    List(value, [this](const auto& element) { this->Value(element); });
  }
}

}  // namespace kubelet_cm

#endif  // KUBELET_CM_CHECKPOINTMANAGER_CHECKSUM_GO_DUMP_H_
