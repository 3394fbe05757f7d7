#include "common/personality/kubelet_version.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "re2/re2.h"

namespace kubelet_cm {

absl::StatusOr<KubeletVersion> KubeletVersion::Parse(std::string_view text) {
  static const RE2* const kPattern = new RE2(R"(v?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?(?:[-+][-+.0-9A-Za-z]*)?)");
  KubeletVersion version;
  std::string patch;
  if (!RE2::FullMatch(re2::StringPiece(text.data(), text.size()), *kPattern, &version.major, &version.minor, &patch)) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", std::string(text), "\" is not a kubelet version; one looks like 1.20 or v1.20.15"));
  }
  if (!patch.empty() && !absl::SimpleAtoi(patch, &version.patch)) version.patch = 0;
  return version;
}

std::string KubeletVersion::ToString() const { return absl::StrCat(major, ".", minor, ".", patch); }

}  // namespace kubelet_cm
