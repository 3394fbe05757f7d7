#include "kubelet_cm/pods/pod_uid.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/quote.h"

namespace kubelet_cm {
namespace {

constexpr size_t kLongest = 128;

}  // namespace

absl::Status ValidatePodUid(std::string_view uid) {
  const bool valid =
      !uid.empty() && uid.size() <= kLongest && uid.front() != '-' &&
      std::all_of(uid.begin(), uid.end(), [](unsigned char c) { return absl::ascii_isalnum(c) || c == '-'; });
  if (valid) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("the pod's uid ", GoQuote(uid.substr(0, kLongest)),
                                                 " is invalid: it has to be 1 to 128 letters, digits and '-'"));
}

}  // namespace kubelet_cm
