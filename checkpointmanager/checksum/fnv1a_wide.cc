#include "checkpointmanager/checksum/fnv1a_wide.h"

#if defined(__x86_64__)

#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 takes the "undefined" operands inside of its own intrinsics for a mistake.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include <array>
#include <cstring>
#include <iterator>
#include <numeric>

#define WIDE_TARGET __attribute__((target("avx512f,avx512bw,avx512dq")))
#define WIDE_INLINE WIDE_TARGET __attribute__((always_inline)) inline

namespace kubelet_cm {
namespace {

constexpr uint32_t kPrime = 16777619;

constexpr size_t kChunk = 64;  // bytes in a vector, bits in a word
constexpr size_t kChunks = 8;  // in a block
constexpr size_t kBlock = kChunk * kChunks;
// Below this, filling and emptying the pipeline costs more than it gains.
constexpr size_t kWorthwhile = 2 * kBlock;

constexpr uint32_t PrimeToThe(size_t exponent) {
  uint32_t result = 1;
  for (; exponent > 0; --exponent) result *= kPrime;
  return result;
}

// p^(64-i) for each byte of a chunk, as high * 2^16 + low for multiplication by 16 bits.
struct Powers {
  alignas(64) std::array<int16_t, kChunk> low;
  alignas(64) std::array<int16_t, kChunk> high;
};

constexpr Powers MakePowers() {
  Powers powers{};
  for (size_t i = 0; i < kChunk; ++i) {
    const uint32_t power = PrimeToThe(kChunk - i);
    powers.low[i] = static_cast<int16_t>(power & 0xffff);
    powers.high[i] = static_cast<int16_t>((power - static_cast<uint32_t>(powers.low[i])) >> 16);
  }
  return powers;
}

constexpr Powers kPowers = MakePowers();

// A block turned by 90 degrees: word [k][c] has bit k of each byte of chunk c.
struct alignas(64) BitPlanes {
  uint64_t words[8][kChunks];
};

WIDE_INLINE void SplitChunk(const char* block, size_t chunk, BitPlanes& planes) {
  const __m512i bytes = _mm512_loadu_si512(block + chunk * kChunk);
  for (int bit = 0; bit < 8; ++bit) {
    const __m512i mask = _mm512_set1_epi8(static_cast<char>(1 << bit));
    planes.words[bit][chunk] = _cvtmask64_u64(_mm512_test_epi8_mask(bytes, mask));
  }
}

// Adds the terms of a chunk of which x is known to the sums, one for each lane, of the chunks before it.
WIDE_INLINE __m512i AddTerms(const char* block, size_t chunk, const BitPlanes& planes, __m512i sums) {
  __m512i x = _mm512_setzero_si512();
  for (int bit = 0; bit < 8; ++bit) {
    const __mmask64 mask = _cvtu64_mask64(planes.words[bit][chunk]);
    x = _mm512_mask_add_epi8(x, mask, x, _mm512_set1_epi8(static_cast<char>(1 << bit)));
  }
  const __m512i low_byte = _mm512_xor_si512(x, _mm512_loadu_si512(block + chunk * kChunk));
  const __m512i left = _mm512_sub_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(x)),
                                        _mm512_cvtepu8_epi16(_mm512_castsi512_si256(low_byte)));
  const __m512i right = _mm512_sub_epi16(_mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(x, 1)),
                                         _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(low_byte, 1)));
  const __m512i low = _mm512_add_epi32(_mm512_madd_epi16(left, _mm512_load_si512(&kPowers.low[0])),
                                       _mm512_madd_epi16(right, _mm512_load_si512(&kPowers.low[32])));
  const __m512i high = _mm512_add_epi32(_mm512_madd_epi16(left, _mm512_load_si512(&kPowers.high[0])),
                                        _mm512_madd_epi16(right, _mm512_load_si512(&kPowers.high[32])));
  const __m512i moved = _mm512_mullo_epi32(sums, _mm512_set1_epi32(static_cast<int>(PrimeToThe(kChunk))));
  return _mm512_add_epi32(moved, _mm512_add_epi32(low, _mm512_slli_epi32(high, 16)));
}

// One bit of x for a block, from that bit of the bytes and from f. `carry` is 0xff where the low byte before the block
// has the bit, else 0, and becomes that of the low byte after it.
WIDE_INLINE __m512i SolveBit(__m512i bytes, __m512i f, uint32_t& carry) {
  __m512i running = _mm512_xor_si512(bytes, f);
  running = _mm512_xor_si512(running, _mm512_slli_epi64(running, 1));
  running = _mm512_xor_si512(running, _mm512_slli_epi64(running, 2));
  running = _mm512_xor_si512(running, _mm512_slli_epi64(running, 4));
  running = _mm512_xor_si512(running, _mm512_slli_epi64(running, 8));
  running = _mm512_xor_si512(running, _mm512_slli_epi64(running, 16));
  running = _mm512_xor_si512(running, _mm512_slli_epi64(running, 32));
  // The same from word to word: the last bit of each is the xor of all its bits.
  uint32_t words = _cvtmask8_u32(_mm512_movepi64_mask(running));
  words ^= words << 1;
  words ^= words << 2;
  words ^= words << 4;
  const uint32_t before_word = ((words << 1) ^ carry) & 0xff;
  carry ^= (words & 0x80) != 0 ? 0xff : 0;
  // The low byte before each byte, not after it: one place on.
  const __m512i low_byte = _mm512_xor_si512(_mm512_slli_epi64(running, 1),  //
                                            _mm512_movm_epi64(_cvtu32_mask8(before_word)));
  return _mm512_xor_si512(low_byte, bytes);
}

WIDE_INLINE __m512i Xor(__m512i a, __m512i b) { return _mm512_xor_si512(a, b); }
WIDE_INLINE __m512i Xor(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
WIDE_INLINE __m512i Majority(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi64(a, b, c, 0xe8); }

// x * 0x93 = (x + 2x) + 16x + 128x, bit by bit: `sum` is that of the bracket, `carry_a` and `carry_b` those of the
// first and the second addition; f is what each bit has beside that of x. `between(k)` is called after each bit: work
// that depends on none of it, for the processor to do meanwhile, because each bit waits for the one below.
template <typename Between>
WIDE_INLINE void SolveBlock(const BitPlanes& bytes, BitPlanes& solved, uint32_t* carry, Between between) {
  const auto solve = [&](int bit, __m512i f) WIDE_TARGET __attribute__((always_inline)) {
    const __m512i x = SolveBit(_mm512_load_si512(bytes.words[bit]), f, carry[bit]);
    _mm512_store_si512(solved.words[bit], x);
    between(bit);
    return x;
  };
  const __m512i x0 = solve(0, _mm512_setzero_si512());
  const __m512i x1 = solve(1, x0);
  const __m512i carry_a2 = _mm512_and_si512(x1, x0);
  const __m512i x2 = solve(2, Xor(x1, carry_a2));
  const __m512i carry_a3 = Majority(x2, x1, carry_a2);
  const __m512i x3 = solve(3, Xor(x2, carry_a3));
  const __m512i carry_a4 = Majority(x3, x2, carry_a3);
  const __m512i x4 = solve(4, Xor(x3, carry_a4, x0));
  const __m512i sum4 = Xor(x4, x3, carry_a4);
  const __m512i carry_a5 = Majority(x4, x3, carry_a4);
  const __m512i carry_b5 = _mm512_and_si512(sum4, x0);
  const __m512i x5 = solve(5, Xor(Xor(x4, carry_a5, x1), carry_b5));
  const __m512i sum5 = Xor(x5, x4, carry_a5);
  const __m512i carry_a6 = Majority(x5, x4, carry_a5);
  const __m512i carry_b6 = Majority(sum5, x1, carry_b5);
  const __m512i x6 = solve(6, Xor(Xor(x5, carry_a6, x2), carry_b6));
  const __m512i sum6 = Xor(x6, x5, carry_a6);
  const __m512i carry_a7 = Majority(x6, x5, carry_a6);
  const __m512i carry_b7 = Majority(sum6, x2, carry_b6);
  solve(7, Xor(Xor(x6, carry_a7, x3), carry_b7, x0));
}

// Three stages at once, an eighth of each at a time: block n is solved while block n+1 is split and block n-1 added up.
WIDE_TARGET uint32_t HashBlocks(uint32_t state, const char* bytes, size_t blocks) {
  static constexpr char kZeros[kBlock] = {};  // stands for the block before the first: terms of 0
  BitPlanes split[2];
  BitPlanes solved[2];
  std::memset(solved, 0, sizeof solved);
  uint32_t carry[8];
  for (int bit = 0; bit < 8; ++bit) carry[bit] = (state >> bit & 1) != 0 ? 0xff : 0;
  for (size_t chunk = 0; chunk < kChunks; ++chunk) SplitChunk(bytes, chunk, split[0]);

  uint32_t start = state;
  __m512i sums = _mm512_setzero_si512();
  const char* before = kZeros;
  for (size_t n = 0; n < blocks; ++n) {
    const size_t now = n % 2;
    const size_t other = 1 - now;
    const char* const block = bytes + n * kBlock;
    const char* const behind = n + 1 < blocks ? block + kBlock : block;
    SolveBlock(
        split[now], solved[now], carry, [&](size_t chunk) WIDE_TARGET __attribute__((always_inline)) {
          SplitChunk(behind, chunk, split[other]);
          sums = AddTerms(before, chunk, solved[other], sums);
        });
    before = block;
    start *= PrimeToThe(kBlock);
  }
  for (size_t chunk = 0; chunk < kChunks; ++chunk) sums = AddTerms(before, chunk, solved[(blocks - 1) % 2], sums);
  uint32_t lanes[kChunk / sizeof(uint32_t)];
  _mm512_storeu_si512(lanes, sums);
  return std::accumulate(std::begin(lanes), std::end(lanes), start);
}

bool IsSupported() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
}

}  // namespace

size_t UpdateFnv1aWide(uint32_t& state, std::string_view bytes) {
  if (bytes.size() < kWorthwhile || !IsSupported()) return 0;
  const size_t blocks = bytes.size() / kBlock;
  state = HashBlocks(state, bytes.data(), blocks);
  return blocks * kBlock;
}

}  // namespace kubelet_cm

#else

namespace kubelet_cm {

size_t UpdateFnv1aWide(uint32_t&, std::string_view) { return 0; }

}  // namespace kubelet_cm

#endif
