#include "tools/cmctl/checkpoint/text_table.h"

#include <algorithm>

#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

// Characters, not bytes: what does not start with the bits 10.
size_t Width(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) >> 6) != 2; }));
}

void AppendRow(const std::vector<std::string>& cells, const std::vector<size_t>& widths, std::string* out) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    line += cells[i];
    if (i + 1 < cells.size()) line.append(widths[i] - Width(cells[i]) + 3, ' ');
  }
  *out += line;
  *out += '\n';
}

}  // namespace

std::string TextTable::ToString() const {
  std::vector<std::vector<std::string>> lines = {headings};
  for (const auto& row : rows) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const std::string& cell : row) line.push_back(cell.empty() ? "-" : Printable(cell));
  }
  std::vector<size_t> widths(headings.size(), 0);
  for (const auto& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], Width(line[i]));
  }
  std::string out;
  for (const auto& line : lines) AppendRow(line, widths, &out);
  return out;
}

}  // namespace kubelet_cm::cmctl
