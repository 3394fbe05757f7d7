#include "tools/cmctl/node/row_printer.h"

#include <algorithm>
#include <utility>

#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

constexpr size_t kGap = 3;

// Characters, not bytes: what does not start with the bits 10.
size_t Width(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) >> 6) != 2; }));
}

}  // namespace

RowPrinter::RowPrinter(std::ostream& out, std::vector<std::string> headings, bool with_headings)
    : out_(out), headings_(std::move(headings)), headings_due_(with_headings), widths_(headings_.size(), 0) {
  if (with_headings) Widen(headings_);
}

void RowPrinter::Print(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::vector<std::string>> lines;
  for (const std::vector<std::string>& row : rows) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const std::string& cell : row) line.push_back(cell.empty() ? "-" : Printable(cell));
    Widen(line);
  }
  if (headings_due_) PrintLine(headings_);
  headings_due_ = false;
  for (const std::vector<std::string>& line : lines) PrintLine(line);
  out_.flush();
}

void RowPrinter::Widen(const std::vector<std::string>& cells) {
  for (size_t i = 0; i < cells.size() && i < widths_.size(); ++i) widths_[i] = std::max(widths_[i], Width(cells[i]));
}

void RowPrinter::PrintLine(const std::vector<std::string>& cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    line += cells[i];
    if (i + 1 < cells.size()) line.append(widths_[i] - Width(cells[i]) + kGap, ' ');
  }
  out_ << line << "\n";
}

}  // namespace kubelet_cm::cmctl
