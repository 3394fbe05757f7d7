// Any bytes: detected, decoded, encoded and decoded again, which must change nothing; and given to every kubelet.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/personality/personality.h"
#include "common/status/check.h"
#include "deviceplugin/checkpoint/device_checkpoint_text.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/device_reader.h"

namespace kubelet_cm::deviceplugin {
namespace {

void RoundTrip(const DeviceFile& file) {
  const std::string written = EncodeDevices(file.content, LayoutOf(*file.format));
  const DeviceFile again = ReadDevices(written);
  CHECK(again.valid()) << again.status;
  CHECK(EncodeDevices(again.content, LayoutOf(*file.format)) == written) << written;
  // The 1.8 format may have named a device of a container twice.
  CHECK(again.content == file.content || file.format == DeviceFormat::kV0Of18) << written;
}

// What is kept between writes renders what the plain encoder writes.
void Rendering(const DeviceFile& file) {
  DeviceCheckpointText text(file.content);
  std::string rendered;
  text.Render(&rendered);
  CHECK(rendered == EncodeDevices(text.Content(), DeviceLayout::kV2)) << rendered;
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const char* version : {"1.8", "1.10", "1.19", "1.20.0", "1.22.17", "1.38"}) {
    kubelet_cm::deviceplugin::ReadDevicesAs(**kubelet_cm::ParsePersonality(version), bytes);
  }
  const kubelet_cm::deviceplugin::DeviceFile file = kubelet_cm::deviceplugin::ReadDevices(bytes);
  if (file.valid()) {
    kubelet_cm::deviceplugin::RoundTrip(file);
    kubelet_cm::deviceplugin::Rendering(file);
  }
  return 0;
}
