#include "common/gotext/json_error.h"

#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kubelet_cm {
namespace {

constexpr absl::string_view kOffsetPayload = "kubelet_cm/json-offset";

}  // namespace

absl::Status JsonError(std::string_view message, int64_t offset) {
  absl::Status status = absl::InvalidArgumentError(absl::string_view(message.data(), message.size()));
  status.SetPayload(kOffsetPayload, absl::Cord(absl::StrCat(offset)));
  return status;
}

std::optional<int64_t> JsonErrorOffset(const absl::Status& status) {
  const auto payload = status.GetPayload(kOffsetPayload);
  int64_t offset = 0;
  if (!payload.has_value() || !absl::SimpleAtoi(std::string(*payload), &offset)) return std::nullopt;
  return offset;
}

}  // namespace kubelet_cm
