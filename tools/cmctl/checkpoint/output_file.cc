#include "tools/cmctl/checkpoint/output_file.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/filesystem/atomic_write.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"
#include "tools/cmctl/checkpoint/input_file.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

constexpr uint32_t kMode = 0600;  // as kubelets give their files
constexpr int kMostBackups = 1000;

absl::Status WriteNew(const std::string& path, const std::string& bytes, uint32_t mode,
                      const ToolEnvironment& environment) {
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, environment.file_system.Open(path, OpenMode::kCreateExclusive, mode));
  RETURN_IF_ERROR(file->Write(bytes));
  RETURN_IF_ERROR(file->Sync());
  RETURN_IF_ERROR(file->Close());
  return environment.file_system.SyncFolder(FolderOf(path));
}

absl::Status WriteInPlace(const OutputOptions& options, const std::string& input, const std::string& original,
                          const std::string& bytes, const ToolEnvironment& environment) {
  ASSIGN_OR_RETURN(const FileStat stat, environment.file_system.Lstat(input));
  if (stat.kind != FileKind::kRegular) {
    return absl::FailedPreconditionError("is no regular file and is not replaced in place; write it with -o");
  }
  if (options.dry_run) {
    environment.err << "would keep a backup of " << DisplayName(input) << " and write " << bytes.size()
                    << " bytes in its place\n";
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const std::string backup, BackUp(input, original, stat.mode, environment));
  RETURN_IF_ERROR(AtomicWrite(environment.file_system, environment.random, input, bytes, stat.mode));
  environment.err << "wrote " << bytes.size() << " bytes to " << DisplayName(input) << "; the old file is "
                  << Printable(backup) << "\n";
  return absl::OkStatus();
}

// A device or a link by the name of the file would be gone for good.
absl::Status CheckReplaceable(const OutputOptions& options, const ToolEnvironment& environment) {
  const absl::StatusOr<FileStat> there = environment.file_system.Lstat(options.out);
  if (!there.ok()) return absl::OkStatus();  // writing says what is wrong with it
  if (there->kind != FileKind::kRegular) {
    return absl::FailedPreconditionError(absl::StrCat(Printable(options.out), " is no regular file"));
  }
  if (options.force) return absl::OkStatus();
  return absl::AlreadyExistsError(absl::StrCat(Printable(options.out), " is there already; --force replaces it"));
}

}  // namespace

absl::Status CheckOutputOptions(const OutputOptions& options, const std::string& input) {
  if (options.in_place && !options.out.empty()) return absl::InvalidArgumentError("--in-place and -o exclude another");
  if (options.in_place && input == "-") return absl::InvalidArgumentError("standard input has no place: use -o");
  if (!options.in_place && options.out.empty()) {
    return absl::InvalidArgumentError("say where to write: -o OUT, -o - for standard output, or --in-place");
  }
  return absl::OkStatus();
}

absl::Status WriteOutput(const OutputOptions& options, const std::string& input, const std::string& original,
                         const std::string& bytes, const ToolEnvironment& environment) {
  if (options.in_place) return WriteInPlace(options, input, original, bytes, environment);
  const bool to_stdout = options.out == "-";
  const std::string where = to_stdout ? "standard output" : Printable(options.out);
  if (!to_stdout) RETURN_IF_ERROR(CheckReplaceable(options, environment));
  if (options.dry_run) {
    environment.err << "would write " << bytes.size() << " bytes to " << where << "\n";
    return absl::OkStatus();
  }
  if (to_stdout) {
    environment.out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    environment.out.flush();
    return environment.out.good() ? absl::OkStatus() : absl::InternalError("standard output cannot be written");
  }
  RETURN_IF_ERROR(options.force ? AtomicWrite(environment.file_system, environment.random, options.out, bytes, kMode)
                                : WriteNew(options.out, bytes, kMode, environment));
  environment.err << "wrote " << bytes.size() << " bytes to " << where << "\n";
  return absl::OkStatus();
}

absl::StatusOr<std::string> BackUp(const std::string& path, const std::string& bytes, uint32_t mode,
                                   const ToolEnvironment& environment) {
  const std::string base =
      absl::StrCat(path, ".bak-", absl::FormatTime("%Y%m%dT%H%M%SZ", environment.clock.WallNow(), absl::UTCTimeZone()));
  absl::Status status;
  for (int number = 1; number <= kMostBackups; ++number) {
    std::string backup = number == 1 ? base : absl::StrCat(base, ".", number);
    status = WriteNew(backup, bytes, mode, environment);
    if (status.ok()) return backup;
    if (!absl::IsAlreadyExists(status)) return status;
  }
  return status;
}

}  // namespace kubelet_cm::cmctl
