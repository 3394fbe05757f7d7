#include "tools/cmctl/completion.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::cmctl {
namespace {

using ::testing::HasSubstr;

// What shells make of the scripts is in completion_shells_test.py.
TEST(CompletionTest, ShellsHaveACaseForEachCommand) {
  const std::vector<CompletionNode> nodes = {{"cmctl", {"checkpoint"}}, {"cmctl checkpoint", {"show", "--help"}}};
  for (const char* shell : {"bash", "zsh"}) {
    EXPECT_THAT(CompletionScript(shell, nodes), HasSubstr("    \"cmctl checkpoint\") candidates=\"show --help\" ;;\n"))
        << shell;
  }
  EXPECT_THAT(CompletionScript("fish", nodes),
              HasSubstr("    case \"cmctl checkpoint\"\n      printf '%s\\n' show --help\n"));
}

}  // namespace
}  // namespace kubelet_cm::cmctl
