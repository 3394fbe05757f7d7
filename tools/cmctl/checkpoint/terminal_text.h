// Text for a terminal: what stands in a hostile file must not move the cursor, and colours are for terminals only.
//
// Pure functions.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_TERMINAL_TEXT_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_TERMINAL_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/string_view.h"

namespace kubelet_cm::cmctl {

// absl::StrCat does not know the standard's string_view here.
inline absl::string_view Abseil(std::string_view text) { return {text.data(), text.size()}; }

// As it is if it prints, else as a quoted Go string.
std::string Printable(std::string_view text);

// The same JSON, with escapes in its strings for what does not print: marks that turn the writing around, a terminal's
// own controls.
std::string PrintableJson(std::string_view json);

// "a, b, c", and "a, b, ... (7 in all)" if there are more than `most`.
std::string Listed(const std::vector<std::string>& items, size_t most);

// "1 entry", "2 entries".
std::string Counted(size_t count, std::string_view one, std::string_view many);

// Colours, or none.
class Palette {
 public:
  explicit Palette(bool on) : on_(on) {}

  std::string Good(std::string_view text) const { return In("32", text); }
  std::string Bad(std::string_view text) const { return In("31", text); }
  std::string Strong(std::string_view text) const { return In("1", text); }

 private:
  std::string In(std::string_view code, std::string_view text) const;

  bool on_;
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_TERMINAL_TEXT_H_
