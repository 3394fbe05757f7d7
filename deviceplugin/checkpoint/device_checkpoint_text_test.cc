#include "deviceplugin/checkpoint/device_checkpoint_text.h"

#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/sample_content.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
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

// One step of a random walk.
void Edit(DeviceCheckpointText& text, std::mt19937& random) {
  DeviceEntry entry = SampleEntry(random() % kPods);
  switch (random() % 8) {
    case 0:
    case 1:
      text.Remove(KeyOf(entry));
      return;
    case 2:
      return text.SetRegistered({{"r1", DeviceIds{absl::StrCat(random() % 3)}}, {"r2", std::nullopt}});
    case 3:
      entry.alloc_response.reset();
      return text.Set(std::move(entry));
    default:
      (*entry.devices)[static_cast<int64_t>(random() % 5) - 1] = DeviceIds(random() % 30, "<dev>");
      return text.Set(std::move(entry));
  }
}

TEST(DeviceCheckpointTextTest, AnyScriptOfEditsRendersWhatThePlainEncoderWrites) {
  for (const uint32_t seed : {1u, 2u, 3u}) {
    std::mt19937 random(seed);
    DeviceCheckpointText text(SampleContent(seed % 2 == 0 ? kPods : 0));
    for (int step = 0; step < 120; ++step) {
      SCOPED_TRACE(absl::StrCat("seed ", seed, ", step ", step));
      for (uint32_t edits = random() % 4; edits > 0; --edits) Edit(text, random);
      ASSERT_NO_FATAL_FAILURE(ExpectPlain(text));
    }
  }
}

}  // namespace
}  // namespace kubelet_cm
