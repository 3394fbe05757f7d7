#include "tools/cmctl/checkpoint/rewrite.h"

#include <string_view>
#include <utility>

#include "common/filesystem/path.h"
#include "common/status/status_macros.h"
#include "tools/cmctl/checkpoint/input_file.h"
#include "tools/cmctl/checkpoint/recognition.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

struct Source {
  std::string bytes;
  std::unique_ptr<StateFile> file;
  int exit_code = kOk;
};

Source OpenSource(const std::string& path, const OutputOptions& output, const ToolEnvironment& environment) {
  Source source;
  if (const absl::Status status = CheckOutputOptions(output, path); !status.ok()) {
    Complain(environment, path, std::string(status.message()));
    source.exit_code = kUsage;
    return source;
  }
  absl::StatusOr<std::string> bytes = ReadInput(path, environment);
  if (!bytes.ok()) {
    Complain(environment, path, std::string(bytes.status().message()));
    source.exit_code = ExitCodeOf(bytes.status());
    return source;
  }
  source.bytes = *std::move(bytes);
  source.file = RecogniseStateFile(NameOf(path), source.bytes);
  return source;
}

void Tell(const std::string& path, std::string_view word, const std::vector<std::string>& sentences,
          const ToolEnvironment& environment) {
  for (const std::string& sentence : sentences) {
    environment.err << DisplayName(path) << ": " << word << ": " << sentence << "\n";
  }
}

int Finish(const absl::Status& written, const std::string& path, const ToolEnvironment& environment) {
  if (written.ok()) return kOk;
  Complain(environment, path, std::string(written.message()));
  return kFailed;
}

absl::StatusOr<Rewritten> SalvageAs(const std::string& format, const StateFile& file) {
  ASSIGN_OR_RETURN(Rewritten salvaged, file.Salvage());
  if (format.empty()) return salvaged;
  ASSIGN_OR_RETURN(Rewritten converted, RecogniseStateFile("", salvaged.bytes)->ConvertTo(format));
  converted.lost.insert(converted.lost.begin(), salvaged.lost.begin(), salvaged.lost.end());
  return converted;
}

}  // namespace

int RunConvert(const ConvertOptions& options, const ToolEnvironment& environment) {
  const Source source = OpenSource(options.file, options.output, environment);
  if (source.file == nullptr) return source.exit_code;
  if (!source.file->verdict().valid && source.file->verdict().verifiable) {
    Complain(environment, options.file, "is corrupt and is not converted; repair saves what can be saved");
    return kCorrupt;
  }
  const absl::StatusOr<Rewritten> rewritten = source.file->ConvertTo(options.to);
  if (!rewritten.ok()) {
    Complain(environment, options.file, std::string(rewritten.status().message()));
    return kUsage;
  }
  Tell(options.file, "warning: lost", rewritten->lost, environment);
  return Finish(WriteOutput(options.output, options.file, source.bytes, rewritten->bytes, environment), options.file,
                environment);
}

int RunRepair(const RepairOptions& options, const ToolEnvironment& environment) {
  const Source source = OpenSource(options.file, options.output, environment);
  if (source.file == nullptr) return source.exit_code;
  std::string bytes = source.bytes;
  if (source.file->verdict().valid) {
    environment.err << DisplayName(options.file) << ": valid, nothing to repair\n";
    if (options.output.in_place) return kOk;
  } else {
    absl::StatusOr<Rewritten> rewritten = SalvageAs(options.to, *source.file);
    if (!rewritten.ok()) {
      Complain(environment, options.file, std::string(rewritten.status().message()));
      return kUsage;
    }
    Tell(options.file, "lost", rewritten->lost, environment);
    const auto repaired = RecogniseStateFile("", rewritten->bytes);
    environment.err << DisplayName(options.file) << ": saved: " << repaired->Summary() << ", as " << rewritten->format
                    << "\n";
    bytes = std::move(rewritten->bytes);
  }
  return Finish(WriteOutput(options.output, options.file, source.bytes, bytes, environment), options.file, environment);
}

}  // namespace kubelet_cm::cmctl
