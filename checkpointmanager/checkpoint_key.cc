#include "checkpointmanager/checkpoint_key.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/quote.h"

namespace kubelet_cm {
namespace {

constexpr size_t kMaxKeyBytes = 250;

bool IsAlphanumeric(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }
bool IsInner(char c) { return IsAlphanumeric(c) || c == '-' || c == '_' || c == '.'; }

}  // namespace

absl::Status ValidateCheckpointKey(std::string_view key) {
  const bool valid = !key.empty() && key.size() <= kMaxKeyBytes && IsAlphanumeric(key.front()) &&
                     IsAlphanumeric(key.back()) && std::all_of(key.begin(), key.end(), IsInner);
  if (valid) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("invalid key: ", GoQuote(key)));
}

}  // namespace kubelet_cm
