#include "deviceplugin/checkpoint/device_checkpoint_text.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/sample_content.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

std::string Rendered(DeviceCheckpointText& text) {
  std::string out;
  text.Render(&out);
  return out;
}

void ExpectPlain(DeviceCheckpointText& text) {
  ASSERT_EQ(Rendered(text), EncodeDevices(text.Content(), DeviceLayout::kV2));
}

TEST(DeviceCheckpointTextTest, StartsAsAnEmptyCheckpoint) {
  DeviceCheckpointText text;
  EXPECT_EQ(Rendered(text), R"({"Data":{"PodDeviceEntries":null,"RegisteredDevices":{}},"Checksum":3467439661})");
}

TEST(DeviceCheckpointTextTest, HoldsWhatItWasGiven) {
  DeviceCheckpointText text(SampleContent(300));
  EXPECT_EQ(text.Content(), SampleContent(300));
  ExpectPlain(text);
}

TEST(DeviceCheckpointTextTest, EntriesAreInTheOrderOfTheirKeys) {
  DeviceCheckpointText text;
  for (const size_t pod : {5, 1, 3}) text.Set(SampleEntry(pod));
  EXPECT_EQ(*text.Content().entries, (std::vector{SampleEntry(1), SampleEntry(3), SampleEntry(5)}));
}

TEST(DeviceCheckpointTextTest, OfTwoEntriesWithOneKeyTheLaterCounts) {
  DeviceContent content = SampleContent(1);
  content.entries->push_back(SampleEntry(0));
  content.entries->back().devices = DevicesPerNuma{{0, DeviceIds{"later"}}};
  DeviceCheckpointText text(content);
  ASSERT_EQ(text.entries(), 1u);
  EXPECT_THAT(FlatDevices(text.Content().entries->front()), testing::ElementsAre("later"));
  ExpectPlain(text);
}

TEST(DeviceCheckpointTextTest, AFileInAnyOrderIsPutInOrderAndItsLaterEntriesCount) {
  DeviceContent content = SampleContent(200);
  std::reverse(content.entries->begin(), content.entries->end());
  content.entries->push_back(SampleEntry(7));
  content.entries->back().alloc_response = "later";
  DeviceCheckpointText text(content);
  DeviceContent expected = SampleContent(200);
  expected.entries->at(7).alloc_response = "later";
  EXPECT_EQ(text.Content().entries, expected.entries);
  ExpectPlain(text);
}

TEST(DeviceCheckpointTextTest, RemovingTheLastEntryMakesThemNil) {
  DeviceCheckpointText text;
  text.Set(SampleEntry(0));
  EXPECT_TRUE(text.Remove(KeyOf(SampleEntry(0))));
  EXPECT_FALSE(text.Remove(KeyOf(SampleEntry(0))));
  EXPECT_EQ(text.Content().entries, std::nullopt);
  ExpectPlain(text);
}

// More than a block holds.
constexpr size_t kPods = 150;

// A text, and beside it what it must say.
class Pair {
 public:
  Pair(uint32_t seed, size_t entries) : random_(seed), text_(SampleContent(entries)) {
    for (size_t pod = 0; pod < entries; ++pod) entries_[SampleEntry(pod).pod_uid] = SampleEntry(pod);
    registered_ = *SampleContent(0).registered;
  }

  void Edit() {
    DeviceEntry entry = SampleEntry(random_() % kPods);
    switch (random_() % 9) {
      case 0:
      case 1:
        EXPECT_EQ(text_.Remove(KeyOf(entry)), entries_.erase(entry.pod_uid) == 1);
        return;
      case 2:
        registered_ = {{"r1", DeviceIds{absl::StrCat(random_() % 3)}}, {"r2", std::nullopt}};
        return text_.SetRegistered(registered_);
      case 3:
        entry.alloc_response.reset();
        break;
      case 4:
        text_.Prepare(random_() % 40'000);
        return;
      default:
        (*entry.devices)[static_cast<int64_t>(random_() % 5) - 1] = DeviceIds(random_() % 30, "<dev>");
    }
    entries_[entry.pod_uid] = entry;
    text_.Set(std::move(entry));
  }
  void Edit(uint32_t most) {
    for (uint32_t edits = random_() % (most + 1); edits > 0; --edits) Edit();
  }

  void ExpectEqual() {
    DeviceContent content{.entries = std::nullopt, .registered = registered_};
    for (const auto& [pod, entry] : entries_) {
      if (!content.entries.has_value()) content.entries.emplace();
      content.entries->push_back(entry);
    }
    ASSERT_EQ(Rendered(text_), EncodeDevices(content, DeviceLayout::kV2));
    ASSERT_EQ(text_.Content(), content);
  }

 private:
  std::mt19937 random_;
  DeviceCheckpointText text_;
  std::map<std::string, DeviceEntry> entries_;  // of one container and resource, by pod
  RegisteredDevices registered_;
};

TEST(DeviceCheckpointTextTest, AnyScriptOfEditsRendersWhatThePlainEncoderWrites) {
  for (const uint32_t seed : {1u, 2u, 3u}) {
    Pair pair(seed, seed % 2 == 0 ? kPods : 0);
    for (int step = 0; step < 120; ++step) {
      SCOPED_TRACE(absl::StrCat("seed ", seed, ", step ", step));
      pair.Edit(3);
      ASSERT_NO_FATAL_FAILURE(pair.ExpectEqual());
    }
  }
}

// That preparing pays is measured by tools/bench.
TEST(DeviceCheckpointTextTest, PreparesAPieceAtATimeUntilNothingIsLeft) {
  DeviceCheckpointText text(SampleContent(kPods));
  int pieces = 0;
  while (text.Prepare(1)) ++pieces;
  EXPECT_GT(pieces, 10);
  ExpectPlain(text);
  text.Set(SampleEntry(kPods));
  EXPECT_FALSE(text.Prepare(1));
  ExpectPlain(text);
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
