#include "checkpointmanager/checksum/composable_fnv.h"

#include <random>
#include <string>

#include "checkpointmanager/checksum/fnv1a.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

std::string RandomBytes(std::mt19937& random, size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

uint32_t Plain(uint32_t state, std::string_view bytes) {
  Fnv1a32 checksum(state);
  checksum.Update(bytes);
  return checksum.Value();
}

TEST(ComposableFnvTest, TheEmptyTextChangesNothing) {
  EXPECT_EQ(ComposableFnv().Apply(0x12345678), 0x12345678u);
  EXPECT_EQ(ComposableFnv(""), ComposableFnv());
}

TEST(ComposableFnvTest, AppliesLikeThePlainHashFromEveryLowByte) {
  std::mt19937 random(1);
  const std::string text = RandomBytes(random, 333);
  const ComposableFnv piece(text);
  for (uint32_t low = 0; low < 256; ++low) {
    const uint32_t state = (random() << 8) | low;
    ASSERT_EQ(piece.Apply(state), Plain(state, text)) << low;
  }
}

TEST(ComposableFnvTest, AppliesLikeThePlainHashForEveryLength) {
  std::mt19937 random(2);
  for (size_t size = 0; size < 70; ++size) {
    const std::string text = RandomBytes(random, size);
    const uint32_t state = random();
    ASSERT_EQ(ComposableFnv(text).Apply(state), Plain(state, text)) << size;
  }
}

TEST(ComposableFnvTest, PiecesAtRandomCutsMakeTheWhole) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    const std::string text = RandomBytes(random, 1 + random() % 2000);
    ComposableFnv whole;
    for (size_t at = 0; at < text.size();) {
      const size_t size = std::min<size_t>(random() % 300, text.size() - at);
      whole = ComposableFnv::Concat(whole, ComposableFnv(std::string_view(text).substr(at, size)));
      at += size;
    }
    ASSERT_EQ(whole, ComposableFnv(text));
    ASSERT_EQ(whole.Apply(Fnv1a32::kOffsetBasis), Fnv1a(text));
  }
}

TEST(ComposableFnvTest, ConcatenatesInWhicheverGrouping) {
  const ComposableFnv a("pod-a");
  const ComposableFnv b(" pod-b");
  const ComposableFnv c(" pod-c");
  EXPECT_EQ(ComposableFnv::Concat(ComposableFnv::Concat(a, b), c),
            ComposableFnv::Concat(a, ComposableFnv::Concat(b, c)));
  EXPECT_NE(ComposableFnv::Concat(a, b), ComposableFnv::Concat(b, a));
}

}  // namespace
}  // namespace kubelet_cm
