#include "kubelet_cm/config/command_line.h"

#include <utility>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/path.h"
#include "common/gotext/quote.h"
#include "common/status/status_macros.h"
#include "common/version/version.h"
#include "kubelet_cm/config/daemon_flags.h"
#include "kubelet_cm/config/default_root.h"
#include "kubelet_cm/config/flag_values.h"

namespace kubelet_cm::config {
namespace {

constexpr size_t kMostConfigBytes = 1 << 20;
constexpr size_t kNameColumn = 36;

constexpr char kFooter[] =
    "\n"
    "Examples:\n"
    "  kubelet_cm\n"
    "  kubelet_cm --root-dir /var/lib/kubelet --config /var/lib/kubelet/config.yaml\n"
    "  kubelet_cm --emulate-kubelet 1.28.3 --topology-manager-policy single-numa-node -v 4\n"
    "\n"
    "Exit codes: 0 stopped as asked, 1 failure, 2 usage or configuration, 3 a state file is corrupt and "
    "--recover=strict,\n"
    "4 the root folder is in use by another kubelet_cm or by a kubelet.";

std::string Text(std::string_view text) { return std::string(text); }

// "-v=4" and "--kubeconfig=" in the words of CLI11.
std::vector<std::string> Normalized(const std::vector<std::string>& arguments) {
  std::vector<std::string> normalized;
  for (const std::string& argument : arguments) {
    if (argument.starts_with("-v=")) {
      normalized.push_back("-" + argument);
    } else if (argument.starts_with("--") && argument.ends_with('=')) {
      normalized.push_back(argument.substr(0, argument.size() - 1));
      normalized.emplace_back();
    } else {
      normalized.push_back(argument);
    }
  }
  return normalized;
}

std::string Description(const DaemonFlag& flag) {
  if (flag.name == "feature-gates") {
    return absl::StrCat("optional behaviour to switch on or off:\n",
                        absl::StrJoin(DaemonOptions().features.HelpLines(), "\n"));
  }
  const std::string otherwise = flag.otherwise.empty() ? flag.show(DaemonOptions()) : Text(flag.otherwise);
  if (otherwise.empty()) return Text(flag.meaning);
  return absl::StrCat(Text(flag.meaning), flag.meaning.ends_with('\n') ? "(" : " (", otherwise, ")");
}

// The flags on the command line, as texts.
class FlagParser {
 public:
  FlagParser()
      : app_("kubelet_cm: the device stack of a Kubernetes node (device plugins, DRA, checkpoints) as one process.") {
    app_.name("kubelet_cm");
    app_.set_version_flag("--version", absl::StrCat("kubelet_cm ", kVersion), "print the version");
    app_.set_help_flag("-h,--help", "print this");
    app_.footer(kFooter);
    app_.get_formatter()->column_width(kNameColumn);
    app_.get_formatter()->label("OPTIONS", "flags");
    values_.resize(DaemonFlags().size());
    for (size_t i = 0; i < DaemonFlags().size(); ++i) Add(DaemonFlags()[i], &values_[i]);
  }

  // An exit code and what to print, or nothing.
  std::optional<std::pair<int, std::string>> Parse(const std::vector<std::string>& arguments) {
    const std::vector<std::string> normalized = Normalized(arguments);
    try {
      // CLI11 takes them from the back.
      app_.parse(std::vector<std::string>(normalized.rbegin(), normalized.rend()));
    } catch (const CLI::ParseError& error) {
      std::ostringstream out;
      if (app_.exit(error, out, out) == 0) return std::pair(0, out.str());
      return std::pair(kUsageExit, absl::StrCat("kubelet_cm: ", error.what(), " (--help says more)\n"));
    }
    return std::nullopt;
  }

  // Only those that were given.
  absl::Status Set(DaemonOptions* options) const {
    for (size_t i = 0; i < values_.size(); ++i) {
      if (!values_[i].has_value()) continue;
      const DaemonFlag& flag = DaemonFlags()[i];
      if (const absl::Status set = flag.set(*values_[i], options); !set.ok()) {
        return absl::InvalidArgumentError(absl::StrCat("--", Text(flag.name), ": ", set.message()));
      }
    }
    return absl::OkStatus();
  }

 private:
  void Add(const DaemonFlag& flag, std::optional<std::string>* value) {
    const std::string names = absl::StrCat(Text(flag.also), flag.also.empty() ? "" : ",", "--", Text(flag.name));
    CLI::Option* option = nullptr;
    if (flag.value.empty()) {
      option = app_.add_flag_function(
          names, [value](int64_t times) { *value = times > 0 ? "true" : "false"; }, Description(flag));
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    } else {
      option = app_.add_option_function<std::string>(
          names, [value](const std::string& given) { *value = given; }, Description(flag));
      option->option_text(Text(flag.value));
      option->multi_option_policy(flag.adds_up ? CLI::MultiOptionPolicy::Join : CLI::MultiOptionPolicy::TakeLast);
      if (flag.adds_up) option->join(',');
    }
    option->group(Text(flag.group));
  }

  CLI::App app_;
  std::vector<std::optional<std::string>> values_;  // as in DaemonFlags(); never resized once CLI11 has pointers
};

void MakeAbsolute(const std::string& working_folder, std::string* path) {
  if (!path->empty() && !path->starts_with('/')) *path = JoinPath(working_folder, *path);
}

absl::Status ReadConfigFile(FileSystem& files, const std::string& path, DaemonOptions* options,
                            ConfigLeftovers* leftovers) {
  const auto text = ReadFile(files, path, kMostConfigBytes);
  if (!text.ok()) {
    return absl::Status(text.status().code(), absl::StrCat("failed to read kubelet config file ", GoQuote(path),
                                                           ", error: ", text.status().message()));
  }
  auto config = ParseKubeletConfig(*text);
  if (!config.ok()) {
    const std::string problems = absl::StrReplaceAll(config.status().message(), {{"\n", "\n  "}});
    return absl::InvalidArgumentError(absl::StrCat("kubelet config file ", GoQuote(path), ":\n  ", problems));
  }
  ApplyKubeletConfig(*config, FolderOf(path), options);
  *leftovers = std::move(config->leftovers);
  return absl::OkStatus();
}

absl::Status FillDefaults(const Surroundings& surroundings, DaemonOptions* options) {
  if (options->root_dir.empty()) {
    ASSIGN_OR_RETURN(options->root_dir, DefaultRootDir(surroundings.xdg_state_home, surroundings.home));
  }
  for (std::string* path : {&options->root_dir, &options->device_plugin_dir, &options->pod_manifest_path,
                            &options->claim_manifest_path, &options->kubeconfig, &options->boot_id_file}) {
    MakeAbsolute(surroundings.working_folder, path);
  }
  if (options->device_plugin_dir.empty()) options->device_plugin_dir = JoinPath(options->root_dir, "device-plugins");
  if (!options->node_name.empty()) return absl::OkStatus();
  options->node_name = absl::AsciiStrToLower(absl::StripAsciiWhitespace(surroundings.host_name));
  if (const absl::Status name = CheckNodeName(options->node_name); !name.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--node-name is needed, for the host's name is none: ", name.message()));
  }
  return absl::OkStatus();
}

absl::Status Fill(const FlagParser& flags, const Surroundings& surroundings, FileSystem& files, CommandLine* line) {
  // The first time for the file's name, and so that a bad flag is told of before a bad file.
  DaemonOptions named;
  RETURN_IF_ERROR(flags.Set(&named));
  if (!named.config_file.empty()) {
    MakeAbsolute(surroundings.working_folder, &named.config_file);
    RETURN_IF_ERROR(ReadConfigFile(files, named.config_file, &line->options, &line->leftovers));
  }
  RETURN_IF_ERROR(flags.Set(&line->options));
  line->options.config_file = named.config_file;
  return FillDefaults(surroundings, &line->options);
}

}  // namespace

CommandLine ReadCommandLine(const std::vector<std::string>& arguments, const Surroundings& surroundings,
                            FileSystem& files) {
  CommandLine line;
  FlagParser flags;
  if (auto exit = flags.Parse(arguments); exit.has_value()) {
    line.exit_code = exit->first;
    line.output = std::move(exit->second);
    return line;
  }
  if (const absl::Status filled = Fill(flags, surroundings, files, &line); !filled.ok()) {
    line.exit_code = kUsageExit;
    line.output = absl::StrCat("kubelet_cm: ", filled.message(), "\n");
  }
  return line;
}

}  // namespace kubelet_cm::config
