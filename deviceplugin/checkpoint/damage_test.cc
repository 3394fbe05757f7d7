// Every truncation and every single flipped bit of some small files: refused, or read as something that its checksum
// vouches for and that can be written again.
#include <string>
#include <string_view>
#include <vector>

#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "deviceplugin/checkpoint/device_checksum.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/device_invariants.h"
#include "deviceplugin/checkpoint/device_reader.h"
#include "deviceplugin/checkpoint/device_salvage.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

constexpr size_t kSmallBytes = 160;

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

// The smallest files that real kubelets wrote, of every format.
std::vector<std::string> SmallGoldenFiles() {
  PosixFileSystem files;
  const std::string corpus = "deviceplugin/checkpoint/testdata";
  std::vector<std::string> small;
  for (const char* folder : {"devicemanager-v0-1.8", "devicemanager-v0-1.9", "devicemanager-v1", "devicemanager-v2"}) {
    const std::string path = corpus + "/" + folder + "/";
    const auto names = files.List(path);
    EXPECT_TRUE(names.ok()) << names.status();
    for (const std::string& name : names.value_or(std::vector<std::string>())) {
      const auto bytes = ReadFile(files, path + name, kSmallBytes);
      const bool sidecar = name.ends_with(".expect.json");
      if (!sidecar && bytes.ok()) small.push_back(*bytes);
    }
  }
  return small;
}

TEST(GoldenDamageTest, NoCutOrFlippedBitOfASmallGoldenFileIsTakenUnlessVouchedFor) {
  const std::vector<std::string> files = SmallGoldenFiles();
  EXPECT_GT(files.size(), 20u);
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    for (size_t size = 0; size < file.size(); ++size) ExpectSound(file.substr(0, size));
    for (size_t bit = 0; bit < file.size() * 8; ++bit) {
      std::string bytes = file;
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
      ExpectSound(bytes);
    }
  }
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
