// Finds the bytes of a JSON string that need attention, a block of 8 or 16 bytes at a time.
//
// Reads only inside [text, text + size). Pure functions, in the header because they are the inner loops of reading and
// writing.
#ifndef KUBELET_CM_COMMON_GOTEXT_BYTE_SCAN_H_
#define KUBELET_CM_COMMON_GOTEXT_BYTE_SCAN_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace kubelet_cm {

// Eight bytes as one word; a mask has the top bit of each byte that matched. Exact up to and including the first match,
// which is all that its users look at.
class WordBlock {
 public:
  static constexpr size_t kWidth = 8;
  static constexpr bool kExact = false;  // whether masks tell of every match

  explicit WordBlock(const char* text) {
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(&word_, text, kWidth);
  }

  void Store(char* out) const { std::memcpy(out, &word_, kWidth); }
  uint64_t Equals(char byte) const { return Zeros(word_ ^ Repeat(byte)); }
  uint64_t EqualsButFor(char ignored_bits, char byte) const {
    return Zeros((word_ | Repeat(ignored_bits)) ^ Repeat(byte));
  }
  uint64_t BelowSpace() const { return (word_ - Repeat(' ')) & ~word_ & kTops; }
  uint64_t HighBit() const { return word_ & kTops; }
  static size_t First(uint64_t mask) { return static_cast<size_t>(std::countr_zero(mask)) / 8; }

 private:
  static constexpr uint64_t kOnes = 0x0101010101010101;
  static constexpr uint64_t kTops = 0x8080808080808080;

  static constexpr uint64_t Repeat(char byte) { return kOnes * static_cast<uint8_t>(byte); }
  static constexpr uint64_t Zeros(uint64_t word) { return (word - kOnes) & ~word & kTops; }

  uint64_t word_;
};

#if defined(__SSE2__)
// Sixteen bytes in a vector register; a mask has one bit for each byte that matched.
class VectorBlock {
 public:
  static constexpr size_t kWidth = 16;
  static constexpr bool kExact = true;

  explicit VectorBlock(const char* text) { std::memcpy(&bytes_, text, kWidth); }

  void Store(char* out) const { std::memcpy(out, &bytes_, kWidth); }
  uint64_t Equals(char byte) const { return Mask(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8(byte))); }
  uint64_t EqualsButFor(char ignored_bits, char byte) const {
    return Mask(_mm_cmpeq_epi8(_mm_or_si128(bytes_, _mm_set1_epi8(ignored_bits)), _mm_set1_epi8(byte)));
  }
  uint64_t BelowSpace() const {
    const __m128i last = _mm_set1_epi8(0x1F);
    return Mask(_mm_cmpeq_epi8(_mm_max_epu8(bytes_, last), last));
  }
  uint64_t HighBit() const { return Mask(bytes_); }
  static size_t First(uint64_t mask) { return static_cast<size_t>(std::countr_zero(mask)); }

 private:
  static uint64_t Mask(__m128i bytes) { return static_cast<uint32_t>(_mm_movemask_epi8(bytes)); }

  __m128i bytes_;
};
using WideBlock = VectorBlock;
#else
using WideBlock = WordBlock;
#endif

// What ends or interrupts a JSON string that is being read: a quote, a backslash, a control character.
struct ReadStop {
  template <typename Block>
  static uint64_t Match(const Block& block) {
    return block.Equals('"') | block.Equals('\\') | block.BelowSpace();
  }
  static bool Match(char byte) { return byte == '"' || byte == '\\' || static_cast<uint8_t>(byte) < 0x20; }
};

// What encoding/json may not write as it is: the above, the characters < > & that it escapes for the sake of HTML, and
// whatever is not ASCII.
struct WriteStop {
  template <typename Block>
  static uint64_t Match(const Block& block) {
    // 0x22 (") and 0x26 (&) differ in one bit, and so do 0x3C (<) and 0x3E (>).
    return block.EqualsButFor(4, '&') | block.EqualsButFor(2, '>') | block.Equals('\\') | block.BelowSpace() |
           block.HighBit();
  }
  static bool Match(char byte) {
    const auto value = static_cast<uint8_t>(byte);
    return value < 0x20 || value >= 0x80 || byte == '"' || byte == '&' || byte == '<' || byte == '>' || byte == '\\';
  }
};

// The index of the first byte of `text` that `Stop` matches, `size` if there is none.
template <typename Stop>
inline size_t FindStop(const char* text, size_t size) {
  size_t i = 0;
  for (; i + WideBlock::kWidth <= size; i += WideBlock::kWidth) {
    if (const uint64_t mask = Stop::Match(WideBlock(text + i)); mask != 0) return i + WideBlock::First(mask);
  }
  if constexpr (WideBlock::kWidth > WordBlock::kWidth) {
    if (i + WordBlock::kWidth <= size) {
      if (const uint64_t mask = Stop::Match(WordBlock(text + i)); mask != 0) return i + WordBlock::First(mask);
      i += WordBlock::kWidth;
    }
  }
  while (i < size && !Stop::Match(text[i])) ++i;
  return i;
}

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_BYTE_SCAN_H_
