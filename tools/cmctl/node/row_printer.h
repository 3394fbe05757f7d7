// RowPrinter: a table that grows, as `kubectl get -w` prints it: later rows keep to the columns of the first ones.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_ROW_PRINTER_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_ROW_PRINTER_H_

#include <ostream>
#include <string>
#include <vector>

namespace kubelet_cm::cmctl {

// One thread. Cells that do not print are quoted; an empty one is "-".
class RowPrinter {
 public:
  // `out` outlives the printer.
  RowPrinter(std::ostream& out, std::vector<std::string> headings, bool with_headings);

  // The first call prints the headings, too.
  void Print(const std::vector<std::vector<std::string>>& rows);

 private:
  void Widen(const std::vector<std::string>& cells);
  void PrintLine(const std::vector<std::string>& cells);

  std::ostream& out_;
  const std::vector<std::string> headings_;
  bool headings_due_;
  std::vector<size_t> widths_;
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_ROW_PRINTER_H_
