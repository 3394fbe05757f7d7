#include "checkpointmanager/checksum/fnv1a_wide.h"

#include <random>
#include <string>

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

std::string RandomBytes(std::mt19937& random, size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

uint32_t ByDefinition(uint32_t state, std::string_view bytes) {
  for (const char byte : bytes) state = (state ^ static_cast<uint8_t>(byte)) * 16777619u;
  return state;
}

// Hashes what it does wide, and the rest by definition.
uint32_t Wide(uint32_t state, std::string_view bytes) {
  const size_t done = UpdateFnv1aWide(state, bytes);
  EXPECT_LE(done, bytes.size());
  EXPECT_EQ(done % 512, 0u);
  return ByDefinition(state, bytes.substr(done));
}

TEST(Fnv1aWideTest, LeavesShortTextsAlone) {
  uint32_t state = 17;
  EXPECT_EQ(UpdateFnv1aWide(state, ""), 0u);
  EXPECT_EQ(UpdateFnv1aWide(state, std::string(700, 'x')), 0u);
  EXPECT_EQ(state, 17u);
}

TEST(Fnv1aWideTest, EqualsTheDefinitionForEveryNumberOfBlocks) {
  std::mt19937 random(1);
  for (size_t size = 1000; size < 20000; size += 171) {
    const std::string bytes = RandomBytes(random, size);
    const uint32_t state = random();
    ASSERT_EQ(Wide(state, bytes), ByDefinition(state, bytes)) << size;
  }
}

TEST(Fnv1aWideTest, EqualsTheDefinitionFromEveryLowByte) {
  std::mt19937 random(2);
  const std::string bytes = RandomBytes(random, 3000);
  for (uint32_t low = 0; low < 256; ++low) {
    const uint32_t state = (random() << 8) | low;
    ASSERT_EQ(Wide(state, bytes), ByDefinition(state, bytes)) << low;
  }
}

TEST(Fnv1aWideTest, EqualsTheDefinitionForRuns) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string bytes(2048, static_cast<char>(byte));
    ASSERT_EQ(Wide(1, bytes), ByDefinition(1, bytes)) << byte;
  }
}

TEST(Fnv1aWideTest, EqualsTheDefinitionAtEveryAddress) {
  std::mt19937 random(3);
  const std::string bytes = RandomBytes(random, 4096 + 64);
  for (size_t offset = 0; offset < 64; ++offset) {
    const std::string_view part = std::string_view(bytes).substr(offset, 4096);
    ASSERT_EQ(Wide(5, part), ByDefinition(5, part)) << offset;
  }
}

TEST(Fnv1aWideTest, EqualsTheDefinitionForMegabytes) {
  std::mt19937 random(4);
  const std::string bytes = RandomBytes(random, 3'000'001);
  EXPECT_EQ(Wide(2166136261u, bytes), ByDefinition(2166136261u, bytes));
}

}  // namespace
}  // namespace kubelet_cm
