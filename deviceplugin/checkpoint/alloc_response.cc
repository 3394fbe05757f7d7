#include "deviceplugin/checkpoint/alloc_response.h"

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

}  // namespace

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
