#include "checkpointmanager/checksum/composable_fnv.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstddef>
#include <cstring>
#include <numeric>

#include "checkpointmanager/checksum/fnv1a.h"

namespace kubelet_cm {
namespace {

// 256 states run through the text as vectors, eight at once: one multiplication takes several cycles to finish, and
// in each of them another can begin. They are named one by one because g++ keeps an array in memory.

void RunPortable(std::string_view text, uint32_t* states) {
  using Vector __attribute__((vector_size(16))) = uint32_t;
  for (size_t lane = 0; lane < 256; lane += 8 * 4) {
    Vector vectors[8];
    std::memcpy(vectors, states + lane, sizeof vectors);
    Vector a = vectors[0], b = vectors[1], c = vectors[2], d = vectors[3];
    Vector e = vectors[4], f = vectors[5], g = vectors[6], h = vectors[7];
    for (const char character : text) {
      const uint32_t byte = static_cast<uint8_t>(character);
      a = (a ^ byte) * Fnv1a32::kPrime;
      b = (b ^ byte) * Fnv1a32::kPrime;
      c = (c ^ byte) * Fnv1a32::kPrime;
      d = (d ^ byte) * Fnv1a32::kPrime;
      e = (e ^ byte) * Fnv1a32::kPrime;
      f = (f ^ byte) * Fnv1a32::kPrime;
      g = (g ^ byte) * Fnv1a32::kPrime;
      h = (h ^ byte) * Fnv1a32::kPrime;
    }
    const Vector results[8] = {a, b, c, d, e, f, g, h};
    std::memcpy(states + lane, results, sizeof results);
  }
}

#if defined(__x86_64__)
// The same with the instructions of AVX2. Not one template for both: outside of a function for AVX2, g++ takes a
// vector of 32 bytes for a thing in memory.
__attribute__((target("avx2"))) void RunAvx2(std::string_view text, uint32_t* states) {
  const __m256i prime = _mm256_set1_epi32(Fnv1a32::kPrime);
  for (size_t lane = 0; lane < 256; lane += 8 * 8) {
    __m256i* const place = reinterpret_cast<__m256i*>(states + lane);
    __m256i a = _mm256_loadu_si256(place), b = _mm256_loadu_si256(place + 1);
    __m256i c = _mm256_loadu_si256(place + 2), d = _mm256_loadu_si256(place + 3);
    __m256i e = _mm256_loadu_si256(place + 4), f = _mm256_loadu_si256(place + 5);
    __m256i g = _mm256_loadu_si256(place + 6), h = _mm256_loadu_si256(place + 7);
    for (const char character : text) {
      const __m256i byte = _mm256_set1_epi32(static_cast<uint8_t>(character));
      a = _mm256_mullo_epi32(_mm256_xor_si256(a, byte), prime);
      b = _mm256_mullo_epi32(_mm256_xor_si256(b, byte), prime);
      c = _mm256_mullo_epi32(_mm256_xor_si256(c, byte), prime);
      d = _mm256_mullo_epi32(_mm256_xor_si256(d, byte), prime);
      e = _mm256_mullo_epi32(_mm256_xor_si256(e, byte), prime);
      f = _mm256_mullo_epi32(_mm256_xor_si256(f, byte), prime);
      g = _mm256_mullo_epi32(_mm256_xor_si256(g, byte), prime);
      h = _mm256_mullo_epi32(_mm256_xor_si256(h, byte), prime);
    }
    _mm256_storeu_si256(place, a), _mm256_storeu_si256(place + 1, b);
    _mm256_storeu_si256(place + 2, c), _mm256_storeu_si256(place + 3, d);
    _mm256_storeu_si256(place + 4, e), _mm256_storeu_si256(place + 5, f);
    _mm256_storeu_si256(place + 6, g), _mm256_storeu_si256(place + 7, h);
  }
}

// Dispatched by hand: clang 14 has no target_clones, and their resolvers run before a sanitizer is ready. AVX-512
// measured no faster.
void Run(std::string_view text, uint32_t* states) {
  if (__builtin_cpu_supports("avx2")) return RunAvx2(text, states);
  RunPortable(text, states);
}
#else
void Run(std::string_view text, uint32_t* states) { RunPortable(text, states); }
#endif

uint32_t PrimeToThePower(size_t exponent) {
  uint32_t result = 1;
  for (uint32_t base = Fnv1a32::kPrime; exponent != 0; exponent >>= 1, base *= base) {
    if (exponent & 1) result *= base;
  }
  return result;
}

}  // namespace

ComposableFnv::ComposableFnv() { std::iota(from_low_byte_.begin(), from_low_byte_.end(), 0u); }

ComposableFnv::ComposableFnv(std::string_view text) : ComposableFnv() {
  factor_ = PrimeToThePower(text.size());
  Run(text, from_low_byte_.data());
}

ComposableFnv ComposableFnv::Concat(const ComposableFnv& left, const ComposableFnv& right) {
  ComposableFnv both;
  both.factor_ = left.factor_ * right.factor_;
  for (size_t low = 0; low < left.from_low_byte_.size(); ++low) {
    both.from_low_byte_[low] = right.Apply(left.from_low_byte_[low]);
  }
  return both;
}

}  // namespace kubelet_cm
