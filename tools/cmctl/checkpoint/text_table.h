// A table as kubectl prints them: headings in capitals, columns padded with blanks, three between them.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_TEXT_TABLE_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_TEXT_TABLE_H_

#include <string>
#include <vector>

namespace kubelet_cm::cmctl {

// A plain value.
struct TextTable {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows = {};  // as many cells as headings

  // Cells that do not print are quoted; an empty one is "-".
  std::string ToString() const;
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_TEXT_TABLE_H_
