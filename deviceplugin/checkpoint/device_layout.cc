#include "deviceplugin/checkpoint/device_layout.h"

#include "common/status/check.h"

namespace kubelet_cm::deviceplugin {
namespace {

constexpr DeviceTypes kTypesOf18 = {.file = "cm.checkpointData",
                                    .content = "cm.checkpointData",
                                    .entries = "[]cm.checkpointEntry",
                                    .entry = "cm.checkpointEntry",
                                    .devices = "string",
                                    .error_prefix = "failed to unmarshal checkpoint data: "};
constexpr DeviceTypes kTypesOf19 = {.file = "devicemanager.checkpointData",
                                    .content = "devicemanager.checkpointData",
                                    .entries = "[]devicemanager.podDevicesCheckpointEntry",
                                    .entry = "devicemanager.podDevicesCheckpointEntry",
                                    .devices = "[]string",
                                    .error_prefix = "failed to unmarshal deviceplugin checkpoint data: "};
constexpr DeviceTypes kTypesOfV1 = {.file = "checkpoint.Data",
                                    .content = "checkpoint.checkpointData",
                                    .entries = "[]checkpoint.PodDevicesEntry",
                                    .entry = "checkpoint.PodDevicesEntry",
                                    .devices = "[]string",
                                    .error_prefix = ""};
constexpr DeviceTypes kTypesOfV1Fallback = {.file = "checkpoint.DataV1",
                                            .content = "checkpoint.checkpointDataV1",
                                            .entries = "[]checkpoint.PodDevicesEntryV1",
                                            .entry = "checkpoint.PodDevicesEntryV1",
                                            .devices = "[]string",
                                            .error_prefix = ""};
constexpr DeviceTypes kTypesOfV2 = {.file = "checkpoint.Data",
                                    .content = "checkpoint.checkpointData",
                                    .entries = "[]checkpoint.PodDevicesEntry",
                                    .entry = "checkpoint.PodDevicesEntry",
                                    .devices = "checkpoint.DevicesPerNUMA",
                                    .error_prefix = ""};

}  // namespace

DeviceLayout LayoutOf(DeviceFormat format) {
  switch (format) {
    case DeviceFormat::kV0Of18:
      return DeviceLayout::kV0Of18;
    case DeviceFormat::kV0Of19:
      return DeviceLayout::kV0Of19;
    case DeviceFormat::kV1:
      return DeviceLayout::kV1;
    case DeviceFormat::kV2:
      return DeviceLayout::kV2;
  }
  CHECK(false) << "device format " << static_cast<int>(format);
  return DeviceLayout::kV2;
}

DeviceFormat FormatOf(DeviceLayout layout) {
  switch (layout) {
    case DeviceLayout::kV0Of18:
      return DeviceFormat::kV0Of18;
    case DeviceLayout::kV0Of19:
      return DeviceFormat::kV0Of19;
    case DeviceLayout::kV1:
    case DeviceLayout::kV1Fallback:
      return DeviceFormat::kV1;
    case DeviceLayout::kV2:
      return DeviceFormat::kV2;
  }
  CHECK(false) << "device layout " << static_cast<int>(layout);
  return DeviceFormat::kV2;
}

bool IsChecksummed(DeviceLayout layout) { return layout != DeviceLayout::kV0Of18 && layout != DeviceLayout::kV0Of19; }

const DeviceTypes& TypesOf(DeviceLayout layout) {
  switch (layout) {
    case DeviceLayout::kV0Of18:
      return kTypesOf18;
    case DeviceLayout::kV0Of19:
      return kTypesOf19;
    case DeviceLayout::kV1:
      return kTypesOfV1;
    case DeviceLayout::kV1Fallback:
      return kTypesOfV1Fallback;
    case DeviceLayout::kV2:
      return kTypesOfV2;
  }
  CHECK(false) << "device layout " << static_cast<int>(layout);
  return kTypesOfV2;
}

}  // namespace kubelet_cm::deviceplugin
