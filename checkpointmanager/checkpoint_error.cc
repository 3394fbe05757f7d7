#include "checkpointmanager/checkpoint_error.h"

#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace kubelet_cm {
namespace {

constexpr char kMismatchPayload[] = "kubelet_cm/checksum_mismatch";

}  // namespace

absl::Status CheckpointNotFoundError() { return absl::NotFoundError("checkpoint is not found"); }

absl::Status CorruptCheckpointError(const ChecksumMismatch& sums) {
  absl::Status status = absl::DataLossError("checkpoint is corrupted");
  status.SetPayload(kMismatchPayload, absl::Cord(absl::StrCat(sums.expected, " ", sums.actual)));
  return status;
}

std::optional<ChecksumMismatch> MismatchOf(const absl::Status& status) {
  const absl::optional<absl::Cord> payload = status.GetPayload(kMismatchPayload);
  if (!payload.has_value()) return std::nullopt;
  const std::string text(*payload);
  const std::pair<absl::string_view, absl::string_view> words = absl::StrSplit(text, absl::MaxSplits(' ', 1));
  ChecksumMismatch sums;
  if (!absl::SimpleAtoi(words.first, &sums.expected) || !absl::SimpleAtoi(words.second, &sums.actual)) {
    return std::nullopt;
  }
  return sums;
}

}  // namespace kubelet_cm
