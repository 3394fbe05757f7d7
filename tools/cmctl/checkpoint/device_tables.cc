#include "tools/cmctl/checkpoint/device_tables.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/cmctl/checkpoint/response_view.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

using deviceplugin::DeviceContent;
using deviceplugin::DeviceEntry;
using deviceplugin::DeviceIds;
using deviceplugin::DevicesPerNuma;
using deviceplugin::RegisteredDevices;

constexpr std::string_view kNoNode = "-";

std::string Ids(const std::vector<std::string>& ids) { return absl::StrJoin(ids, ","); }

// Devices without topology stand under -1; before v2 no device has a node.
std::string NodeName(int64_t node, DeviceFormat format) {
  return node < 0 || format != DeviceFormat::kV2 ? std::string(kNoNode) : absl::StrCat(node);
}

std::string ResponseCell(const DeviceEntry& entry, DeviceFormat format) {
  if (format == DeviceFormat::kV0Of18) return "";
  return entry.alloc_response.has_value() ? ResponseSummary(*entry.alloc_response) : "";
}

std::string EntryText(const DeviceEntry& entry) {
  return absl::StrCat("pod ", Printable(entry.pod_uid), " container ", Printable(entry.container_name), " ",
                      Printable(entry.resource_name));
}

void AddEntryFacts(const DeviceEntry& entry, const FactDetail& detail, bool secrets, Facts* facts) {
  const std::string text = EntryText(entry);
  (*facts)[text];
  if (detail.numa_nodes && entry.devices.has_value()) {
    for (const auto& [node, ids] : *entry.devices) {
      for (const std::string& id : ids.value_or(DeviceIds())) {
        const std::string place = node < 0 ? " without a NUMA node" : absl::StrCat(" on NUMA node ", node);
        (*facts)[absl::StrCat(text, ": device ", Printable(id), place)];
      }
    }
  } else {
    for (const std::string_view id : deviceplugin::FlatDevices(entry))
      (*facts)[absl::StrCat(text, ": device ", Printable(id))];
  }
  if (!detail.responses) return;
  for (const ResponseItem& item : ResponseItems(entry.alloc_response.value_or(""))) {
    const bool unreadable = item.kind == "unreadable";
    (*facts)[absl::StrCat(text, ": ", ItemText(item, secrets))] =
        unreadable ? entry.alloc_response.value_or("") : item.value;
  }
}

}  // namespace

TextTable EntryTable(const DeviceContent& content, DeviceFormat format, bool wide) {
  TextTable table{{"POD", "CONTAINER", "RESOURCE", "NUMA", "DEVICES"}};
  if (wide) table.headings.emplace_back("RESPONSE");
  if (!content.entries.has_value()) return table;
  for (const DeviceEntry& entry : *content.entries) {
    const auto add = [&](const std::string& node, const DeviceIds& ids) {
      table.rows.push_back({entry.pod_uid, entry.container_name, entry.resource_name, node, Ids(ids)});
      if (wide) table.rows.back().push_back(ResponseCell(entry, format));
    };
    if (!entry.devices.has_value() || entry.devices->empty()) add("", {});
    for (const auto& [node, ids] : entry.devices.value_or(DevicesPerNuma())) {
      add(NodeName(node, format), ids.value_or(DeviceIds()));
    }
  }
  return table;
}

TextTable RegisteredTable(const DeviceContent& content, bool wide) {
  std::map<std::string_view, std::set<std::string_view>> held;
  if (content.entries.has_value()) {
    for (const DeviceEntry& entry : *content.entries) {
      for (const std::string_view id : deviceplugin::FlatDevices(entry)) held[entry.resource_name].insert(id);
    }
  }
  TextTable table{{"REGISTERED RESOURCE", "HEALTHY", "HELD"}};
  if (wide) table.headings.emplace_back("DEVICES");
  for (const auto& [resource, ids] : content.registered.value_or(RegisteredDevices())) {
    const DeviceIds devices = ids.value_or(DeviceIds());
    table.rows.push_back({resource, absl::StrCat(devices.size()), absl::StrCat(held[resource].size())});
    if (wide) table.rows.back().push_back(Ids(devices));
  }
  return table;
}

Facts DeviceFacts(const DeviceContent& content, const FactDetail& detail, bool secrets) {
  Facts facts;
  if (content.entries.has_value()) {
    for (const DeviceEntry& entry : *content.entries) AddEntryFacts(entry, detail, secrets, &facts);
  }
  if (!detail.registered) return facts;
  for (const auto& [resource, ids] : content.registered.value_or(RegisteredDevices())) {
    const std::string text = absl::StrCat("registered ", Printable(resource));
    facts[text];
    for (const std::string& id : ids.value_or(DeviceIds())) facts[absl::StrCat(text, ": device ", Printable(id))];
  }
  return facts;
}

}  // namespace kubelet_cm::cmctl
