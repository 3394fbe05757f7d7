#include "common/gotext/byte_scan.h"

#include <string>

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

template <typename Stop>
size_t FindByteByByte(const std::string& text) {
  size_t i = 0;
  while (i < text.size() && !Stop::Match(text[i])) ++i;
  return i;
}

// Every byte value at every place of texts from 1 to 40 bytes.
template <typename Stop>
void ExpectBlocksAgreeWithBytes() {
  for (size_t size = 1; size <= 40; ++size) {
    for (size_t place = 0; place < size; ++place) {
      for (int value = 0; value < 256; ++value) {
        std::string text(size, 'a');
        text[place] = static_cast<char>(value);
        ASSERT_EQ(FindStop<Stop>(text.data(), size), FindByteByByte<Stop>(text))
            << size << " " << place << " " << value;
      }
    }
  }
}

template <typename Block>
void ExpectFirstMatchIsExact() {
  for (int value = 0; value < 256; ++value) {
    for (size_t place = 0; place < Block::kWidth; ++place) {
      std::string text(Block::kWidth, '"');
      text.replace(0, place, place, static_cast<char>(0x80));
      text[place] = static_cast<char>(value);
      const uint64_t mask = Block(text.data()).BelowSpace();
      ASSERT_EQ(mask != 0 && Block::First(mask) == place, value < 0x20) << value << " " << place;
    }
  }
}

TEST(ByteScanTest, ReadingStopsWhereAByteByByteSearchStops) { ExpectBlocksAgreeWithBytes<ReadStop>(); }

TEST(ByteScanTest, WritingStopsWhereAByteByByteSearchStops) { ExpectBlocksAgreeWithBytes<WriteStop>(); }

TEST(ByteScanTest, ControlCharactersAreFoundAmongHighBytes) {
  ExpectFirstMatchIsExact<WordBlock>();
  ExpectFirstMatchIsExact<WideBlock>();
}

TEST(ByteScanTest, EmptyTextHasNoStop) { EXPECT_EQ(FindStop<WriteStop>("", 0), 0u); }

}  // namespace
}  // namespace kubelet_cm
