#include "tools/cmctl/bundle/bundle.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"
#include "common/version/version.h"
#include "tools/cmctl/bundle/bundle_parts.h"
#include "tools/cmctl/bundle/tar_archive.h"
#include "tools/cmctl/checkpoint/output_file.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

constexpr char kTime[] = "%Y%m%dT%H%M%SZ";

// What is in the archive, and what is not.
std::string Contents(const BundleParts& parts, const std::string& time) {
  std::string text = absl::StrCat("made by cmctl ", kVersion, " at ", time, "\n\nfiles:\n");
  for (const BundleParts::Part& part : parts.parts()) {
    absl::StrAppend(&text, "  ", part.name, " (", part.bytes.size(), " bytes)\n");
  }
  if (!parts.missing().empty()) text += "\nmissing:\n";
  for (const std::string& line : parts.missing()) absl::StrAppend(&text, "  ", line, "\n");
  absl::StrAppend(&text,
                  "\nredacted: the values of environment variables and annotations that plugins answered, and the "
                  "opaque data of drivers\n");
  return text;
}

absl::StatusOr<std::string> Pack(const BundleParts& parts, const std::string& folder, absl::Time now) {
  TarArchive archive(now);
  const std::string time = absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", now, absl::UTCTimeZone());
  RETURN_IF_ERROR(archive.Add(JoinPath(folder, "bundle.txt"), Contents(parts, time)));
  for (const BundleParts::Part& part : parts.parts()) {
    RETURN_IF_ERROR(archive.Add(JoinPath(folder, part.name), part.bytes));
  }
  return Gzip(archive.Bytes());
}

// The root folder that the daemon says it has, or the one that the flags say.
absl::StatusOr<std::string> Collect(const BundleOptions& options, const ToolEnvironment& environment,
                                    BundleParts* parts) {
  const absl::StatusOr<std::unique_ptr<ControlClient>> daemon = OpenDaemon(options.connection, environment);
  std::string root;
  if (daemon.ok()) {
    parts->AddAnswers(**daemon);
    const absl::StatusOr<v1::VersionResponse> version = (*daemon)->Version();
    if (version.ok()) root = version->root_dir();
  } else {
    parts->Miss("daemon", daemon.status());
  }
  if (root.empty()) {
    ASSIGN_OR_RETURN(root, RootFolder(options.connection, environment));
  }
  return root;
}

absl::Status Make(const BundleOptions& options, const ToolEnvironment& environment) {
  const absl::Time now = environment.clock.WallNow();
  const std::string name = absl::StrCat("kubelet_cm-bundle-", absl::FormatTime(kTime, now, absl::UTCTimeZone()));
  BundleParts parts(environment);
  ASSIGN_OR_RETURN(const std::string root, Collect(options, environment, &parts));
  parts.AddState(root);
  parts.AddPodResources(root);
  if (options.health_port != 0) parts.AddPages(options.health_address, options.health_port);
  for (const std::string& line : parts.missing()) environment.err << "missing: " << line << "\n";
  ASSIGN_OR_RETURN(const std::string archive, Pack(parts, name, now));
  const std::string out = options.out.empty() ? absl::StrCat(name, ".tar.gz") : options.out;
  const std::string path = out == "-" || out.starts_with('/') ? out : JoinPath(environment.user.working_folder, out);
  const absl::Status written = WriteOutput({.out = path, .force = options.force}, "", "", archive, environment);
  // The folder for the archive: nothing that was asked for is not found.
  return absl::IsNotFound(written) ? absl::UnavailableError(written.message()) : written;
}

}  // namespace

int RunBundle(const BundleOptions& options, const ToolEnvironment& environment) {
  const absl::Status made = Make(options, environment);
  return made.ok() ? kOk : Complain(environment, "", made);
}

}  // namespace kubelet_cm::cmctl
