// Any bytes through the decoder of every layout and through what looks at their outcome.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/gotext/json_document.h"
#include "common/status/check.h"
#include "deviceplugin/checkpoint/content_json.h"
#include "deviceplugin/checkpoint/device_decoder.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/device_invariants.h"
#include "deviceplugin/checkpoint/device_salvage.h"

namespace kubelet_cm::deviceplugin {
namespace {

void Decode(JsonValue root, DeviceLayout layout) {
  const DecodedDevices decoded = DecodeDevices(root, layout);
  DeviceProblems(decoded.content);
  std::string shown;
  JsonWriter writer(&shown);
  WriteDeviceContentJson(decoded.content, FormatOf(layout), &writer);
  CHECK(JsonDocument::Parse(shown).ok()) << shown;
  const std::string written = EncodeDevices(decoded.content, layout);
  const auto document = JsonDocument::Parse(written);
  CHECK(document.ok()) << document.status();
  const DecodedDevices again = DecodeDevices(document->root(), layout);
  CHECK(again.status.ok()) << again.status;
  CHECK(again.content == decoded.content) << written;
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using kubelet_cm::deviceplugin::DeviceLayout;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  kubelet_cm::deviceplugin::SalvageDevices(bytes);
  const auto document = kubelet_cm::JsonDocument::Parse(bytes);
  if (!document.ok()) return 0;
  for (const DeviceLayout layout : {DeviceLayout::kV0Of18, DeviceLayout::kV0Of19, DeviceLayout::kV1,
                                    DeviceLayout::kV1Fallback, DeviceLayout::kV2}) {
    kubelet_cm::deviceplugin::Decode(document->root(), layout);
  }
  return 0;
}
