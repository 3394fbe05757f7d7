#include "deviceplugin/checkpoint/device_salvage.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/json_decoder.h"
#include "common/gotext/json_document.h"
#include "deviceplugin/checkpoint/device_decoder.h"
#include "deviceplugin/checkpoint/device_reader.h"

namespace kubelet_cm::deviceplugin {
namespace {

// A brace and one of these: an entry begins. Inside of a string the quotes would be escaped.
constexpr std::string_view kEntryKeys[] = {"\"PodUID\"",    "\"ContainerName\"", "\"ResourceName\"",
                                           "\"DeviceIDs\"", "\"DeviceID\"",      "\"AllocResp\""};
constexpr std::string_view kRegisteredKey = "\"RegisteredDevices\"";

size_t SkipSpace(std::string_view text, size_t at) {
  while (at < text.size() && absl::ascii_isspace(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

// Where the next entry begins, at `from` or behind; the text's size if there is none.
size_t FindEntry(std::string_view text, size_t from) {
  for (size_t at = text.find('{', from); at != std::string_view::npos; at = text.find('{', at + 1)) {
    const std::string_view inside = text.substr(SkipSpace(text, at + 1));
    for (const std::string_view key : kEntryKeys) {
      if (inside.starts_with(key)) return at;
    }
  }
  return text.size();
}

// The length of the string, list or object at the start of `text`; 0 if it does not end.
size_t LengthOfValue(std::string_view text) {
  size_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return 0;
      --depth;
    }
    const bool may_end = c == '"' || c == '}' || c == ']';
    if (may_end && !in_string && depth == 0) return i + 1;
  }
  return 0;
}

// The layout of a file that would hold this entry; by its devices.
std::optional<DeviceLayout> LayoutOfEntry(std::string_view text) {
  const auto document = JsonDocument::Parse(text);
  if (!document.ok()) return std::nullopt;
  for (const auto [key, value] : document->root().members()) {
    if (FieldMatches("DeviceID", key.text())) return DeviceLayout::kV0Of18;
    if (FieldMatches("DeviceIDs", key.text()) && value.type() == JsonType::kArray) return DeviceLayout::kV1;
  }
  return DeviceLayout::kV2;
}

std::optional<DeviceContent> DecodeText(const std::string& text, DeviceLayout layout) {
  const auto document = JsonDocument::Parse(text);
  if (!document.ok()) return std::nullopt;
  DecodedDevices decoded = DecodeDevices(document->root(), layout);
  if (!decoded.status.ok()) return std::nullopt;
  return std::move(decoded.content);
}

// Collects what is whole in a text that is damaged as a whole.
class Collection {
 public:
  explicit Collection(std::string_view bytes) : bytes_(bytes) { out_.content.entries.emplace(); }

  DeviceSalvage Collect() && {
    for (size_t start = FindEntry(bytes_, 0); start < bytes_.size();) {
      const size_t next = FindEntry(bytes_, start + 1);
      Entry(start, next);
      start = next;
    }
    Registered();
    if (of_18_) GroupEntries(&out_.content);
    return std::move(out_);
  }

 private:
  // The entry that begins at `start` and has ended before `end`, if it is whole.
  void Entry(size_t start, size_t end) {
    const size_t length = LengthOfValue(bytes_.substr(start, end - start));
    const std::string text(bytes_.substr(start, length));
    const std::optional<DeviceLayout> layout = length == 0 ? std::nullopt : LayoutOfEntry(text);
    std::optional<DeviceContent> read;
    if (layout == DeviceLayout::kV0Of18) {
      read = DecodeText(absl::StrCat("{\"Entries\":[", text, "]}"), *layout);
    } else if (layout.has_value()) {
      read = DecodeText(absl::StrCat("{\"Data\":{\"PodDeviceEntries\":[", text, "]}}"), *layout);
    }
    if (!read.has_value()) {
      ++out_.entries_lost;
      return Lose(absl::StrCat("entry ", index_++, ", at byte ", start, ", is not whole"), start);
    }
    ++index_;
    of_18_ = of_18_ || layout == DeviceLayout::kV0Of18;
    out_.content.entries->push_back(std::move(read->entries->front()));
  }

  // The registered devices up to the first place where they are no longer JSON.
  void Registered() {
    const size_t key = bytes_.rfind(kRegisteredKey);
    if (key == std::string_view::npos) return Lose("the registered devices are missing", bytes_.size());
    at_ = key + kRegisteredKey.size();
    if (!Take(':')) return Lose("the registered devices are missing", key);
    if (bytes_.substr(SkipSpace(bytes_, at_)).starts_with("null")) return;
    if (!Take('{')) return Lose("the registered devices are missing", key);
    out_.content.registered.emplace();
    while (!Take('}')) {
      const size_t start = at_;
      if (Resource()) continue;
      return Lose(absl::StrCat("the registered devices from byte ", start, " on are not whole"), start);
    }
  }

  // One resource and its list.
  bool Resource() {
    Take(',');
    const size_t start = at_ = SkipSpace(bytes_, at_);
    if (start == bytes_.size() || bytes_[start] != '"' || !TakeValue() || !Take(':')) return false;
    if (bytes_.substr(SkipSpace(bytes_, at_)).starts_with("null")) {
      at_ = SkipSpace(bytes_, at_) + 4;
    } else if (!TakeValue()) {
      return false;
    }
    const std::string member(bytes_.substr(start, at_ - start));
    auto read = DecodeText(absl::StrCat("{\"RegisteredDevices\":{", member, "}}"), DeviceLayout::kV0Of19);
    if (!read.has_value() || !read->registered.has_value()) return false;
    out_.content.registered->merge(*read->registered);
    return true;
  }

  bool Take(char wanted) {
    const size_t at = SkipSpace(bytes_, at_);
    if (at == bytes_.size() || bytes_[at] != wanted) return false;
    at_ = at + 1;
    return true;
  }
  bool TakeValue() {
    at_ = SkipSpace(bytes_, at_);
    const size_t length = LengthOfValue(bytes_.substr(at_));
    at_ += length;
    return length != 0;
  }

  void Lose(std::string sentence, size_t offset) {
    out_.problems.push_back(
        {.kind = CheckpointProblemKind::kLost, .text = std::move(sentence), .offset = static_cast<int64_t>(offset)});
  }

  const std::string_view bytes_;
  DeviceSalvage out_;
  size_t index_ = 0;
  size_t at_ = 0;
  bool of_18_ = false;
};

}  // namespace

DeviceSalvage SalvageDevices(std::string_view bytes) {
  DeviceFile file = ReadDevices(bytes);
  DeviceSalvage salvage;
  if (file.valid() || file.computed_checksum.has_value()) {
    salvage.content = std::move(file.content);
  } else if (!absl::IsResourceExhausted(file.status)) {
    salvage = Collection(bytes).Collect();
  }
  salvage.problems.insert(salvage.problems.begin(), file.problems.begin(), file.problems.end());
  return salvage;
}

}  // namespace kubelet_cm::deviceplugin
