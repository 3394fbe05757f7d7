#include "checkpointmanager/checksum/go_dump.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "checkpointmanager/checksum/fnv1a.h"

namespace kubelet_cm {
namespace {

// A byte's decimal digits and the space behind them, and how many characters these are.
struct Decimal {
  char text[4];
  uint8_t size;
};

constexpr std::array<Decimal, 256> MakeDecimals() {
  std::array<Decimal, 256> decimals{};
  for (int number = 0; number < 256; ++number) {
    Decimal& decimal = decimals[number];
    const auto add = [&decimal](int digit) { decimal.text[decimal.size++] = static_cast<char>('0' + digit); };
    if (number >= 100) add(number / 100);
    if (number >= 10) add(number / 10 % 10);
    add(number % 10);
    decimal.text[decimal.size++] = ' ';
  }
  return decimals;
}

constexpr std::array<Decimal, 256> kDecimals = MakeDecimals();

}  // namespace

void GoDump::Print(absl::FunctionRef<void(GoDump&)> print, Sink sink) {
  GoDump dump(sink);
  print(dump);
  dump.Flush(dump.at_ - dump.buffer_);
}

void GoDump::BytesField(std::string_view name, std::optional<std::string_view> bytes) {
  Name(name);
  Type("[]uint8");
  if (!bytes.has_value()) return Nil();
  Open("[");
  Decimals(*bytes);
  Close(']');
}

void GoDump::Decimals(std::string_view bytes) {
  constexpr size_t kPart = 64;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(kPart, bytes.size()))) {
    const std::string_view part = bytes.substr(0, kPart);
    // In multiples of what is hashed at once (fnv1a_wide.h).
    if (end_ - at_ < static_cast<ptrdiff_t>(kPart * sizeof Decimal::text)) Flush((at_ - buffer_) / 512 * 512);
    char* at = at_;
    for (const char byte : part) {
      const Decimal& decimal = kDecimals[static_cast<uint8_t>(byte)];
      std::memcpy(at, decimal.text, sizeof decimal.text);
      at += decimal.size;
    }
    // No space behind the last one.
    at_ = part.size() == bytes.size() ? at - 1 : at;
  }
}

void GoDump::Signed(int64_t number) {
  char digits[24];
  Text(std::string_view(digits, std::to_chars(digits, digits + sizeof digits, number).ptr - digits));
}

void GoDump::Unsigned(uint64_t number) {
  char digits[24];
  Text(std::string_view(digits, std::to_chars(digits, digits + sizeof digits, number).ptr - digits));
}

void GoDump::TextInChunks(std::string_view text) {
  while (!text.empty()) {
    if (at_ == end_) Flush(kBufferBytes);
    const size_t size = text.copy(at_, end_ - at_);
    at_ += size;
    text.remove_prefix(size);
  }
}

void GoDump::Flush(size_t size) {
  if (size == 0) return;
  sink_(std::string_view(buffer_, size));
  const size_t rest = at_ - buffer_ - size;
  std::memmove(buffer_, buffer_ + size, rest);
  at_ = buffer_ + rest;
}

uint32_t GoDumpChecksum(absl::FunctionRef<void(GoDump&)> print) {
  Fnv1a32 checksum;
  GoDump::Print(print, [&checksum](std::string_view chunk) { checksum.Update(chunk); });
  return checksum.Value();
}

void AppendGoDump(absl::FunctionRef<void(GoDump&)> print, std::string& out) {
  GoDump::Print(print, [&out](std::string_view chunk) { out += chunk; });
}

std::string GoDumpText(absl::FunctionRef<void(GoDump&)> print) {
  std::string text;
  AppendGoDump(print, text);
  return text;
}

}  // namespace kubelet_cm
