#include "tools/cmctl/checkpoint/show.h"

#include "absl/strings/str_cat.h"
#include "tools/cmctl/checkpoint/input_file.h"
#include "tools/cmctl/checkpoint/state_file.h"
#include "tools/cmctl/checkpoint/state_json.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

void PrintHead(const StateFile& file, const ToolEnvironment& environment) {
  const FileVerdict& verdict = file.verdict();
  const Palette palette(environment.colours);
  std::string state = verdict.valid ? palette.Good("valid") : palette.Bad("corrupt");
  if (!verdict.verifiable) state = "cannot be verified";
  environment.out << (verdict.format.empty() ? verdict.what : verdict.format) << ", " << state;
  if (verdict.stored_checksum.has_value()) environment.out << ", checksum " << *verdict.stored_checksum;
  environment.out << ": " << file.Summary() << "\n";
  for (const FileProblem& problem : verdict.problems) {
    environment.out << palette.Bad("problem") << ": " << problem.text;
    if (problem.offset.has_value()) environment.out << " (at byte " << *problem.offset << ")";
    environment.out << "\n";
  }
}

void PrintTables(const StateFile& file, const ShowOptions& options, const ToolEnvironment& environment) {
  PrintHead(file, environment);
  for (const TextTable& table : file.Tables(options.output == "wide")) {
    if (!table.rows.empty()) environment.out << "\n" << table.ToString();
  }
  if (options.show_response) environment.out << file.ResponseText(options.show_secrets);
}

}  // namespace

int RunShow(const ShowOptions& options, const ToolEnvironment& environment) {
  const OpenedFile opened = OpenStateFile(options.file, environment);
  if (opened.file == nullptr) return opened.exit_code;
  const StateFile& file = *opened.file;
  const ResponseView responses{.decoded = options.show_response, .secrets = options.show_secrets};
  if (options.output == "json") {
    environment.out << IndentedJson(StateJson(file, responses));
  } else if (options.output == "yaml") {
    environment.out << YamlOf(StateJson(file, responses));
  } else {
    PrintTables(file, options, environment);
  }
  return file.verdict().valid || !file.verdict().verifiable ? kOk : kCorrupt;
}

}  // namespace kubelet_cm::cmctl
