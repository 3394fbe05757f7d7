#include "checkpointmanager/checksum/fnv_sequence.h"

#include <random>
#include <string>
#include <vector>

#include "checkpointmanager/checksum/fnv1a.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

// A list of texts with a sequence over it, and a count of how many texts were asked for.
class Texts {
 public:
  explicit Texts(std::vector<std::string> texts, std::string separator = " ")
      : texts_(std::move(texts)), separator_(separator), sequence_(std::move(separator)) {
    sequence_.Reset(texts_.size());
  }

  void Insert(size_t index, std::string text) {
    texts_.insert(texts_.begin() + index, std::move(text));
    sequence_.Insert(index);
  }
  void Replace(size_t index, std::string text) {
    texts_[index] = std::move(text);
    sequence_.Replace(index);
  }
  void Remove(size_t index) {
    texts_.erase(texts_.begin() + index);
    sequence_.Remove(index);
  }
  uint32_t Hash(uint32_t before = Fnv1a32::kOffsetBasis) {
    return sequence_.Hash(before, [this](size_t index, std::string& out) { Render(index, out); });
  }
  bool Prepare(size_t bytes) {
    return sequence_.Prepare(bytes, [this](size_t index, std::string& out) { Render(index, out); });
  }
  uint32_t PlainHash(uint32_t before = Fnv1a32::kOffsetBasis) const {
    Fnv1a32 checksum(before);
    for (size_t i = 0; i < texts_.size(); ++i) {
      if (i != 0) checksum.Update(separator_);
      checksum.Update(texts_[i]);
    }
    return checksum.Value();
  }
  size_t TakeRendered() { return std::exchange(rendered_, 0); }
  size_t size() const { return texts_.size(); }
  const FnvSequence& sequence() const { return sequence_; }

 private:
  void Render(size_t index, std::string& out) {
    ++rendered_;
    out += texts_.at(index);
  }

  std::vector<std::string> texts_;
  const std::string separator_;
  FnvSequence sequence_;
  size_t rendered_ = 0;
};

std::string RandomText(std::mt19937& random, size_t size) {
  std::string text(size, '\0');
  for (char& byte : text) byte = static_cast<char>(random());
  return text;
}

std::vector<std::string> RandomTexts(std::mt19937& random, size_t count, size_t size) {
  std::vector<std::string> texts(count);
  for (std::string& text : texts) text = RandomText(random, random() % (2 * size));
  return texts;
}

void ChangeSomething(Texts& texts, std::mt19937& random, size_t size) {
  const size_t kind = random() % 3;
  if (texts.size() == 0 || kind == 0) return texts.Insert(random() % (texts.size() + 1), RandomText(random, size));
  const size_t index = random() % texts.size();
  if (kind == 1) return texts.Replace(index, RandomText(random, size));
  texts.Remove(index);
}

TEST(FnvSequenceTest, NothingLeavesTheStateAsItIs) {
  Texts texts({});
  EXPECT_EQ(texts.Hash(12345), 12345u);
}

TEST(FnvSequenceTest, PutsTheSeparatorBetweenNeighboursOnly) {
  EXPECT_EQ(Texts({"a"}).Hash(), Fnv1a("a"));
  EXPECT_EQ(Texts({"a", "b", "c"}).Hash(), Fnv1a("a b c"));
  EXPECT_EQ(Texts({"a", "b"}, ", ").Hash(), Fnv1a("a, b"));
}

TEST(FnvSequenceTest, TakesEmptyTextsAndNoSeparator) {
  EXPECT_EQ(Texts({"", "", "x", ""}, "").Hash(), Fnv1a("x"));
  EXPECT_EQ(Texts({"", ""}).Hash(), Fnv1a(" "));
}

TEST(FnvSequenceTest, EqualsThePlainHashAfterEveryRandomChange) {
  for (const size_t size : {0, 30, 1000, 5000}) {
    std::mt19937 random(size + 1);
    Texts texts(RandomTexts(random, 100, size + 1));
    for (int change = 0; change < 100; ++change) {
      ASSERT_EQ(texts.Hash(), texts.PlainHash()) << "texts of " << size << ", change " << change;
      ChangeSomething(texts, random, size);
    }
  }
}

TEST(FnvSequenceTest, EqualsThePlainHashAfterManyChangesAtOnce) {
  std::mt19937 random(7);
  Texts texts(RandomTexts(random, 500, 500));
  for (int round = 0; round < 20; ++round) {
    for (size_t change = random() % 200; change > 0; --change) ChangeSomething(texts, random, 500);
    ASSERT_EQ(texts.Hash(), texts.PlainHash()) << round;
    texts.Prepare(random() % 100000);
  }
}

TEST(FnvSequenceTest, EqualsThePlainHashWhenWhatStandsBeforeChanges) {
  std::mt19937 random(8);
  Texts texts(RandomTexts(random, 300, 500));
  for (uint32_t round = 0; round < 30; ++round) {
    const uint32_t before = random();
    ASSERT_EQ(texts.Hash(before), texts.PlainHash(before)) << round;
  }
}

TEST(FnvSequenceTest, SurvivesRemovalOfEverything) {
  std::mt19937 random(9);
  Texts texts(RandomTexts(random, 100, 1000));
  while (texts.size() > 0) {
    texts.Remove(random() % texts.size());
    ASSERT_EQ(texts.Hash(), texts.PlainHash());
  }
  texts.Insert(0, "back");
  EXPECT_EQ(texts.Hash(), Fnv1a("back"));
}

TEST(FnvSequenceTest, ReadsNothingWhenNothingChanged) {
  std::mt19937 random(10);
  Texts texts(RandomTexts(random, 1000, 500));
  texts.Hash();
  EXPECT_EQ(texts.TakeRendered(), 1000u);
  texts.Hash();
  EXPECT_EQ(texts.TakeRendered(), 0u);
}

TEST(FnvSequenceTest, ReadsTheEndOnlyAfterAnAddition) {
  std::mt19937 random(11);
  Texts texts(std::vector<std::string>(1000, std::string(1000, 'x')));
  texts.Hash();
  texts.TakeRendered();
  texts.Insert(1000, "new");
  EXPECT_EQ(texts.Hash(), texts.PlainHash());
  EXPECT_LE(texts.TakeRendered(), 30u);
}

TEST(FnvSequenceTest, ReadsTheChangedBlocksOnlyOnceItIsPrepared) {
  std::mt19937 random(12);
  Texts texts(std::vector<std::string>(1000, std::string(1000, 'x')));
  texts.Hash();
  while (texts.Prepare(100'000)) continue;
  texts.TakeRendered();
  for (int change = 0; change < 50; ++change) {
    texts.Replace(random() % texts.size(), RandomText(random, 1000));
    ASSERT_EQ(texts.Hash(), texts.PlainHash());
  }
  // Each time the block that changed; and once again, for its map, when a change comes in front of it.
  EXPECT_LE(texts.TakeRendered(), 50u * 2 * 20);
}

TEST(FnvSequenceTest, IsNotReadAgainWhenOnlyWhatIsAheadChanges) {
  const std::vector<std::string> texts(20, std::string(1000, 'x'));
  size_t rendered = 0;
  const auto render = [&](size_t index, std::string& out) {
    ++rendered;
    out += texts[index];
  };
  FnvSequence sequence(" ", FnvSequence::Ahead::kChanging);
  sequence.Reset(texts.size());
  sequence.Hash(1, render);
  while (sequence.Prepare(1000, render)) continue;
  rendered = 0;
  EXPECT_EQ(sequence.Hash(2, render), Texts(texts).PlainHash(2));
  EXPECT_EQ(rendered, 0u);
}

TEST(FnvSequenceTest, PreparesItselfByHashing) {
  std::mt19937 random(13);
  Texts texts(std::vector<std::string>(2000, std::string(1000, 'x')));
  for (int change = 0; change < 40; ++change) {
    texts.Hash();
    texts.TakeRendered();
    texts.Replace(0, RandomText(random, 1000));
  }
  texts.Hash();
  EXPECT_LE(texts.TakeRendered(), 150u);
}

TEST(FnvSequenceTest, HoldsLittleMemoryForLargeAndForShrunkenLists) {
  std::mt19937 random(14);
  Texts texts(std::vector<std::string>(2000, std::string(1000, 'x')));
  texts.Hash();
  while (texts.Prepare(1'000'000)) continue;
  EXPECT_LE(texts.sequence().MemoryBytes(), 2000u * 1000 * 15 / 100);
  while (texts.size() > 200) texts.Remove(random() % texts.size());
  EXPECT_EQ(texts.Hash(), texts.PlainHash());
  while (texts.Prepare(1'000'000)) continue;
  EXPECT_LE(texts.sequence().MemoryBytes(), 100'000u);
}

TEST(FnvSequenceDeathTest, RefusesElementsThatChangedWithoutNotice) {
  std::vector<std::string> texts(100, std::string(1000, 'x'));
  const auto render = [&](size_t index, std::string& out) { out += texts[index]; };
  FnvSequence sequence(" ");
  sequence.Reset(texts.size());
  sequence.Hash(1, render);
  texts[50] += "more";
  EXPECT_DEATH(sequence.Hash(2, render), "changed without notice");
}

}  // namespace
}  // namespace kubelet_cm
