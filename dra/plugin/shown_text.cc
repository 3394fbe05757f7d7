#include "dra/plugin/shown_text.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/gotext/quote.h"

namespace kubelet_cm::dra {
namespace {

constexpr size_t kMaxBytes = 256;
constexpr size_t kMaxErrorBytes = 4096;
constexpr size_t kMaxItems = 16;

std::string Cut(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  return std::string(text.substr(0, max_bytes)) + "...";
}

template <typename Show>
std::string Listed(absl::Span<const std::string> texts, Show show) {
  std::vector<std::string> shown;
  for (const std::string& text : texts.subspan(0, kMaxItems)) shown.push_back(show(text));
  if (texts.size() > kMaxItems) shown.emplace_back("...");
  return absl::StrCat("[", absl::StrJoin(shown, " "), "]");
}

}  // namespace

std::string Shown(std::string_view text) { return Cut(text, kMaxBytes); }
std::string LongShown(std::string_view text) { return Cut(text, kMaxErrorBytes); }

std::string ShownQuoted(std::string_view text) { return GoQuote(Shown(text)); }
std::string ShownQuotedList(absl::Span<const std::string> texts) { return Listed(texts, ShownQuoted); }
std::string ShownList(absl::Span<const std::string> texts) { return Listed(texts, Shown); }

}  // namespace kubelet_cm::dra
