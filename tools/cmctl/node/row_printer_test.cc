#include "tools/cmctl/node/row_printer.h"

#include <sstream>

#include "gtest/gtest.h"

namespace kubelet_cm::cmctl {
namespace {

TEST(RowPrinterTest, LaterRowsKeepToTheColumns) {
  std::ostringstream out;
  RowPrinter printer(out, {"A", "BB"}, true);
  printer.Print({{"long", "1"}, {"", "2"}});
  printer.Print({{"s", "3"}});
  EXPECT_EQ(out.str(), "A      BB\nlong   1\n-      2\ns      3\n");
}

TEST(RowPrinterTest, WithoutHeadingsColumnsAreAsWideAsTheirCells) {
  std::ostringstream out;
  RowPrinter printer(out, {"HEADING", "B"}, false);
  printer.Print({{"\xc3\xa4\xc3\xb6", "1"}, {"x\ny", "2"}});
  EXPECT_EQ(out.str(), "\xc3\xa4\xc3\xb6       1\n\"x\\ny\"   2\n");
}

}  // namespace
}  // namespace kubelet_cm::cmctl
