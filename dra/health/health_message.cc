#include "dra/health/health_message.h"

#include <string_view>

namespace kubelet_cm::dra {
namespace {

constexpr std::string_view kEllipsis = "...";
// A character of UTF-8 has up to three of them; more in a row are no text, and cut anywhere.
constexpr size_t kMostContinuationBytes = 3;

bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

std::string CutHealthMessage(std::string message) {
  if (message.size() <= kMaxHealthMessageBytes) return message;
  const size_t room = kMaxHealthMessageBytes - kEllipsis.size();
  size_t kept = room;
  while (IsContinuation(message[kept]) && room - kept < kMostContinuationBytes) --kept;
  if (IsContinuation(message[kept])) kept = room;
  message.resize(kept);
  message += kEllipsis;
  return message;
}

}  // namespace kubelet_cm::dra
