// Every truncation and every single flipped bit of some small files: refused, or read as something that its checksum
// vouches for and that can be written again.
#include <string>
#include <string_view>

#include "deviceplugin/checkpoint/device_checksum.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/device_invariants.h"
#include "deviceplugin/checkpoint/device_reader.h"
#include "deviceplugin/checkpoint/device_salvage.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

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
  CheckDeviceInvariants(file.content);
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
  for (size_t size = 0; size < file_.size(); ++size) {
    EXPECT_FALSE(ReadDevices(file_.substr(0, size)).valid()) << size;
    ExpectSound(file_.substr(0, size));
  }
}

TEST_P(DamageTest, EveryFlippedBitIsRefusedOrVouchedFor) {
  for (size_t bit = 0; bit < file_.size() * 8; ++bit) {
    std::string bytes = file_;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    SCOPED_TRACE(bit);
    ExpectSound(bytes);
  }
}

TEST_P(DamageTest, EveryRemovedByteIsRefusedOrVouchedFor) {
  for (size_t i = 0; i < file_.size(); ++i) {
    SCOPED_TRACE(i);
    ExpectSound(file_.substr(0, i) + file_.substr(i + 1));
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, DamageTest,
                         testing::Values(DeviceLayout::kV0Of18, DeviceLayout::kV0Of19, DeviceLayout::kV1,
                                         DeviceLayout::kV2));

}  // namespace
}  // namespace kubelet_cm::deviceplugin
