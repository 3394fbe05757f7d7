#include "deviceplugin/checkpoint/entry_size.h"

#include <string>

#include "common/gotext/json_writer.h"
#include "common/status/status_matchers.h"
#include "deviceplugin/checkpoint/device_decoder.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/device_reader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using testing::HasSubstr;

DeviceEntry EntryWith(const std::string& id) {
  return {.pod_uid = "pod",
          .container_name = "main",
          .resource_name = "example.com/device",
          .devices = DevicesPerNuma{{0, DeviceIds{id}}},
          .alloc_response = ""};
}

size_t JsonBytes(const DeviceEntry& entry) {
  std::string text;
  JsonWriter writer(&text);
  WriteDeviceEntry(entry, DeviceLayout::kV2, &writer);
  return text.size();
}

// The largest entry that a reader takes.
DeviceEntry Largest() { return EntryWith(std::string(kMaxDeviceEntryBytes - JsonBytes(EntryWith("")), 'x')); }

absl::Status Read(const DeviceEntry& entry) {
  const DeviceContent content{.entries = std::vector{entry}, .registered = RegisteredDevices()};
  return ReadDevicesAs(LatestPersonality(), EncodeDevices(content, DeviceLayout::kV2)).status;
}

TEST(EntrySizeTest, WhatIsAcceptedIsReadAgain) {
  const DeviceEntry entry = Largest();
  EXPECT_OK(CheckEntrySize(entry, kMaxDeviceEntryBytes));
  EXPECT_OK(Read(entry));
}

TEST(EntrySizeTest, WhatWouldNotBeReadAgainIsRefused) {
  DeviceEntry entry = Largest();
  (*entry.devices)[0]->front() += "x";
  EXPECT_FALSE(Read(entry).ok());
  EXPECT_THAT(CheckEntrySize(entry, kMaxDeviceEntryBytes),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("devices of resource example.com/device and what their plugin says of them would take "
                                 "16777217 bytes of the state file")));
}

TEST(EntrySizeTest, ResponsesAndEscapesCount) {
  DeviceEntry entry = EntryWith("x");
  entry.alloc_response = std::string(kMaxDeviceEntryBytes / 4 * 3, 'x');
  EXPECT_FALSE(CheckEntrySize(entry, kMaxDeviceEntryBytes).ok());
  EXPECT_FALSE(CheckEntrySize(EntryWith(std::string(kMaxDeviceEntryBytes / 6, '\1')), kMaxDeviceEntryBytes).ok());
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
