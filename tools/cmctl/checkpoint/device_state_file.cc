#include "tools/cmctl/checkpoint/device_state_file.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "deviceplugin/checkpoint/content_json.h"
#include "deviceplugin/checkpoint/device_invariants.h"
#include "tools/cmctl/checkpoint/device_advice.h"
#include "tools/cmctl/checkpoint/device_rewriting.h"
#include "tools/cmctl/checkpoint/device_tables.h"
#include "tools/cmctl/checkpoint/kubelet_text.h"
#include "tools/cmctl/checkpoint/response_view.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

using deviceplugin::DeviceEntry;

// Of a file that is cut off or no JSON: by the first list of devices in it.
DeviceFormat GuessFormat(std::string_view bytes) {
  const size_t devices = bytes.find("\"DeviceIDs\":");
  const bool is_list = devices != std::string_view::npos && bytes.substr(devices + 12).starts_with("[");
  if (bytes.find("\"Data\"") != std::string_view::npos) return is_list ? DeviceFormat::kV1 : DeviceFormat::kV2;
  return bytes.find("\"Entries\"") != std::string_view::npos ? DeviceFormat::kV0Of18 : DeviceFormat::kV0Of19;
}

}  // namespace

DeviceStateFile::DeviceStateFile(std::string bytes, deviceplugin::DeviceFile file)
    : bytes_(std::move(bytes)), file_(std::move(file)), format_(file_.format.value_or(GuessFormat(bytes_))) {
  verdict_.format = std::string(FormatName(format_));
  verdict_.what = "device manager checkpoint (kubelet_internal_checkpoint)";
  verdict_.valid = file_.valid();
  verdict_.decoded = file_.valid() || file_.computed_checksum.has_value();
  verdict_.stored_checksum = file_.stored_checksum;
  verdict_.computed_checksum = file_.computed_checksum;
  verdict_.problems = ShownProblems(file_.problems);
}

const std::vector<DeviceEntry>& DeviceStateFile::entries() const {
  static const std::vector<DeviceEntry> none;
  return file_.content.entries.has_value() ? *file_.content.entries : none;
}

bool DeviceStateFile::HasDevices() const {
  return std::any_of(entries().begin(), entries().end(),
                     [](const DeviceEntry& entry) { return entry.devices.has_value() && !entry.devices->empty(); });
}

std::string DeviceStateFile::ContentJson(const ResponseView& responses) const {
  if (!verdict_.decoded) return "null";
  std::string json;
  JsonWriter writer(&json);
  if (format_ == DeviceFormat::kV0Of18) {
    // In the file's order, one entry a device, which the newest form does not keep.
    deviceplugin::WriteDeviceContentJson(deviceplugin::ReadDevicesAs(**PersonalityOf({1, 8, 0}), bytes_).content,
                                         format_, &writer);
    return json;
  }
  // Which responses parse is up to the newest kubelets that write this format.
  const auto writers = KubeletsWhere([this](const Personality& row) { return row.device_writes == format_; });
  deviceplugin::WriteDeviceContentJson(file_.content, format_, &writer, *writers.back());
  return responses.decoded ? AddResponses(json, responses.secrets) : json;
}

std::vector<TextTable> DeviceStateFile::Tables(bool wide) const {
  if (!verdict_.decoded) return {};
  return {EntryTable(file_.content, format_, wide), RegisteredTable(file_.content, wide)};
}

std::string DeviceStateFile::ResponseText(bool secrets) const {
  std::string text;
  for (const DeviceEntry& entry : entries()) {
    absl::StrAppend(&text, "\nresponse to container ", Printable(entry.container_name), " of pod ",
                    Printable(entry.pod_uid), " for ", Printable(entry.resource_name), ":\n");
    const std::vector<ResponseItem> items = ResponseItems(entry.alloc_response.value_or(""));
    for (const ResponseItem& item : items) absl::StrAppend(&text, "  ", ItemText(item, secrets), "\n");
    if (items.empty()) text += "  nothing\n";
  }
  return text;
}

std::string DeviceStateFile::Summary() const {
  std::set<std::string_view> pods;
  std::set<std::pair<std::string_view, std::string_view>> devices;
  for (const DeviceEntry& entry : entries()) {
    pods.insert(entry.pod_uid);
    for (const std::string_view id : deviceplugin::FlatDevices(entry)) devices.emplace(entry.resource_name, id);
  }
  const size_t resources = file_.content.registered.has_value() ? file_.content.registered->size() : 0;
  return absl::StrCat(Counted(devices.size(), "device", "devices"), " held in ",
                      Counted(entries().size(), "entry", "entries"), " of ", Counted(pods.size(), "pod", "pods"), ", ",
                      Counted(resources, "registered resource", "registered resources"));
}

std::vector<FileProblem> DeviceStateFile::BrokenInvariants() const {
  return ShownProblems(deviceplugin::DeviceProblems(file_.content));
}

std::vector<const Personality*> DeviceStateFile::Writers() const {
  const bool any_checksummed = verdict_.decoded && format_ >= DeviceFormat::kV1 && !HasDevices();
  const bool without_topology = std::any_of(entries().begin(), entries().end(), [](const DeviceEntry& entry) {
    return entry.devices.has_value() && entry.devices->contains(-1);
  });
  return KubeletsWhere([&](const Personality& row) {
    if (any_checksummed) return row.device_writes >= DeviceFormat::kV1;
    // Where devices without topology stand tells 1.20 to 1.22 from later ones.
    if (without_topology && row.no_topology_key != -1) return false;
    return row.device_writes == format_;
  });
}

KubeletView DeviceStateFile::ViewOf(const Personality& kubelet) const {
  KubeletView view;
  const deviceplugin::DeviceVerdict verdict = deviceplugin::ReadDevicesAs(kubelet, bytes_);
  // Before checksums every object passes: what is written for another format is then taken for an empty one.
  const bool sees_nothing = !entries().empty() && verdict.content.entries.value_or(std::vector<DeviceEntry>()).empty();
  view.accepts = verdict.accepted() && !sees_nothing;
  if (view.accepts) return view;
  view.error =
      verdict.accepted() ? "it accepts the file and finds no entry in it" : std::string(verdict.status.message());
  view.effect =
      "starts with nothing allocated: devices of running pods look free and can be given to other pods, containers "
      "that restart come up without theirs, and its next write replaces the file";
  return view;
}

std::vector<std::string> DeviceStateFile::Advice(const Personality* kubelet, std::string_view version) const {
  if (!verdict_.valid) return AdviceOnCorruptDevices();
  if (kubelet == nullptr || ViewOf(*kubelet).accepts) return {};
  return AdviceOnUnreadDevices(*kubelet, version, [this](const Personality& row) { return ViewOf(row).accepts; });
}

FactDetail DeviceStateFile::detail() const {
  return {.numa_nodes = format_ == DeviceFormat::kV2,
          .responses = format_ != DeviceFormat::kV0Of18,
          .registered = format_ != DeviceFormat::kV0Of18};
}

Facts DeviceStateFile::FactsAt(const FactDetail& detail, bool secrets) const {
  return DeviceFacts(file_.content, detail, secrets);
}

absl::StatusOr<Rewritten> DeviceStateFile::ConvertTo(std::string_view format) const {
  const absl::StatusOr<DeviceFormat> wanted = ParseDeviceFormat(format);
  if (!wanted.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("cannot become ", Abseil(format), ": ", wanted.status().message()));
  }
  return RewriteDevices(file_.content, format_, *wanted);
}

absl::StatusOr<Rewritten> DeviceStateFile::Salvage() const { return SalvageDeviceFile(bytes_, format_); }

}  // namespace kubelet_cm::cmctl
