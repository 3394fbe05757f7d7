#include "common/gotext/utf8.h"

namespace kubelet_cm {
namespace {

constexpr DecodedRune kMalformed{kReplacementRune, 1};

uint8_t ByteAt(std::string_view text, size_t i) { return static_cast<uint8_t>(text[i]); }

// How long the sequence is that starts with `lead`; 0 for a byte that starts none.
size_t SequenceLength(uint8_t lead) {
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

// The second byte's range excludes overlong forms, surrogates and what lies above U+10FFFF.
bool SecondByteFits(uint8_t lead, uint8_t second) {
  switch (lead) {
    case 0xE0:
      return second >= 0xA0 && second <= 0xBF;
    case 0xED:
      return second >= 0x80 && second <= 0x9F;
    case 0xF0:
      return second >= 0x90 && second <= 0xBF;
    case 0xF4:
      return second >= 0x80 && second <= 0x8F;
    default:
      return second >= 0x80 && second <= 0xBF;
  }
}

}  // namespace

DecodedRune DecodeRune(std::string_view text) {
  const uint8_t lead = ByteAt(text, 0);
  if (lead < 0x80) return {lead, 1};
  const size_t length = SequenceLength(lead);
  if (length == 0 || text.size() < length || !SecondByteFits(lead, ByteAt(text, 1))) return kMalformed;
  char32_t rune = lead & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) {
    const uint8_t byte = ByteAt(text, i);
    if ((byte & 0xC0) != 0x80) return kMalformed;
    rune = (rune << 6) | (byte & 0x3Fu);
  }
  return {rune, length};
}

size_t EncodeRune(char32_t rune, char* out) {
  if (rune < 0x80) {
    out[0] = static_cast<char>(rune);
    return 1;
  }
  if (rune < 0x800) {
    out[0] = static_cast<char>(0xC0 | (rune >> 6));
    out[1] = static_cast<char>(0x80 | (rune & 0x3F));
    return 2;
  }
  if (rune < 0x10000) {
    out[0] = static_cast<char>(0xE0 | (rune >> 12));
    out[1] = static_cast<char>(0x80 | ((rune >> 6) & 0x3F));
    out[2] = static_cast<char>(0x80 | (rune & 0x3F));
    return 3;
  }
  out[0] = static_cast<char>(0xF0 | (rune >> 18));
  out[1] = static_cast<char>(0x80 | ((rune >> 12) & 0x3F));
  out[2] = static_cast<char>(0x80 | ((rune >> 6) & 0x3F));
  out[3] = static_cast<char>(0x80 | (rune & 0x3F));
  return 4;
}

}  // namespace kubelet_cm
