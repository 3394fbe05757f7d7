#include "tools/cmctl/completion.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace kubelet_cm::cmctl {
namespace {

// Sets `words` from the words of the line that are no flags.
std::string Cases(const std::vector<CompletionNode>& nodes) {
  std::string text = "  case \"$command\" in\n";
  for (const CompletionNode& node : nodes) {
    absl::StrAppend(&text, "    \"", node.path, "\") words=\"", absl::StrJoin(node.words, " "), "\" ;;\n");
  }
  return text + "  esac\n";
}

// The longest command at the start of the line: names behind it do not count.
std::string FindCommand(const std::vector<CompletionNode>& nodes) {
  std::vector<std::string> commands;
  for (const CompletionNode& node : nodes) commands.push_back(absl::StrCat("\"", node.path, "\""));
  return absl::StrCat(
      "  local command=cmctl words= word\n"
      "  for word in \"${line[@]}\"; do\n"
      "    case \"$command $word\" in\n"
      "      ",
      absl::StrJoin(commands, "|"),
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
      "  COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n"
      "}\n"
      "complete -o default -F _cmctl cmctl\n");
}

std::string Zsh(const std::vector<CompletionNode>& nodes) {
  return absl::StrCat(
      "#compdef cmctl\n"
      "# zsh completion for cmctl:  source <(cmctl completion zsh)\n"
      "_cmctl() {\n"
      "  local -a line=(\"${(@)words[2,CURRENT-1]}\")\n",
      FindCommand(nodes), Cases(nodes),
      "  compadd -- ${=words}\n"
      "  _files\n"
      "}\n"
      "compdef _cmctl cmctl\n");
}

// That all words of the command have been typed.
std::string FishCondition(const std::string& path) {
  const std::vector<std::string> words = absl::StrSplit(path, ' ');
  std::vector<std::string> conditions;
  for (size_t i = 1; i < words.size(); ++i) conditions.push_back("__fish_seen_subcommand_from " + words[i]);
  return conditions.empty() ? "__fish_use_subcommand" : absl::StrJoin(conditions, "; and ");
}

std::string Fish(const std::vector<CompletionNode>& nodes) {
  std::string text = "# fish completion for cmctl:  cmctl completion fish | source\n";
  for (const CompletionNode& node : nodes) {
    const std::string condition = FishCondition(node.path);
    for (const std::string& word : node.words) {
      const bool flag = word.rfind("--", 0) == 0;
      absl::StrAppend(&text, "complete -c cmctl -n '", condition, "' ", flag ? "-l " : "-a ",
                      flag ? word.substr(2) : word, "\n");
    }
  }
  return text;
}

}  // namespace

std::string CompletionScript(std::string_view shell, const std::vector<CompletionNode>& nodes) {
  if (shell == "bash") return Bash(nodes);
  return shell == "zsh" ? Zsh(nodes) : Fish(nodes);
}

}  // namespace kubelet_cm::cmctl
