#include <string>

#include "absl/strings/str_cat.h"
#include "common/gotext/json_decoder.h"
#include "tools/cmctl/checkpoint/plain_state_file.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

// The text or the number of a member; empty if there is none.
std::string Cell(JsonValue object, std::string_view name) {
  std::string cell;
  for (const auto [key, value] : object.members()) {
    if (!FieldMatches(name, key.text())) continue;
    cell = std::string(value.type() == JsonType::kString ? value.text() : value.literal());
  }
  return cell;
}

bool IsDriver(JsonValue value) {
  for (const auto [key, devices] : value.members()) {
    if (FieldMatches("Devices", key.text())) return value.size() == 1;
  }
  return false;
}

class HealthFile : public PlainStateFile {
 public:
  explicit HealthFile(JsonValue root) {
    verdict_.format = "dra-health";
    verdict_.what = "DRA health cache (dra_health_state)";
    verdict_.valid = true;
    verdict_.decoded = true;
    content_ = std::string(root.literal());
    since_minor_ = 34;
    TextTable table{{"DRIVER", "POOL", "DEVICE", "HEALTH", "UPDATED", "MESSAGE"}};
    for (const auto [driver, value] : root.members()) AddDriver(driver, value, &table);
    summary_ =
        absl::StrCat(Counted(root.size(), "driver", "drivers"), ", ", Counted(table.rows.size(), "device", "devices"));
    tables_.push_back(std::move(table));
    advice_ = {
        "Nothing has to be done. The file has no checksum and is a cache: kubelets from 1.34 on that cannot read it "
        "start without it and ask the drivers again.",
    };
  }

 private:
  static void AddDriver(JsonValue driver, JsonValue value, TextTable* table) {
    for (const auto [key, devices] : value.members()) {
      for (const auto [name, device] : devices.members()) {
        table->rows.push_back({std::string(driver.text()), Cell(device, "PoolName"), Cell(device, "DeviceName"),
                               Cell(device, "Health"), Cell(device, "LastUpdated"), Cell(device, "Message")});
      }
    }
  }
};

}  // namespace

std::unique_ptr<StateFile> HealthStateFileOf(JsonValue root) {
  if (root.type() != JsonType::kObject || root.size() == 0) return nullptr;
  for (const auto [driver, value] : root.members()) {
    if (!IsDriver(value)) return nullptr;
  }
  return std::make_unique<HealthFile>(root);
}

}  // namespace kubelet_cm::cmctl
