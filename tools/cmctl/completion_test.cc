#include "tools/cmctl/completion.h"

#include "gtest/gtest.h"

namespace kubelet_cm::cmctl {
namespace {

TEST(CompletionTest, FishHasALineForEachWord) {
  EXPECT_EQ(CompletionScript("fish", {{"cmctl", {"checkpoint"}}, {"cmctl checkpoint show", {"--output"}}}),
            "# fish completion for cmctl:  cmctl completion fish | source\n"
            "complete -c cmctl -n '__fish_use_subcommand' -a checkpoint\n"
            "complete -c cmctl -n '__fish_seen_subcommand_from checkpoint; and __fish_seen_subcommand_from show' -l "
            "output\n");
}

TEST(CompletionTest, ShellsHaveACaseForEachCommand) {
  for (const char* shell : {"bash", "zsh"}) {
    const std::string script = CompletionScript(shell, {{"cmctl checkpoint", {"show", "--help"}}});
    EXPECT_NE(script.find("    \"cmctl checkpoint\") words=\"show --help\" ;;\n"), std::string::npos) << shell;
  }
}

}  // namespace
}  // namespace kubelet_cm::cmctl
