#include "deviceplugin/checkpoint/device_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "checkpointmanager/checkpoint_error.h"
#include "common/gotext/json_document.h"
#include "common/gotext/json_error.h"
#include "deviceplugin/checkpoint/device_checksum.h"
#include "deviceplugin/checkpoint/device_decoder.h"
#include "deviceplugin/checkpoint/device_detection.h"

namespace kubelet_cm::deviceplugin {
namespace {

absl::StatusOr<JsonDocument> Parse(std::string_view bytes) {
  if (bytes.size() > kMaxDeviceFileBytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("read device checkpoint: ", bytes.size(), " bytes, more than ", kMaxDeviceFileBytes));
  }
  return JsonDocument::Parse(bytes);
}

// A complaint about syntax as kubelets with this layout word it.
absl::Status SyntaxError(const absl::Status& status, DeviceLayout layout) {
  const auto offset = JsonErrorOffset(status);
  const std::string_view prefix = TypesOf(layout).error_prefix;
  if (!offset.has_value() || prefix.empty()) return status;
  return JsonError(absl::StrCat(std::string(prefix), status.message()), *offset);
}

DeviceAttempt Attempt(const absl::StatusOr<JsonDocument>& document, DeviceLayout layout) {
  DeviceAttempt attempt;
  attempt.layout = layout;
  if (!document.ok()) {
    attempt.status = SyntaxError(document.status(), layout);
    return attempt;
  }
  DecodedDevices decoded = DecodeDevices(document->root(), layout);
  attempt.status = std::move(decoded.status);
  if (!attempt.status.ok()) return attempt;
  attempt.content = std::move(decoded.content);
  if (!IsChecksummed(layout)) return attempt;
  attempt.stored_checksum = decoded.checksum;
  attempt.computed_checksum = DeviceChecksum(attempt.content, layout);
  if (attempt.stored_checksum != attempt.computed_checksum) {
    attempt.status =
        CorruptCheckpointError({.expected = *attempt.computed_checksum, .actual = *attempt.stored_checksum});
  }
  return attempt;
}

bool IsLatest(const Personality& personality) { return &personality == &LatestPersonality(); }

// The formats in which a kubelet tries to read a file, in order.
std::vector<DeviceLayout> LayoutsOf(const Personality& personality, const absl::StatusOr<JsonDocument>& document) {
  std::vector<DeviceLayout> layouts;
  if (IsLatest(personality)) {
    if (document.ok()) layouts = DetectDeviceLayouts(document->root());
    return layouts;
  }
  for (const DeviceFormat format : personality.device_reads) {
    const bool fallback = format == DeviceFormat::kV1 && personality.device_writes == DeviceFormat::kV2;
    layouts.push_back(fallback ? DeviceLayout::kV1Fallback : LayoutOf(format));
  }
  return layouts;
}

DeviceVerdict Judge(const absl::StatusOr<JsonDocument>& document, const std::vector<DeviceLayout>& layouts) {
  DeviceVerdict verdict;
  for (const DeviceLayout layout : layouts) {
    DeviceAttempt& attempt = verdict.attempts.emplace_back(Attempt(document, layout));
    if (!attempt.status.ok()) continue;
    verdict.format = FormatOf(layout);
    verdict.content = std::move(attempt.content);
    return verdict;
  }
  if (!verdict.attempts.empty()) {
    verdict.status = verdict.attempts.front().status;
  } else if (!document.ok()) {
    verdict.status = document.status();
  } else {
    verdict.status = absl::InvalidArgumentError("not a device checkpoint: its JSON has none of the known formats");
  }
  return verdict;
}

CheckpointProblem DescribeError(const DeviceFile& file) {
  const auto offset = JsonErrorOffset(file.status);
  if (file.computed_checksum.has_value()) {
    return {CheckpointProblemKind::kChecksumMismatch,
            absl::StrCat("the checksum in the file is ", *file.stored_checksum, ", that of its content ",
                         *file.computed_checksum),
            offset};
  }
  const bool foreign = !file.format.has_value() && !offset.has_value() && !absl::IsResourceExhausted(file.status);
  return {foreign ? CheckpointProblemKind::kNotRecognised : CheckpointProblemKind::kNotReadable,
          std::string(file.status.message()), offset};
}

}  // namespace

DeviceVerdict ReadDevicesAs(const Personality& personality, std::string_view bytes) {
  const absl::StatusOr<JsonDocument> document = Parse(bytes);
  DeviceVerdict verdict = Judge(document, LayoutsOf(personality, document));
  const bool converted = !verdict.attempts.empty() && verdict.attempts.back().layout == DeviceLayout::kV1Fallback;
  // The conversion copies entry by entry, and of none it makes nil.
  if (converted && verdict.content.entries.has_value() && verdict.content.entries->empty()) {
    verdict.content.entries.reset();
  }
  if (IsLatest(personality) && verdict.format == DeviceFormat::kV0Of18) GroupEntries(&verdict.content);
  return verdict;
}

DeviceFile ReadDevices(std::string_view bytes) {
  DeviceVerdict verdict = ReadDevicesAs(LatestPersonality(), bytes);
  DeviceFile file;
  file.status = std::move(verdict.status);
  if (!verdict.attempts.empty()) {
    DeviceAttempt& attempt = file.valid() ? verdict.attempts.back() : verdict.attempts.front();
    file.format = FormatOf(attempt.layout);
    file.content = file.valid() ? std::move(verdict.content) : std::move(attempt.content);
    file.stored_checksum = attempt.stored_checksum;
    file.computed_checksum = attempt.computed_checksum;
  }
  if (!file.valid()) file.problems.push_back(DescribeError(file));
  return file;
}

}  // namespace kubelet_cm::deviceplugin
