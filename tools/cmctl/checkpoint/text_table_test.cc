#include "tools/cmctl/checkpoint/text_table.h"

#include <string>

#include "gtest/gtest.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

TEST(TextTableTest, PadsColumnsByCharactersAndShowsNothingAsADash) {
  const TextTable table{{"A", "LONG HEADING", "C"}, {{"äöü", "x", ""}, {"b", "", "y"}}};
  EXPECT_EQ(table.ToString(),
            "A     LONG HEADING   C\n"
            "äöü   x              -\n"
            "b     -              y\n");
}

TEST(TextTableTest, CellsCannotSteerTheTerminal) {
  const TextTable table{{"A"}, {{"\x1b[2J"}, {"a\nb"}}};
  EXPECT_EQ(table.ToString(), "A\n\"\\x1b[2J\"\n\"a\\nb\"\n");
}

TEST(TerminalTextTest, ListsAreCutAfterSoMany) {
  EXPECT_EQ(Listed({"a", "b"}, 2), "a, b");
  EXPECT_EQ(Listed({"a", "b", "c"}, 2), "a, b, ... (3 in all)");
}

TEST(TerminalTextTest, ColoursAreOnlyThereWhenWanted) {
  EXPECT_EQ(Palette(false).Bad("x"), "x");
  EXPECT_EQ(Palette(true).Bad("x"), "\x1b[31mx\x1b[0m");
}

}  // namespace
}  // namespace kubelet_cm::cmctl
