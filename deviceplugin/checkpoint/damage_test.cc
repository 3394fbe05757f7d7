// Every truncation and every single flipped bit of some small files: refused, or read as something that its checksum
// vouches for and that can be written again.
#include <string>
#include <vector>

#include "deviceplugin/checkpoint/device_checksum.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/device_invariants.h"
#include "deviceplugin/checkpoint/device_reader.h"
#include "deviceplugin/checkpoint/device_salvage.h"
#include "gtest/gtest.h"
#include "testing/harness/file_damage.h"

namespace kubelet_cm::deviceplugin {
namespace {

using harness::SmallGoldenFiles;
using harness::WithEachFlippedBit;
using harness::WithEachRemovedByte;
using harness::WithEachTruncation;

DeviceContent SmallContent() {
  DeviceContent content;
  content.entries = {DeviceEntry{.pod_uid = "p\n",
                                 .container_name = "c",
                                 .resource_name = "r.io/x",
                                 .devices = DevicesPerNuma{{0, DeviceIds{"a", "\xC3\xA9"}}},
                                 .alloc_response = std::string("\x0A\x06\x0A\x01\x41\x12\x01\x42")},
                     DeviceEntry{.pod_uid = "q",
                                 .container_name = "c",
                                 .resource_name = "r.io/x",
                                 .devices = DevicesPerNuma{{0, std::nullopt}},
                                 .alloc_response = std::nullopt}};
  content.registered = RegisteredDevices{{"r.io/x", DeviceIds{"a"}}, {"s", DeviceIds{}}};
  return content;
}

// What must hold of any bytes.
void ExpectSound(const std::string& bytes) {
  const DeviceFile file = ReadDevices(bytes);
  SalvageDevices(bytes);
  if (!file.valid()) return;
  DeviceProblems(file.content);
  const DeviceLayout layout = LayoutOf(*file.format);
  if (IsChecksummed(layout)) {
    EXPECT_EQ(file.stored_checksum, DeviceChecksum(file.content, layout));
  }
  const DeviceFile again = ReadDevices(EncodeDevices(file.content, layout));
  EXPECT_TRUE(again.valid()) << again.status;
  EXPECT_EQ(again.content, file.content);
}

class DamageTest : public testing::TestWithParam<DeviceLayout> {
 protected:
  const std::string file_ = EncodeDevices(SmallContent(), GetParam());
};

TEST_P(DamageTest, NoTruncationIsAccepted) {
  ASSERT_TRUE(ReadDevices(file_).valid());
  WithEachTruncation(file_, [](const std::string& cut) {
    EXPECT_FALSE(ReadDevices(cut).valid());
    ExpectSound(cut);
  });
}

TEST_P(DamageTest, EveryFlippedBitIsRefusedOrVouchedFor) { WithEachFlippedBit(file_, ExpectSound); }

TEST_P(DamageTest, EveryRemovedByteIsRefusedOrVouchedFor) { WithEachRemovedByte(file_, ExpectSound); }

INSTANTIATE_TEST_SUITE_P(Formats, DamageTest,
                         testing::Values(DeviceLayout::kV0Of18, DeviceLayout::kV0Of19, DeviceLayout::kV1,
                                         DeviceLayout::kV2));

// The smallest files that real kubelets wrote, of every format.
TEST(GoldenDamageTest, NoCutOrFlippedBitOfASmallGoldenFileIsTakenUnlessVouchedFor) {
  const std::vector<std::string> files =
      SmallGoldenFiles("deviceplugin/checkpoint/testdata",
                       {"devicemanager-v0-1.8", "devicemanager-v0-1.9", "devicemanager-v1", "devicemanager-v2"}, 160);
  EXPECT_GT(files.size(), 20u);
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    WithEachTruncation(file, ExpectSound);
    WithEachFlippedBit(file, ExpectSound);
  }
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
