#include "tools/cmctl/checkpoint/input_file.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/path.h"
#include "deviceplugin/checkpoint/device_reader.h"
#include "tools/cmctl/checkpoint/recognition.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

absl::Status TooLarge() {
  return absl::ResourceExhaustedError(
      absl::StrCat("larger than ", deviceplugin::kMaxDeviceFileBytes >> 20, " MiB, which no state file is"));
}

absl::StatusOr<std::string> ReadStream(std::istream& in) {
  constexpr size_t kStep = size_t{1} << 20;
  std::string bytes;
  while (in.good()) {
    const size_t had = bytes.size();
    bytes.resize(had + kStep);
    in.read(bytes.data() + had, kStep);
    bytes.resize(had + static_cast<size_t>(in.gcount()));
    if (bytes.size() > deviceplugin::kMaxDeviceFileBytes) return TooLarge();
  }
  if (in.bad()) return absl::InternalError("cannot be read");
  return bytes;
}

}  // namespace

std::string DisplayName(const std::string& path) { return path == "-" ? "standard input" : Printable(path); }

absl::StatusOr<std::string> ReadInput(const std::string& path, const ToolEnvironment& environment) {
  if (path == "-") return ReadStream(environment.in);
  absl::StatusOr<std::string> bytes = ReadFile(environment.file_system, path, deviceplugin::kMaxDeviceFileBytes);
  if (absl::IsNotFound(bytes.status())) return absl::NotFoundError("not found");
  if (absl::IsResourceExhausted(bytes.status())) return TooLarge();
  return bytes;
}

int ExitCodeOf(const absl::Status& status) {
  if (status.ok()) return kOk;
  if (absl::IsNotFound(status)) return kNotFound;
  return absl::IsResourceExhausted(status) ? kCorrupt : kFailed;
}

void Complain(const ToolEnvironment& environment, const std::string& path, const std::string& reason) {
  environment.err << "cmctl: " << DisplayName(path) << ": " << reason << "\n";
}

OpenedFile OpenStateFile(const std::string& path, const ToolEnvironment& environment) {
  absl::StatusOr<std::string> bytes = ReadInput(path, environment);
  if (!bytes.ok()) {
    Complain(environment, path, std::string(bytes.status().message()));
    return {nullptr, ExitCodeOf(bytes.status())};
  }
  return {RecogniseStateFile(NameOf(path), *std::move(bytes)), kOk};
}

}  // namespace kubelet_cm::cmctl
