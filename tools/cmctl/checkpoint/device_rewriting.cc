#include "tools/cmctl/checkpoint/device_rewriting.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/device_salvage.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

// Kubelets that write v2 today were built with a Go that has short escapes; those of the older formats were not.
ControlEscapes EscapesOf(DeviceFormat format) {
  return format == DeviceFormat::kV2 ? ControlEscapes::kShort : ControlEscapes::kNumeric;
}

// What the file never had, and its new readers expect.
void NameWhatWasMissing(const deviceplugin::DeviceContent& content, DeviceFormat from, DeviceFormat to,
                        std::vector<std::string>* lost) {
  const bool has_entries = content.entries.has_value() && !content.entries->empty();
  if (!has_entries || from >= to) return;
  if (to == DeviceFormat::kV2) {
    lost->push_back(absl::StrCat("NUMA nodes: ", Abseil(FormatName(from)),
                                 " knows none, so all devices stand under node 0, as kubelets convert them"));
  }
  if (from == DeviceFormat::kV0Of18) {
    lost->push_back(
        "allocation responses and registered devices: devicemanager-v0-1.8 knows none, so containers that restart get "
        "no settings from their plugins until Allocate is called again");
  }
}

}  // namespace

Rewritten RewriteDevices(const deviceplugin::DeviceContent& content, DeviceFormat from, DeviceFormat to) {
  Rewritten rewritten{
      std::string(FormatName(to)), deviceplugin::EncodeDevices(content, deviceplugin::LayoutOf(to), EscapesOf(to)), {}};
  if (from != to) rewritten.lost = deviceplugin::LostByEncoding(content, to);
  NameWhatWasMissing(content, from, to, &rewritten.lost);
  return rewritten;
}

Rewritten SalvageDeviceFile(std::string_view bytes, DeviceFormat format) {
  const deviceplugin::DeviceSalvage salvage = deviceplugin::SalvageDevices(bytes);
  Rewritten rewritten{std::string(FormatName(format)),
                      deviceplugin::EncodeDevices(salvage.content, deviceplugin::LayoutOf(format), EscapesOf(format)),
                      {}};
  for (const CheckpointProblem& problem : salvage.problems) {
    std::string text = problem.text;
    if (problem.offset.has_value()) absl::StrAppend(&text, " (at byte ", *problem.offset, ")");
    rewritten.lost.push_back(std::move(text));
  }
  return rewritten;
}

}  // namespace kubelet_cm::cmctl
