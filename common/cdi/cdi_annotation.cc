#include "common/cdi/cdi_annotation.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/gotext/quote.h"
#include "common/gotext/utf8.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

constexpr char kPrefix[] = "cdi.k8s.io/";
constexpr size_t kMaxNameBytes = 63;

bool IsAlphanumeric(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }

absl::Status Invalid(std::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("can't generate CDI annotations: CDI annotation failed: ", std::string(what)));
}

// `rune` in single quotes, as Go's '%c' shows it.
std::string Shown(char32_t rune) {
  char bytes[4];
  const size_t width = EncodeRune(rune, bytes);
  return absl::StrCat("'", std::string(bytes, width), "'");
}

// Of the first character between the ends of `text` that is neither alphanumeric nor among `others`.
std::optional<char32_t> BadRuneInside(std::string_view text, std::string_view others) {
  if (text.size() <= 2) return std::nullopt;
  for (std::string_view rest = text.substr(1, text.size() - 2); !rest.empty();) {
    const DecodedRune decoded = DecodeRune(rest);
    if (!IsAlphanumeric(rest.front()) && others.find(rest.front()) == std::string_view::npos) return decoded.rune;
    rest.remove_prefix(decoded.width);
  }
  return std::nullopt;
}

// An end of a name, which is looked at as one byte.
std::string Shown(char end) { return Shown(char32_t{static_cast<unsigned char>(end)}); }

absl::StatusOr<std::string> AnnotationKey(std::string_view plugin, std::string_view device_id) {
  if (plugin.empty()) return Invalid("invalid plugin name, empty");
  if (device_id.empty()) return Invalid("invalid deviceID, empty");
  const std::string name =
      absl::StrCat(std::string(plugin), "_", absl::StrReplaceAll({device_id.data(), device_id.size()}, {{"/", "_"}}));
  if (name.size() > kMaxNameBytes) {
    return Invalid(absl::StrCat("invalid plugin+deviceID ", GoQuote(name), ", too long"));
  }
  const std::string problem = absl::StrCat("invalid name ", GoQuote(name), ", ");
  if (!IsAlphanumeric(name.front())) {
    return Invalid(absl::StrCat(problem, "first ", Shown(name.front()), " should be alphanumeric"));
  }
  if (const auto bad = BadRuneInside(name, "_-."); bad.has_value()) {
    return Invalid(absl::StrCat(problem, "invalid charcter ", Shown(*bad)));  // as the kubelet spells it
  }
  if (!IsAlphanumeric(name.back())) {
    return Invalid(absl::StrCat(problem, "last ", Shown(name.back()), " should be alphanumeric"));
  }
  return absl::StrCat(kPrefix, name);
}

// One of the three parts of a CDI name, none of which is empty, and how it is spoken of.
struct PartRules {
  std::string_view kind;       // in "invalid vendor ..."
  std::string_view place;      // in "invalid character ... in vendor name ..."
  std::string_view last_kind;  // in "invalid vendor ..., should end ..."
  std::string_view others;     // allowed inside beside letters and digits
  bool starts_with_letter;
};
constexpr PartRules kVendor = {"vendor", "vendor name", "vendor", "_-.", true};
constexpr PartRules kClass = {"class", "device class", "class", "_-", true};
// Upstream calls its beginning a class.
constexpr PartRules kDevice = {"class", "device name", "name", "_-.:", false};

// What is wrong with it; empty if nothing is.
std::string PartProblem(std::string_view part, const PartRules& rules) {
  const char first = part.front();
  if (rules.starts_with_letter ? !absl::ascii_isalpha(static_cast<unsigned char>(first)) : !IsAlphanumeric(first)) {
    return absl::StrCat("invalid ", std::string(rules.kind), " ", GoQuote(part), ", should start with ",
                        rules.starts_with_letter ? "letter" : "a letter or digit");
  }
  if (const auto bad = BadRuneInside(part, rules.others); bad.has_value()) {
    return absl::StrCat("invalid character ", Shown(*bad), " in ", std::string(rules.place), " ", GoQuote(part));
  }
  if (IsAlphanumeric(part.back())) return "";
  return absl::StrCat("invalid ", std::string(rules.last_kind), " ", GoQuote(part),
                      ", should end with a letter or digit");
}

absl::Status CheckCdiName(std::string_view device) {
  const size_t equals = device.find('=');
  const size_t slash = device.find('/');
  if (equals == std::string_view::npos || slash == std::string_view::npos || slash == 0 || slash + 1 >= equals ||
      equals + 1 == device.size()) {
    return Invalid(absl::StrCat("unqualified device ", GoQuote(device), ", missing vendor"));
  }
  const struct {
    std::string_view text;
    const PartRules& rules;
  } parts[] = {{device.substr(0, slash), kVendor},
               {device.substr(slash + 1, equals - slash - 1), kClass},
               {device.substr(equals + 1), kDevice}};
  for (const auto& part : parts) {
    const std::string problem = PartProblem(part.text, part.rules);
    if (!problem.empty()) return Invalid(absl::StrCat("invalid device ", GoQuote(device), ": ", problem));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CdiAnnotation> MakeCdiAnnotation(std::string_view plugin, std::string_view device_id,
                                                absl::Span<const std::string> cdi_devices) {
  ASSIGN_OR_RETURN(std::string key, AnnotationKey(plugin, device_id));
  for (const std::string& device : cdi_devices) RETURN_IF_ERROR(CheckCdiName(device));
  return CdiAnnotation{.key = std::move(key), .value = absl::StrJoin(cdi_devices, ",")};
}

}  // namespace kubelet_cm
