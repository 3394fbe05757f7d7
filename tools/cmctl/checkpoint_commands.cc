#include "tools/cmctl/checkpoint_commands.h"

#include <optional>
#include <string>

namespace kubelet_cm::cmctl {
namespace {

constexpr char kFile[] = "a copy of the state file, or - for standard input";
constexpr char kVersion[] = "a kubelet's version: 1.20.0, v1.31.4, or latest";

constexpr char kGroupFooter[] =
    "The files: kubelet_internal_checkpoint (in the kubelet's folder device-plugins), dra_manager_state and\n"
    "dra_health_state. All verbs work on copies and need no daemon; nothing is changed in place without --in-place.\n"
    "\n"
    "Examples:\n"
    "  cmctl checkpoint show kubelet_internal_checkpoint\n"
    "  cmctl checkpoint explain --kubelet-version 1.20.0 kubelet_internal_checkpoint\n"
    "Exit codes: 0 done, 1 different (diff), 2 usage, 3 corrupt, 4 not readable by --kubelet-version, 5 not found,\n"
    "6 reading or writing failed, or the file cannot be verified.";

constexpr char kShowFooter[] =
    "Examples:\n"
    "  cmctl checkpoint show kubelet_internal_checkpoint\n"
    "  cmctl checkpoint show -o wide --show-response kubelet_internal_checkpoint\n"
    "  ssh node sudo cat /var/lib/kubelet/dra_manager_state | cmctl checkpoint show -o json -\n"
    "Exit codes: 0 valid, 3 corrupt (what can be read is shown), 5 not found.";

constexpr char kVerifyFooter[] =
    "Examples:\n"
    "  cmctl checkpoint verify kubelet_internal_checkpoint dra_manager_state\n"
    "  cmctl checkpoint verify --kubelet-version 1.31.0 dra_manager_state\n"
    "  cmctl checkpoint verify --invariants kubelet_internal_checkpoint\n"
    "Exit codes: 0 valid, 4 valid but not readable by the version, 5 not found, 6 not to be read or verified,\n"
    "3 corrupt, 2 usage; of several files the worst, in this order.";

constexpr char kExplainFooter[] =
    "Examples:\n"
    "  cmctl checkpoint explain kubelet_internal_checkpoint\n"
    "  cmctl checkpoint explain --kubelet-version 1.20.0 kubelet_internal_checkpoint";

constexpr char kDiffFooter[] =
    "Formats may differ: compared is what both can hold.\n"
    "Examples:\n"
    "  cmctl checkpoint diff before after\n"
    "  ssh node sudo cat /var/lib/kubelet/dra_manager_state | cmctl checkpoint diff saved -\n"
    "Exit codes: 0 the same, 1 different, greater than 1 an error.";

constexpr char kConvertFooter[] =
    "Formats: v2 v1 v0-1.9 v0-1.8 (devices), dra-1.37 dra-1.35 dra-1.31 dra-1.30 dra-1.28 dra-1.27 (claims).\n"
    "Examples:\n"
    "  cmctl checkpoint convert kubelet_internal_checkpoint --to v2 -o converted\n"
    "  cmctl checkpoint convert dra_manager_state --to dra-1.31 --in-place --dry-run";

constexpr char kRepairFooter[] =
    "Examples:\n"
    "  cmctl checkpoint repair kubelet_internal_checkpoint -o repaired\n"
    "  cmctl checkpoint repair dra_manager_state --in-place";

void AddOutput(CLI::App* verb, OutputOptions* options) {
  verb->add_option("-o,--output", options->out, "the file to write, or - for standard output");
  verb->add_flag("--in-place", options->in_place, "replace FILE, and keep it as FILE.bak-<UTC time>");
  verb->add_flag("--dry-run", options->dry_run, "write nothing, say what would be written");
  verb->add_flag("--force", options->force, "replace the file of -o if it is there");
}

}  // namespace

CheckpointCommands::CheckpointCommands(CLI::App& app)
    : group_(app.add_subcommand("checkpoint", "Reads, explains and mends the state files of kubelets.")) {
  group_->require_subcommand(1);
  group_->footer(kGroupFooter);
  AddShow();
  AddVerify();
  AddExplain();
  AddDiff();
  AddConvert();
  AddRepair();
}

void CheckpointCommands::AddShow() {
  CLI::App* verb = group_->add_subcommand("show", "What is in a file.");
  verb->footer(kShowFooter);
  verb->add_option("FILE", show_.file, kFile)->required();
  verb->add_option("-o,--output", show_.output, "table, wide, json or yaml")
      ->check(CLI::IsMember({"table", "wide", "json", "yaml"}));
  verb->add_flag("--show-response", show_.show_response, "decode what device plugins answered (envs, mounts, ...)");
  verb->add_flag("--show-secrets", show_.show_secrets, "with the values of environment variables");
}

void CheckpointCommands::AddVerify() {
  CLI::App* verb = group_->add_subcommand("verify", "Whether files are valid, for scripts.");
  verb->footer(kVerifyFooter);
  verb->add_option("FILE", verify_.files, kFile)->required();
  verb->add_option("--kubelet-version", verify_.kubelet_version, kVersion);
  verb->add_flag("--invariants", verify_.invariants,
                 "also: no device held by two pods, every held device registered, every response readable");
}

void CheckpointCommands::AddExplain() {
  CLI::App* verb = group_->add_subcommand("explain", "Who wrote a file, who reads it, what is wrong and what to do.");
  verb->footer(kExplainFooter);
  verb->add_option("FILE", explain_.file, kFile)->required();
  verb->add_option("--kubelet-version", explain_.kubelet_version, kVersion);
}

void CheckpointCommands::AddDiff() {
  CLI::App* verb = group_->add_subcommand("diff", "What two files say differently, by meaning.");
  verb->footer(kDiffFooter);
  verb->add_option("A", diff_.a, kFile)->required();
  verb->add_option("B", diff_.b, kFile)->required();
  verb->add_flag("--show-secrets", diff_.show_secrets, "with the values of environment variables");
}

void CheckpointCommands::AddConvert() {
  CLI::App* verb = group_->add_subcommand("convert", "Writes a file in another format, and warns of what is lost.");
  verb->footer(kConvertFooter);
  verb->add_option("FILE", convert_.file, kFile)->required();
  verb->add_option("--to", convert_.to, "the format")->required();
  AddOutput(verb, &convert_.output);
}

void CheckpointCommands::AddRepair() {
  CLI::App* verb = group_->add_subcommand("repair", "Saves what is whole in a damaged file, and says what was lost.");
  verb->footer(kRepairFooter);
  verb->add_option("FILE", repair_.file, kFile)->required();
  verb->add_option("--to", repair_.to, "the format to write, if not the one that the file seems to have");
  AddOutput(verb, &repair_.output);
}

std::optional<int> CheckpointCommands::Run(const ToolEnvironment& environment) const {
  if (group_->got_subcommand("show")) return RunShow(show_, environment);
  if (group_->got_subcommand("verify")) return RunVerify(verify_, environment);
  if (group_->got_subcommand("explain")) return RunExplain(explain_, environment);
  if (group_->got_subcommand("diff")) return RunDiff(diff_, environment);
  if (group_->got_subcommand("convert")) return RunConvert(convert_, environment);
  if (group_->got_subcommand("repair")) return RunRepair(repair_, environment);
  return std::nullopt;
}

}  // namespace kubelet_cm::cmctl
