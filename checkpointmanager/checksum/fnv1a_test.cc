#include "checkpointmanager/checksum/fnv1a.h"

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

// The definition, a byte at a time.
uint32_t ByDefinition(uint32_t state, std::string_view bytes) {
  for (const char byte : bytes) state = (state ^ static_cast<uint8_t>(byte)) * 16777619u;
  return state;
}

TEST(Fnv1aTest, GivesThePublishedValues) {
  EXPECT_EQ(Fnv1a(""), 0x811c9dc5u);
  EXPECT_EQ(Fnv1a("a"), 0xe40c292cu);
  EXPECT_EQ(Fnv1a("foobar"), 0xbf9cf968u);
  EXPECT_EQ(Fnv1a("\xff"), ByDefinition(Fnv1a32::kOffsetBasis, "\xff"));
}

TEST(Fnv1aTest, HashesTheEmptyDeviceCheckpointAsUpstreamDoes) {
  EXPECT_EQ(Fnv1a("(checkpoint.checkpointData){PodDeviceEntries:([]checkpoint.PodDevicesEntry)<nil> "
                  "RegisteredDevices:(map[string][]string)map[]}"),
            3467439661u);
}

TEST(Fnv1aTest, EqualsTheDefinitionForEveryLength) {
  std::mt19937 random(1);
  for (size_t size = 0; size < 2500; ++size) {
    const std::string bytes = RandomBytes(random, size);
    ASSERT_EQ(Fnv1a(bytes), ByDefinition(Fnv1a32::kOffsetBasis, bytes)) << size;
  }
}

TEST(Fnv1aTest, EqualsTheDefinitionFromEveryLowByte) {
  std::mt19937 random(2);
  const std::string bytes = RandomBytes(random, 1500);
  for (uint32_t low = 0; low < 256; ++low) {
    const uint32_t state = (random() << 8) | low;
    Fnv1a32 checksum(state);
    checksum.Update(bytes);
    ASSERT_EQ(checksum.Value(), ByDefinition(state, bytes)) << low;
  }
}

TEST(Fnv1aTest, EqualsTheDefinitionForExtremeBytes) {
  for (const char byte : {'\0', '\x7f', '\x80', '\xff'}) {
    const std::string bytes(5000, byte);
    EXPECT_EQ(Fnv1a(bytes), ByDefinition(Fnv1a32::kOffsetBasis, bytes)) << static_cast<int>(byte);
  }
}

TEST(Fnv1aTest, DoesNotDependOnHowTheBytesAreCut) {
  std::mt19937 random(3);
  const std::string bytes = RandomBytes(random, 20000);
  Fnv1a32 checksum;
  for (size_t at = 0; at < bytes.size();) {
    const size_t size = std::min<size_t>(random() % 3000, bytes.size() - at);
    checksum.Update(std::string_view(bytes).substr(at, size));
    at += size;
  }
  EXPECT_EQ(checksum.Value(), Fnv1a(bytes));
}

TEST(Fnv1aTest, UndoTakesBackWhatWasHashedLast) {
  Fnv1a32 checksum;
  checksum.Update("devices[");
  const uint32_t before = checksum.Value();
  checksum.Update("a \xff{");
  EXPECT_NE(checksum.Value(), before);
  checksum.Undo("a \xff{");
  EXPECT_EQ(checksum.Value(), before);
}

}  // namespace
}  // namespace kubelet_cm
