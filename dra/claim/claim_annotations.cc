#include "dra/claim/claim_annotations.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/quote.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::dra {
namespace {

constexpr std::string_view kPrefix = "cdi.k8s.io/";
constexpr size_t kMaxName = 63;
constexpr std::string_view kVendorMarks = "_-.";
constexpr std::string_view kClassMarks = "_-";
constexpr std::string_view kDeviceMarks = "_-.:";

absl::Status Wrong(const std::string& text) { return absl::InvalidArgumentError(text); }

// The first character between the two ends that is neither alphanumeric nor one of `marks`; the end if there is none.
// One of several bytes, as Go shows it, is shown whole.
std::string_view FirstWrong(std::string_view text, std::string_view marks) {
  for (size_t i = 1; i + 1 < text.size(); ++i) {
    if (absl::ascii_isalnum(text[i]) || marks.find(text[i]) != std::string_view::npos) continue;
    size_t end = i + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) ++end;
    return text.substr(i, end - i);
  }
  return {};
}

absl::Status CheckName(std::string_view name) {
  const std::string invalid = absl::StrCat("invalid name ", GoQuote(name), ", ");
  if (!absl::ascii_isalnum(name.front())) {
    return Wrong(absl::StrCat(invalid, "first '", std::string(1, name.front()), "' should be alphanumeric"));
  }
  if (const std::string_view wrong = FirstWrong(name, kVendorMarks); !wrong.empty()) {
    return Wrong(absl::StrCat(invalid, "invalid charcter '", std::string(wrong), "'"));  // as the kubelet spells it
  }
  if (!absl::ascii_isalnum(name.back())) {
    return Wrong(absl::StrCat(invalid, "last '", std::string(1, name.back()), "' should be alphanumeric"));
  }
  return absl::OkStatus();
}

// A vendor or a class.
absl::Status CheckKind(const std::string& what, const std::string& where, std::string_view text,
                       std::string_view marks) {
  if (!absl::ascii_isalpha(text.front())) {
    return Wrong(absl::StrCat("invalid ", what, " ", GoQuote(text), ", should start with letter"));
  }
  if (const std::string_view wrong = FirstWrong(text, marks); !wrong.empty()) {
    return Wrong(absl::StrCat("invalid character '", std::string(wrong), "' in ", where, " ", GoQuote(text)));
  }
  if (!absl::ascii_isalnum(text.back())) {
    return Wrong(absl::StrCat("invalid ", what, " ", GoQuote(text), ", should end with a letter or digit"));
  }
  return absl::OkStatus();
}

absl::Status CheckDevice(std::string_view text) {
  if (!absl::ascii_isalnum(text.front())) {  // a class, says the kubelet
    return Wrong(absl::StrCat("invalid class ", GoQuote(text), ", should start with a letter or digit"));
  }
  if (const std::string_view wrong = FirstWrong(text, kDeviceMarks); !wrong.empty()) {
    return Wrong(absl::StrCat("invalid character '", std::string(wrong), "' in device name ", GoQuote(text)));
  }
  if (!absl::ascii_isalnum(text.back())) {
    return Wrong(absl::StrCat("invalid name ", GoQuote(text), ", should end with a letter or digit"));
  }
  return absl::OkStatus();
}

// "vendor/class=name".
absl::Status CheckCdiId(std::string_view id) {
  const size_t equals = id.find('=');
  const std::string_view kind = id.substr(0, equals);
  const size_t slash = kind.find('/');
  const bool parts = equals != std::string_view::npos && equals + 1 < id.size() && slash != std::string_view::npos &&
                     slash > 0 && slash + 1 < kind.size();
  if (!parts) return Wrong(absl::StrCat("unqualified device ", GoQuote(id), ", missing vendor"));
  absl::Status status = CheckKind("vendor", "vendor name", kind.substr(0, slash), kVendorMarks);
  if (status.ok()) status = CheckKind("class", "device class", kind.substr(slash + 1), kClassMarks);
  if (status.ok()) status = CheckDevice(id.substr(equals + 1));
  if (status.ok()) return status;
  return Wrong(absl::StrCat("invalid device ", GoQuote(id), ": ", std::string(status.message())));
}

absl::StatusOr<std::string> KeyOf(std::string_view driver, std::string_view claim_uid) {
  if (driver.empty()) return Wrong("invalid plugin name, empty");
  if (claim_uid.empty()) return Wrong("invalid deviceID, empty");
  std::string uid(claim_uid);
  std::replace(uid.begin(), uid.end(), '/', '_');
  const std::string name = absl::StrCat(std::string(driver), "_", uid);
  if (name.size() > kMaxName) return Wrong(absl::StrCat("invalid plugin+deviceID ", GoQuote(name), ", too long"));
  RETURN_IF_ERROR(CheckName(name));
  return absl::StrCat(std::string(kPrefix), name);
}

absl::StatusOr<std::string> ValueOf(absl::Span<const std::string> cdi_device_ids) {
  std::string value;
  for (const std::string& id : cdi_device_ids) {
    RETURN_IF_ERROR(CheckCdiId(id));
    absl::StrAppend(&value, value.empty() ? "" : ",", id);
  }
  return value;
}

absl::Status Failed(const absl::Status& why) {
  return Wrong(absl::StrCat("can't generate CDI annotations: CDI annotation failed: ", std::string(why.message())));
}

}  // namespace

absl::StatusOr<ClaimAnnotation> MakeClaimAnnotation(std::string_view driver, std::string_view claim_uid,
                                                    absl::Span<const std::string> cdi_device_ids) {
  absl::StatusOr<std::string> key = KeyOf(driver, claim_uid);
  if (!key.ok()) return Failed(key.status());
  absl::StatusOr<std::string> value = ValueOf(cdi_device_ids);
  if (!value.ok()) return Failed(value.status());
  return ClaimAnnotation{*std::move(key), *std::move(value)};
}

absl::StatusOr<std::vector<ClaimAnnotation>> AnnotationsOf(const ClaimEntry& entry, AnnotationKey key) {
  std::vector<ClaimAnnotation> annotations;
  for (const auto& [name, driver] : entry.drivers) {
    const std::vector<std::string> ids = CdiIdsOf(driver);
    if (ids.empty()) continue;
    const std::string& owner = key == AnnotationKey::kDriver ? name : entry.driver_name;
    ASSIGN_OR_RETURN(ClaimAnnotation annotation, MakeClaimAnnotation(owner, entry.id.uid, ids));
    annotations.push_back(std::move(annotation));
  }
  return annotations;
}

}  // namespace kubelet_cm::dra
