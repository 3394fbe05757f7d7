#include "deviceplugin/checkpoint/alloc_response.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "google/protobuf/stubs/logging.h"
#include "google/protobuf/unknown_field_set.h"

namespace kubelet_cm::deviceplugin {
namespace {

using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;

// The first personality all of whose kubelets have another API code than gogo's, and the first that knows CDI devices.
constexpr KubeletVersion kFirstWithoutGogo = {.major = 1, .minor = 35, .patch = 0};
constexpr KubeletVersion kFirstWithCdi = {.major = 1, .minor = 28, .patch = 0};

bool Fits(std::string_view bytes) { return bytes.size() <= static_cast<size_t>(std::numeric_limits<int>::max()); }

// Whether the known fields, numbered from 1, have the types that gogo expects of them. All others it skips.
bool FieldsAreOf(absl::Span<const UnknownField::Type> types, const std::string& bytes) {
  UnknownFieldSet fields;
  if (!fields.ParseFromString(bytes)) return false;
  for (int i = 0; i < fields.field_count(); ++i) {
    const UnknownField& field = fields.field(i);
    const auto index = static_cast<size_t>(field.number()) - 1;
    if (index < types.size() && field.type() != types[index]) return false;
  }
  return true;
}

bool GogoParses(std::string_view bytes, bool with_cdi) {
  constexpr auto kText = UnknownField::TYPE_LENGTH_DELIMITED;
  constexpr UnknownField::Type kMapEntry[] = {kText, kText};
  constexpr UnknownField::Type kMount[] = {kText, kText, UnknownField::TYPE_VARINT};
  constexpr UnknownField::Type kDevice[] = {kText, kText, kText};
  constexpr UnknownField::Type kCdiDevice[] = {kText};
  const absl::Span<const UnknownField::Type> messages[] = {kMapEntry, kMount, kDevice, kMapEntry, kCdiDevice};
  const size_t known = with_cdi ? 5 : 4;

  UnknownFieldSet fields;
  if (!fields.ParseFromString(std::string(bytes))) return false;
  for (int i = 0; i < fields.field_count(); ++i) {
    const UnknownField& field = fields.field(i);
    const auto index = static_cast<size_t>(field.number()) - 1;
    if (index >= known) continue;
    if (field.type() != kText || !FieldsAreOf(messages[index], field.length_delimited())) return false;
  }
  return true;
}

// What stands in front of a field: its number and its type, in one byte for the fields that there are.
constexpr uint8_t Tag(int number, bool is_number = false) {
  return static_cast<uint8_t>(number << 3 | (is_number ? 0 : 2));
}

// Takes a length, if it is a short one, and what it is the length of.
bool TakePiece(std::string_view* bytes, std::string_view* piece) {
  if (bytes->empty()) return false;
  size_t length = static_cast<uint8_t>(bytes->front());
  size_t taken = 1;
  if (length >= 0x80) {
    if (bytes->size() < 2 || static_cast<uint8_t>((*bytes)[1]) >= 0x80) return false;
    length = (length & 0x7f) | static_cast<size_t>((*bytes)[1]) << 7;
    taken = 2;
  }
  if (bytes->size() - taken < length) return false;
  *piece = bytes->substr(taken, length);
  bytes->remove_prefix(taken + length);
  return true;
}

bool IsAscii(std::string_view text) {
  unsigned char bits = 0;
  for (const char c : text) bits |= static_cast<unsigned char>(c);
  return bits < 0x80;
}

// Whether these are the bytes of a message with nothing in it but the texts 1 to `texts` and, perhaps, a truth value
// behind them.
bool IsPlainMessage(std::string_view bytes, int texts, bool with_truth_value) {
  while (!bytes.empty()) {
    const auto tag = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    std::string_view text;
    if (with_truth_value && tag == Tag(texts + 1, true)) {
      if (bytes.empty() || static_cast<uint8_t>(bytes.front()) > 1) return false;
      bytes.remove_prefix(1);
    } else if (tag < Tag(1) || tag > Tag(texts) || (tag - Tag(1)) % 8 != 0 || !TakePiece(&bytes, &text) ||
               !IsAscii(text)) {
      return false;
    }
  }
  return true;
}

// Whether the bytes are of the plain kind that plugins answer with: known fields of their types, and texts in ASCII.
// Those are parsed by everyone; of all others nothing is said.
bool IsPlainResponse(std::string_view bytes) {
  struct Field {
    int texts;
    bool with_truth_value;
  };
  constexpr Field kFields[] = {{2, false}, {2, true}, {3, false}, {2, false}, {1, false}};
  while (!bytes.empty()) {
    const auto tag = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    std::string_view message;
    if (tag < Tag(1) || tag > Tag(5) || (tag - Tag(1)) % 8 != 0 || !TakePiece(&bytes, &message)) return false;
    const Field& field = kFields[(tag - Tag(1)) / 8];
    if (!IsPlainMessage(message, field.texts, field.with_truth_value)) return false;
  }
  return true;
}

}  // namespace

absl::Status CheckAllocResponse(std::string_view bytes) {
  return IsPlainResponse(bytes) ? absl::OkStatus() : ParseAllocResponse(bytes).status();
}

absl::StatusOr<v1beta1::ContainerAllocateResponse> ParseAllocResponse(std::string_view bytes) {
  // A text that is not UTF-8 is an error for the caller, not a line on standard error.
  const google::protobuf::LogSilencer silence;
  v1beta1::ContainerAllocateResponse response;
  if (!Fits(bytes) || !response.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::InvalidArgumentError(
        absl::StrCat("parse an allocation response of ", bytes.size(), " bytes: not a ContainerAllocateResponse"));
  }
  return response;
}

bool KubeletParsesAllocResponse(const Personality& kubelet, std::string_view bytes) {
  if (kubelet.first >= kFirstWithoutGogo) return ParseAllocResponse(bytes).ok();
  return Fits(bytes) && GogoParses(bytes, kubelet.first >= kFirstWithCdi);
}

}  // namespace kubelet_cm::deviceplugin
