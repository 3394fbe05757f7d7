#include "kubelet_cm/apiserver/bearer_token.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "common/filesystem/file_functions.h"

namespace kubelet_cm::apiserver {
namespace {

constexpr size_t kMaxTokenSize = size_t{64} << 10;

}  // namespace

BearerToken::BearerToken(FileSystem& files, const Clock& clock, std::string token, std::string path)
    : files_(files), clock_(clock), path_(std::move(path)), token_(std::move(token)) {
  if (!path_.empty()) Read();
}

void BearerToken::Read() {
  absl::StatusOr<std::string> text = ReadFile(files_, path_, kMaxTokenSize);
  if (text.ok()) absl::StripAsciiWhitespace(&*text);
  const bool is_token = text.ok() && !text->empty() && std::all_of(text->begin(), text->end(), [](char c) {
                          return absl::ascii_isgraph(static_cast<unsigned char>(c));
                        });
  MutexLock lock(&mu_);
  good_until_ = clock_.MonotonicNow() + kTokenLife;
  if (is_token) token_ = *std::move(text);
}

std::string BearerToken::Get() {
  if (!path_.empty()) {
    bool stale = false;
    {
      MutexLock lock(&mu_);
      stale = clock_.MonotonicNow() >= good_until_;
    }
    if (stale) Read();
  }
  MutexLock lock(&mu_);
  return token_;
}

bool BearerToken::Renew(const std::string& refused) {
  if (path_.empty()) return false;
  Read();
  MutexLock lock(&mu_);
  return token_ != refused;
}

}  // namespace kubelet_cm::apiserver
