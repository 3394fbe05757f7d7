#include "common/status/errno_status.h"

#include <cerrno>
#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "common/status/check.h"

namespace kubelet_cm {
namespace {

constexpr absl::string_view kPayloadUrl = "kubelet_cm/errno";

absl::StatusCode CodeOf(int error) {
  switch (error) {
    case EIO:
      return absl::StatusCode::kInternal;
    case ELOOP:
    case ENXIO:
    case ENODEV:
      return absl::StatusCode::kFailedPrecondition;
    default:
      return absl::ErrnoToStatusCode(error);
  }
}

}  // namespace

absl::Status ErrnoStatus(int error, absl::string_view attempted) {
  CHECK(error != 0) << attempted << " failed without an errno";
  absl::Status status(CodeOf(error), absl::ErrnoToStatus(error, attempted).message());
  status.SetPayload(kPayloadUrl, absl::Cord(absl::StrCat(error)));
  return status;
}

int ErrnoOf(const absl::Status& status) {
  const absl::optional<absl::Cord> payload = status.GetPayload(kPayloadUrl);
  int error = 0;
  if (!payload.has_value() || !absl::SimpleAtoi(std::string(*payload), &error)) return 0;
  return error;
}

absl::Status Reworded(const absl::Status& status, absl::string_view message) {
  absl::Status reworded(status.code(), message);
  status.ForEachPayload([&](absl::string_view url, const absl::Cord& payload) { reworded.SetPayload(url, payload); });
  return reworded;
}

}  // namespace kubelet_cm
