#include "checkpointmanager/generic_checkpoint.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "checkpointmanager/checksum/crc32.h"
#include "checkpointmanager/checksum/fnv1a.h"
#include "checkpointmanager/checksum/go_dump.h"
#include "common/gotext/go_number.h"
#include "common/gotext/json_compact.h"
#include "common/gotext/json_document.h"

namespace kubelet_cm {
namespace {

// An object with more is not searched for pairs of members.
constexpr size_t kMaxMembers = 16;

absl::string_view ForAbsl(std::string_view text) { return absl::string_view(text.data(), text.size()); }

bool IsChecksum(const JsonMember& member) {
  return absl::EqualsIgnoreCase(ForAbsl(member.key.text()), "checksum") && member.value.type() == JsonType::kNumber;
}

std::string Describe(JsonValue value) {
  switch (value.type()) {
    case JsonType::kObject:
      return absl::StrCat("object with ", value.size(), value.size() == 1 ? " member" : " members");
    case JsonType::kArray:
      return absl::StrCat("list of ", value.size());
    case JsonType::kString:
      return absl::StrCat("text of ", value.text().size(), " bytes");
    case JsonType::kNumber:
      return absl::StrCat("number ", ForAbsl(value.literal()));
    default:
      return std::string(value.literal());
  }
}

uint32_t FnvOfDumpedBytes(std::string_view bytes) {
  return GoDumpChecksum([&](GoDump& dump) {
    dump.Typed("[]uint8", absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
  });
}

uint32_t FnvOfDumpedText(std::string_view text) {
  return GoDumpChecksum([&](GoDump& dump) { dump.Typed("string", text); });
}

// How the checksum of one object fits the rest of it.
class Verifier {
 public:
  Verifier(JsonValue object, const JsonMember& checksum, uint64_t stored)
      : object_(object), checksum_(checksum), stored_(stored) {}

  std::optional<std::string> Find() {
    if (const auto own = Fits(Without({}), "the JSON with a checksum of 0")) return own;
    if (const auto values = FitsAnyValue()) return values;
    return FitsFewerMembers();
  }

 private:
  // The object with a checksum of 0 and without some members, compact as Go writes it.
  std::string Without(const std::vector<bool>& left_out) const {
    std::string json = "{";
    size_t index = 0;
    for (const JsonMember& member : object_.members()) {
      const size_t i = index++;
      if (i < left_out.size() && left_out[i]) continue;
      if (json.size() > 1) json += ',';
      AppendCompactJson(member.key.literal(), &json);
      json += ':';
      if (member.key.begin_offset() == checksum_.key.begin_offset()) {
        json += '0';
      } else {
        AppendCompactJson(member.value.literal(), &json);
      }
    }
    return json + "}";
  }

  std::optional<std::string> Fits(std::string_view text, const std::string& what) const {
    if (FnvOfDumpedBytes(text) == stored_) return absl::StrCat("FNV-1a of Go's print of the bytes of ", what);
    if (Crc32(text) == stored_) return absl::StrCat("CRC-32 of ", what);
    if (Fnv1a(text) == stored_) return absl::StrCat("FNV-1a of ", what);
    return std::nullopt;
  }

  std::optional<std::string> FitsAnyValue() const {
    for (const JsonMember& member : object_.members()) {
      const std::string name(member.key.text());
      if (member.value.type() == JsonType::kString) {
        const std::string_view text = member.value.text();
        if (FnvOfDumpedText(text) == stored_) return absl::StrCat("FNV-1a of Go's print of the text ", name);
        if (const auto fits = Fits(text, absl::StrCat("the text ", name))) return fits;
      }
      std::string json;
      AppendCompactJson(member.value.literal(), &json);
      if (const auto fits = Fits(json, absl::StrCat("the JSON of ", name))) return fits;
    }
    return std::nullopt;
  }

  std::optional<std::string> FitsFewerMembers() const {
    const size_t count = object_.size();
    if (count > kMaxMembers) return std::nullopt;
    size_t own = 0;
    std::vector<std::string> names;
    for (const JsonMember& member : object_.members()) {
      if (member.key.begin_offset() == checksum_.key.begin_offset()) own = names.size();
      names.emplace_back(member.key.text());
    }
    std::vector<bool> only_own(count, true);
    only_own[own] = false;
    std::vector<bool> all_but_own(count, false);
    all_but_own[own] = true;
    if (const auto fits = Fits(Without(all_but_own), "the JSON without the checksum")) return fits;
    for (size_t i = 0; i < count; ++i) {
      if (i == own) continue;
      std::vector<bool> one = only_own;
      one[i] = false;
      const std::string rest = " and a checksum of 0";
      if (const auto fits = Fits(Without(one), absl::StrCat("the JSON with only ", names[i], rest))) return fits;
      std::vector<bool> others(count, false);
      others[i] = true;
      if (const auto fits = Fits(Without(others), absl::StrCat("the JSON without ", names[i], rest))) return fits;
    }
    return std::nullopt;
  }

  const JsonValue object_;
  const JsonMember checksum_;
  const uint64_t stored_;
};

void AddChecksums(JsonValue object, const std::string& path, GenericCheckpoint& checkpoint) {
  for (const JsonMember& member : object.members()) {
    if (!IsChecksum(member)) continue;
    GenericChecksum checksum{.path = path + std::string(member.key.text()),
                             .stored = ParseGoUint(member.value.literal()),
                             .offset = member.value.begin_offset(),
                             .verified = {}};
    if (checksum.stored.has_value()) checksum.verified = Verifier(object, member, *checksum.stored).Find();
    checkpoint.checksums.push_back(std::move(checksum));
  }
}

std::string Explain(const GenericChecksum& checksum) {
  if (checksum.verified.has_value()) return absl::StrCat(checksum.path, " is right: it is the ", *checksum.verified);
  if (!checksum.stored.has_value()) return absl::StrCat(checksum.path, " is no number that a checksum can be");
  if (*checksum.stored > UINT32_MAX) {
    return absl::StrCat(checksum.path, " is wrong or of an unknown kind: the kubelet's checksums have 32 bits");
  }
  return absl::StrCat(checksum.path,
                      " cannot be verified: it fits no part of the JSON. Either the file was changed, or the checksum "
                      "is FNV-1a over Go's print of the program's own objects, which names types that are not in the "
                      "file; only that program can tell");
}

}  // namespace

GenericCheckpoint ExplainGenericCheckpoint(std::string_view bytes) {
  GenericCheckpoint checkpoint;
  const auto document = JsonDocument::Parse(bytes);
  if (!document.ok()) {
    checkpoint.status = document.status();
    checkpoint.explanation.push_back(absl::StrCat("it is not JSON: ", document.status().message()));
    return checkpoint;
  }
  const JsonValue root = document->root();
  if (root.type() != JsonType::kObject) {
    checkpoint.status =
        absl::InvalidArgumentError(absl::StrCat("a checkpoint is a JSON object, not: ", Describe(root)));
    checkpoint.explanation.emplace_back(checkpoint.status.message());
    return checkpoint;
  }
  AddChecksums(root, "", checkpoint);
  for (const JsonMember& member : root.members()) {
    std::string name(member.key.text());
    AddChecksums(member.value, name + ".", checkpoint);
    checkpoint.members.push_back({std::move(name), Describe(member.value), member.value.begin_offset()});
  }
  for (const GenericChecksum& checksum : checkpoint.checksums) checkpoint.explanation.push_back(Explain(checksum));
  if (checkpoint.checksums.empty()) {
    checkpoint.explanation.emplace_back("it has no checksum: nothing shows whether it is as it was written");
  }
  return checkpoint;
}

}  // namespace kubelet_cm
