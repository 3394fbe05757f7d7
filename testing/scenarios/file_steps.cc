#include "testing/scenarios/file_steps.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "common/personality/personality.h"
#include "common/random/seeded_random.h"
#include "common/status/status_macros.h"
#include "deviceplugin/api/v1beta1.pb.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/device_layout.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {
namespace {

using deviceplugin::DeviceContent;

constexpr size_t kMaxGolden = size_t{64} << 20;

absl::StatusOr<std::string> FlipBit(int64_t bit, std::string bytes) {
  const auto bits = static_cast<int64_t>(bytes.size()) * 8;
  if (bit < 0) bit += bits;
  if (bit < 0 || bit >= bits) return absl::InvalidArgumentError(absl::StrCat("the file has ", bits, " bits"));
  char& byte = bytes[static_cast<size_t>(bit / 8)];
  byte = static_cast<char>(byte ^ (1 << bit % 8));
  return bytes;
}

absl::StatusOr<std::string> Truncate(int64_t to, std::string bytes) {
  const auto size = static_cast<int64_t>(bytes.size());
  if (to < 0) to += size;
  if (to < 0 || to >= size) return absl::InvalidArgumentError(absl::StrCat("the file has ", size, " bytes"));
  bytes.resize(static_cast<size_t>(to));
  return bytes;
}

std::string Garbage(int64_t size) {
  SeededRandom random(1);
  std::string bytes;
  for (int64_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(random.Uint64()));
  return bytes;
}

DeviceContent ContentOf(const proto::PlaceDevices& place) {
  DeviceContent content;
  content.entries.emplace();
  for (const auto& from : place.entries()) {
    ::v1beta1::ContainerAllocateResponse response;
    deviceplugin::DeviceEntry entry{.pod_uid = from.pod(),
                                    .container_name = from.container().empty() ? "main" : from.container(),
                                    .resource_name = from.resource()};
    entry.devices.emplace();
    (*entry.devices)[from.numa()] = deviceplugin::DeviceIds(from.ids().begin(), from.ids().end());
    entry.alloc_response = response.SerializeAsString();
    content.entries->push_back(std::move(entry));
  }
  content.registered.emplace();
  for (const auto& from : place.registered()) {
    (*content.registered)[from.resource()] = deviceplugin::DeviceIds(from.ids().begin(), from.ids().end());
  }
  return content;
}

}  // namespace

absl::StatusOr<std::string> Damage(const proto::Corrupt& corrupt, std::string bytes) {
  switch (corrupt.how_case()) {
    case proto::Corrupt::kTruncate:
      return Truncate(corrupt.truncate(), std::move(bytes));
    case proto::Corrupt::kFlipBit:
      return FlipBit(corrupt.flip_bit(), std::move(bytes));
    case proto::Corrupt::kGarbage:
      return Garbage(corrupt.garbage());
    case proto::Corrupt::kReplace: {
      const size_t found = bytes.find(corrupt.replace());
      if (found == std::string::npos) {
        return absl::InvalidArgumentError(absl::StrCat("the file has no \"", corrupt.replace(), "\": ", bytes));
      }
      return bytes.replace(found, corrupt.replace().size(), corrupt.with());
    }
    default:
      return std::string();
  }
}

absl::StatusOr<std::string> ReadGolden(const std::string& path) {
  PosixFileSystem files;
  return ReadFile(files, path, kMaxGolden);
}

absl::Status CorruptFile(const proto::Corrupt& corrupt, BenchNode& node) {
  const std::string path = *PathOfFile(corrupt.file());
  if (corrupt.how_case() == proto::Corrupt::kMissing) return node.RemoveFile(path);
  ASSIGN_OR_RETURN(std::string bytes, node.ReadFile(path));
  ASSIGN_OR_RETURN(const std::string damaged, Damage(corrupt, std::move(bytes)));
  return node.WriteFile(path, damaged);
}

absl::Status PlaceFile(const proto::PlaceFile& place, BenchNode& node) {
  const std::string path = *PathOfFile(place.file());
  if (place.content_case() == proto::PlaceFile::kText) return node.WriteFile(path, place.text());
  ASSIGN_OR_RETURN(const std::string golden, ReadGolden(place.golden()));
  return node.WriteFile(path, golden);
}

absl::Status PlaceDevices(const proto::PlaceDevices& place, BenchNode& node) {
  ASSIGN_OR_RETURN(const DeviceFormat format, ParseDeviceFormat(place.format()));
  // Somebody else had the node: the daemon's record that nobody did would be wrong.
  const absl::Status forgotten = node.RemoveFile("/var/lib/kubelet/kubelet_cm/pods/.tenure");
  if (!forgotten.ok() && !absl::IsNotFound(forgotten)) return forgotten;
  return node.WriteFile(*PathOfFile("devices"),
                        deviceplugin::EncodeDevices(ContentOf(place), deviceplugin::LayoutOf(format)));
}

}  // namespace kubelet_cm::scenarios
