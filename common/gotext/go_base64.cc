#include "common/gotext/go_base64.h"

#include <array>
#include <cstdint>

namespace kubelet_cm {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNoDigit = 0xFF;

constexpr std::array<uint8_t, 256> MakeDigits() {
  std::array<uint8_t, 256> digits{};
  for (auto& digit : digits) digit = kNoDigit;
  for (size_t i = 0; i < kAlphabet.size(); ++i) digits[static_cast<uint8_t>(kAlphabet[i])] = static_cast<uint8_t>(i);
  return digits;
}
constexpr std::array<uint8_t, 256> kDigits = MakeDigits();

uint32_t Digit(char c) { return kDigits[static_cast<uint8_t>(c)]; }
bool IsLineBreak(char c) { return c == '\n' || c == '\r'; }

// Reads groups of four characters, the last one padded.
class Reader {
 public:
  Reader(std::string_view text, char* out) : text_(text), out_(out) {}

  bool Read() {
    while (at_ < text_.size()) {
      ReadPlainGroups();
      if (!ReadGroup()) return false;
    }
    return true;
  }

  size_t error_at() const { return error_at_; }
  const char* written() const { return out_; }

 private:
  // As long as there are four digits in a row.
  void ReadPlainGroups() {
    for (; text_.size() - at_ >= 4; at_ += 4) {
      const char* const in = text_.data() + at_;
      const uint32_t digits[] = {Digit(in[0]), Digit(in[1]), Digit(in[2]), Digit(in[3])};
      if ((digits[0] | digits[1] | digits[2] | digits[3]) == kNoDigit) return;
      Write(digits, 4);
    }
  }

  // Any group, or the line breaks at the end of the text.
  bool ReadGroup() {
    uint32_t digits[4] = {};
    size_t count = 0;
    while (count < 4) {
      if (at_ == text_.size()) return count == 0 || Fail(at_ - count);
      const char c = text_[at_++];
      if (IsLineBreak(c)) continue;
      if (const uint32_t digit = Digit(c); digit != kNoDigit) {
        digits[count++] = digit;
      } else if (c == '=') {
        return ReadPadding(digits, count);
      } else {
        return Fail(at_ - 1);
      }
    }
    Write(digits, count);
    return true;
  }

  // The first '=' has been read, behind `count` digits.
  bool ReadPadding(const uint32_t* digits, size_t count) {
    if (count < 2) return Fail(at_ - 1);
    if (count == 2) {
      SkipLineBreaks();
      if (at_ == text_.size()) return Fail(at_);
      if (text_[at_] != '=') return Fail(at_ - 1);
      ++at_;
    }
    SkipLineBreaks();
    if (at_ < text_.size()) return Fail(at_);
    Write(digits, count);
    return true;
  }

  void Write(const uint32_t* digits, size_t count) {
    const uint32_t bits = digits[0] << 18 | digits[1] << 12 | digits[2] << 6 | digits[3];
    *out_++ = static_cast<char>(bits >> 16);
    if (count > 2) *out_++ = static_cast<char>(bits >> 8);
    if (count > 3) *out_++ = static_cast<char>(bits);
  }

  void SkipLineBreaks() {
    while (at_ < text_.size() && IsLineBreak(text_[at_])) ++at_;
  }

  bool Fail(size_t at) {
    error_at_ = at;
    return false;
  }

  const std::string_view text_;
  char* out_;
  size_t at_ = 0;
  size_t error_at_ = 0;
};

}  // namespace

std::optional<size_t> DecodeGoBase64(std::string_view text, std::string* bytes) {
  bytes->resize(text.size() / 4 * 3 + 3);
  Reader reader(text, bytes->data());
  if (!reader.Read()) return reader.error_at();
  bytes->resize(static_cast<size_t>(reader.written() - bytes->data()));
  return std::nullopt;
}

}  // namespace kubelet_cm
