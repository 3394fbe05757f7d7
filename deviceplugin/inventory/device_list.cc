#include "deviceplugin/inventory/device_list.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/check.h"
#include "deviceplugin/checkpoint/json_size.h"

namespace kubelet_cm::deviceplugin {
namespace {

constexpr char kHealthy[] = "Healthy";
constexpr size_t kMaxSamples = 5;

// One mention of a device in a message. `key` orders mentions nearly always without a look at their ids.
struct Mention {
  uint64_t key;
  uint32_t index;
  const v1beta1::Device* device;
};

// How many bytes all ids have in common at their beginning.
size_t CommonPrefix(const std::vector<Mention>& mentions) {
  if (mentions.empty()) return 0;
  const std::string& first = mentions.front().device->id();
  size_t length = first.size();
  for (const Mention& mention : mentions) {
    const std::string& id = mention.device->id();
    const auto [end, other_end] = std::mismatch(first.begin(), first.begin() + std::min(length, id.size()), id.begin());
    length = end - first.begin();
  }
  return length;
}

// Eight bytes of `id` as a number that is ordered as they are; zeros stand in for those that are missing.
uint64_t SortKey(const std::string& id, size_t from) {
  uint64_t key = 0;
  for (size_t i = from; i < from + sizeof(key); ++i) {
    key = key << 8 | (i < id.size() ? static_cast<unsigned char>(id[i]) : 0);
  }
  return key;
}

bool InOrder(const Mention& a, const Mention& b) {
  if (a.key != b.key) return a.key < b.key;
  if (const int order = a.device->id().compare(b.device->id()); order != 0) return order < 0;
  return a.index < b.index;
}

// The mentions that have an id, by id and then in the order of the message. Ids of one plugin mostly differ only behind
// a long beginning that all share, so that is left out of the keys.
std::vector<Mention> SortedMentions(const v1beta1::ListAndWatchResponse& message) {
  std::vector<Mention> mentions;
  mentions.reserve(message.devices_size());
  uint32_t index = 0;
  for (const v1beta1::Device& device : message.devices()) {
    if (!device.id().empty()) mentions.push_back({0, index, &device});
    ++index;
  }
  const size_t prefix = CommonPrefix(mentions);
  for (Mention& mention : mentions) mention.key = SortKey(mention.device->id(), prefix);
  if (!std::is_sorted(mentions.begin(), mentions.end(), InOrder)) {
    std::sort(mentions.begin(), mentions.end(), InOrder);
  }
  return mentions;
}

void AddSample(const std::string& id, ListFindings& findings) {
  std::string sample = id.substr(0, kMaxUsualIdBytes);
  if (findings.samples.size() == kMaxSamples) return;
  if (!findings.samples.empty() && findings.samples.back() == sample) return;
  findings.samples.push_back(std::move(sample));
}

// Ascending, each once, without those that cannot be.
NumaNodeIds NumaNodes(const v1beta1::Device& device, ListFindings& findings) {
  NumaNodeIds nodes;
  for (const v1beta1::NUMANode& node : device.topology().nodes()) {
    if (node.id() < 0 || node.id() > kMaxNumaNode) {
      ++findings.bad_numa_nodes;
      AddSample(device.id(), findings);
    } else if (std::find(nodes.begin(), nodes.end(), node.id()) == nodes.end()) {
      nodes.push_back(static_cast<int>(node.id()));
    }
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

// What the mentions of one id, in the order of the message, say together.
ListedDevice Unite(absl::Span<const Mention> mentions, ListFindings& findings) {
  const std::string& id = mentions.front().device->id();
  size_t healthy = 0;
  for (const Mention& mention : mentions) healthy += mention.device->health() == kHealthy ? 1 : 0;
  if (id.size() > kMaxUsualIdBytes) {
    ++findings.long_ids;
    AddSample(id, findings);
  }
  if (mentions.size() > 1) {
    findings.repeated += mentions.size() - 1;
    AddSample(id, findings);
  }
  if (healthy != 0 && healthy != mentions.size()) ++findings.conflicting;
  return {id, healthy == mentions.size(), NumaNodes(*mentions.back().device, findings)};
}

}  // namespace

DeviceList::DeviceList(std::vector<ListedDevice> sorted) : devices_(std::move(sorted)) {
  for (const ListedDevice& device : devices_) {
    healthy_count_ += device.healthy ? 1 : 0;
    id_bytes_ += JsonBytesAtMost(device.id);
    has_topology_ = has_topology_ || !device.numa_nodes.empty();
  }
}

std::shared_ptr<const DeviceList> DeviceList::Of(std::vector<ListedDevice> devices) {
  const auto by_id = [](const ListedDevice& a, const ListedDevice& b) { return a.id < b.id; };
  if (!std::is_sorted(devices.begin(), devices.end(), by_id)) std::sort(devices.begin(), devices.end(), by_id);
  const auto same = [](const ListedDevice& a, const ListedDevice& b) { return a.id == b.id; };
  CHECK(std::adjacent_find(devices.begin(), devices.end(), same) == devices.end()) << "a device id is listed twice";
  CHECK(devices.empty() || !devices.front().id.empty()) << "a device has no id";
  return absl::WrapUnique(new DeviceList(std::move(devices)));
}

const std::shared_ptr<const DeviceList>& DeviceList::Empty() {
  static const auto& empty = *new std::shared_ptr<const DeviceList>(Of({}));
  return empty;
}

std::shared_ptr<const DeviceList> DeviceList::OnlyKnown(const DeviceList& devices, const DeviceList& known) {
  std::vector<ListedDevice> both;
  for (const ListedDevice& device : devices.devices_) {
    if (known.Find(device.id) != nullptr) both.push_back(device);
  }
  return Of(std::move(both));
}

const ListedDevice* DeviceList::Find(std::string_view id) const {
  const auto found = std::lower_bound(
      devices_.begin(), devices_.end(), id,
      [](const ListedDevice& device, std::string_view wanted) { return std::string_view(device.id) < wanted; });
  return found != devices_.end() && found->id == id ? &*found : nullptr;
}

absl::StatusOr<std::shared_ptr<const DeviceList>> MakeDeviceList(const v1beta1::ListAndWatchResponse& message,
                                                                 ListFindings* findings) {
  ListFindings found;
  const size_t count = message.devices_size();
  if (count > kMaxDevices) {
    if (findings != nullptr) *findings = {};
    return absl::ResourceExhaustedError(
        absl::StrCat("the list has ", count, " devices; at most ", kMaxDevices, " are taken"));
  }
  const std::vector<Mention> mentions = SortedMentions(message);
  found.dropped_empty = count - mentions.size();
  std::vector<ListedDevice> devices;
  devices.reserve(mentions.size());
  for (auto first = mentions.begin(); first != mentions.end();) {
    auto end = first + 1;
    while (end != mentions.end() && end->device->id() == first->device->id()) ++end;
    devices.push_back(Unite(absl::MakeConstSpan(&*first, end - first), found));
    first = end;
  }
  if (findings != nullptr) *findings = std::move(found);
  return DeviceList::Of(std::move(devices));
}

}  // namespace kubelet_cm::deviceplugin
