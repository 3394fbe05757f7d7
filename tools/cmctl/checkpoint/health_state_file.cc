#include "tools/cmctl/checkpoint/health_state_file.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/gotext/json_decoder.h"
#include "dra/health/health_state.h"
#include "tools/cmctl/checkpoint/plain_state_file.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

class HealthFile : public PlainStateFile {
 public:
  HealthFile(std::string_view bytes, const dra::HealthReading& reading) {
    verdict_.format = "dra-health";
    verdict_.what = "DRA health cache (dra_health_state)";
    verdict_.valid = reading.status.ok();
    const bool is_json = JsonDocument::Parse(bytes).ok();
    verdict_.decoded = is_json;
    if (is_json) content_ = std::string(bytes);
    verdict_.problems = ShownProblems(reading.problems);
    since_minor_ = 34;
    AddTable(reading.state);
    advice_ = dra::HealthProblems(reading.state);
    advice_.emplace_back(
        "Nothing has to be done. The file has no checksum and is a cache: kubelets from 1.34 on that cannot read it "
        "start "
        "without it and hear from the drivers again.");
  }

 private:
  void AddTable(const dra::HealthState& state) {
    TextTable table{{"DRIVER", "POOL", "DEVICE", "HEALTH", "UPDATED", "MESSAGE"}};
    size_t drivers = 0;
    if (state.has_value()) {
      drivers = state->size();
      for (const auto& [driver, health] : *state) AddDriver(driver, health, &table);
    }
    summary_ = absl::StrCat("the health of ", Counted(table.rows.size(), "device", "devices"), " of ",
                            Counted(drivers, "driver", "drivers"));
    tables_.push_back(std::move(table));
  }

  static void AddDriver(const std::string& driver, const dra::DriverHealth& health, TextTable* table) {
    if (!health.devices.has_value()) return;
    for (const auto& [name, device] : *health.devices) {
      table->rows.push_back(
          {driver, device.pool_name, device.device_name, device.health, device.last_updated, device.message});
    }
  }
};

bool IsDriver(JsonValue value) {
  for (const auto [key, devices] : value.members()) {
    if (FieldMatches("Devices", key.text())) return value.size() == 1;
  }
  return false;
}

}  // namespace

bool HoldsHealth(JsonValue root) {
  if (root.type() != JsonType::kObject || root.size() == 0) return false;
  // NOLINTNEXTLINE(readability-use-anyofallof): JSON views have iterators for loops only
  for (const auto [driver, value] : root.members()) {
    if (!IsDriver(value)) return false;
  }
  return true;
}

std::unique_ptr<StateFile> HealthStateFileOf(std::string_view bytes) {
  return std::make_unique<HealthFile>(bytes, dra::ReadHealth(bytes));
}

}  // namespace kubelet_cm::cmctl
