#include "tools/cmctl/completion.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

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

// The longest command at the start of the line: file names behind it do not count.
constexpr char kFindCommand[] =
    "  local command=cmctl words= word\n"
    "  for word in \"${line[@]}\"; do\n"
    "    case \" checkpoint show verify explain diff convert repair completion version \" in\n"
    "      *\" $word \"*) command=\"$command $word\" ;;\n"
    "    esac\n"
    "  done\n";

std::string Bash(const std::vector<CompletionNode>& nodes) {
  return absl::StrCat(
      "# bash completion for cmctl:  source <(cmctl completion bash)\n"
      "_cmctl() {\n"
      "  local line=(\"${COMP_WORDS[@]:1:COMP_CWORD-1}\")\n",
      kFindCommand, Cases(nodes),
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
      kFindCommand, Cases(nodes),
      "  compadd -- ${=words}\n"
      "  _files\n"
      "}\n"
      "compdef _cmctl cmctl\n");
}

std::string Fish(const std::vector<CompletionNode>& nodes) {
  std::string text = "# fish completion for cmctl:  cmctl completion fish | source\n";
  for (const CompletionNode& node : nodes) {
    const size_t last = node.path.rfind(' ');
    const std::string condition = last == std::string::npos
                                      ? "__fish_use_subcommand"
                                      : "__fish_seen_subcommand_from " + node.path.substr(last + 1);
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
