#include "tools/cmctl/completion.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace kubelet_cm::cmctl {
namespace {

// Sets `candidates` to what may follow $command.
std::string Cases(const std::vector<CompletionNode>& nodes) {
  std::string text = "  case \"$command\" in\n";
  for (const CompletionNode& node : nodes) {
    absl::StrAppend(&text, "    \"", node.path, "\") candidates=\"", absl::StrJoin(node.words, " "), "\" ;;\n");
  }
  return text + "  esac\n";
}

std::string QuotedCommands(const std::vector<CompletionNode>& nodes, std::string_view between) {
  std::vector<std::string> commands;
  for (const CompletionNode& node : nodes) commands.push_back(absl::StrCat("\"", node.path, "\""));
  return absl::StrJoin(commands, absl::string_view(between.data(), between.size()));
}

// The longest command at the start of the line: flags before it and names behind it do not count.
std::string FindCommand(const std::vector<CompletionNode>& nodes) {
  return absl::StrCat(
      "  local command=cmctl candidates= word\n"
      "  for word in \"${line[@]}\"; do\n"
      "    case \"$command $word\" in\n"
      "      ",
      QuotedCommands(nodes, "|"),
      ") command=\"$command $word\" ;;\n"
      "    esac\n"
      "  done\n");
}

std::string Bash(const std::vector<CompletionNode>& nodes) {
  return absl::StrCat(
      "# bash completion for cmctl:  source <(cmctl completion bash)\n"
      "_cmctl() {\n"
      "  local line=(\"${COMP_WORDS[@]:1:COMP_CWORD-1}\")\n",
      FindCommand(nodes), Cases(nodes),
      "  COMPREPLY=($(compgen -W \"$candidates\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n"
      "}\n"
      "complete -o default -F _cmctl cmctl\n");
}

// A verb that has no verbs below it takes names and files. `words` is zsh's own: a local variable of that name would
// take the line away from what is called here.
std::string Zsh(const std::vector<CompletionNode>& nodes) {
  return absl::StrCat(
      "#compdef cmctl\n"
      "# zsh completion for cmctl:  source <(cmctl completion zsh)\n"
      "_cmctl() {\n"
      "  local -a line=(\"${(@)words[2,CURRENT-1]}\")\n",
      FindCommand(nodes), Cases(nodes),
      "  compadd -- ${=candidates}\n"
      "  local -a verbs=(${${=candidates}:#--*})\n"
      "  (( $#verbs )) || _files\n"
      "}\n"
      "compdef _cmctl cmctl\n");
}

std::string Fish(const std::vector<CompletionNode>& nodes) {
  std::string text = absl::StrCat(
      "# fish completion for cmctl:  cmctl completion fish | source\n"
      "function __cmctl_candidates\n"
      "  set -l command cmctl\n"
      "  for word in (commandline -opc)[2..-1]\n"
      "    if contains -- \"$command $word\" ",
      QuotedCommands(nodes, " "),
      "\n"
      "      set command \"$command $word\"\n"
      "    end\n"
      "  end\n"
      "  switch \"$command\"\n");
  for (const CompletionNode& node : nodes) {
    absl::StrAppend(&text, "    case \"", node.path, "\"\n      printf '%s\\n' ", absl::StrJoin(node.words, " "), "\n");
  }
  return absl::StrCat(text,
                      "  end\n"
                      "end\n"
                      "complete -c cmctl -f -a '(__cmctl_candidates)'\n"
                      "complete -c cmctl -F -n 'not string match -q -v -- \"--*\" (__cmctl_candidates)'\n");
}

}  // namespace

std::string CompletionScript(std::string_view shell, const std::vector<CompletionNode>& nodes) {
  if (shell == "bash") return Bash(nodes);
  return shell == "zsh" ? Zsh(nodes) : Fish(nodes);
}

}  // namespace kubelet_cm::cmctl
