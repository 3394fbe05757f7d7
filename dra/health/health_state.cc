#include "dra/health/health_state.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/gotext/json_decoder.h"
#include "common/gotext/json_document.h"
#include "common/gotext/json_error.h"
#include "common/gotext/json_writer.h"
#include "common/gotext/quote.h"

namespace kubelet_cm::dra {
namespace {

constexpr GoField kDriverFields[] = {{"Devices"}};
constexpr GoStruct kDriver{"state.DriverHealthState", kDriverFields};
constexpr GoField kDeviceFields[] = {{"PoolName"},    {"DeviceName"},         {"Health"},
                                     {"LastUpdated"}, {"HealthCheckTimeout"}, {"Message"}};
constexpr GoStruct kDevice{"state.DeviceHealth", kDeviceFields};

class HealthDecoder {
 public:
  // The first error of a type, else of a time.
  absl::Status status() const { return decoder_.status().ok() ? time_error_ : decoder_.status(); }

  void State(JsonValue root, HealthState* out) {
    decoder_.Map(root, {"state.DevicesHealthMap"}, out, [this](JsonValue value, DriverHealth* driver) {
      decoder_.Struct(value, kDriver, [&](size_t, JsonValue devices) {
        decoder_.Map(devices, {"map[string]state.DeviceHealth"}, &driver->devices,
                     [this](JsonValue device, DeviceHealth* health) { Device(device, health); });
      });
    });
  }

 private:
  void Device(JsonValue json, DeviceHealth* out) {
    decoder_.Struct(json, kDevice, [&](size_t field, JsonValue value) {
      switch (field) {
        case 0:
          return decoder_.String(value, "string", &out->pool_name);
        case 1:
          return decoder_.String(value, "string", &out->device_name);
        case 2:
          return decoder_.String(value, "state.DeviceHealthStatus", &out->health);
        case 3:
          return Time(value, &out->last_updated);
        case 4:
          return decoder_.Int64(value, "time.Duration", &out->check_timeout_ns);
        default:
          return decoder_.String(value, "string", &out->message);
      }
    });
  }

  // Go's time reads the JSON itself, without looking at escapes.
  void Time(JsonValue value, std::string* out) {
    if (value.type() == JsonType::kNull) return;
    if (value.type() != JsonType::kString) {
      return FailTime("Time.UnmarshalJSON: input is not a JSON string", value);
    }
    std::string_view text = value.literal();
    text = text.substr(1, text.size() - 2);
    if (ParseGoTime(text).has_value()) {
      *out = text;
    } else {
      FailTime(absl::StrCat("parsing time ", GoQuote(text), " as \"2006-01-02T15:04:05Z07:00\": it is no such time"),
               value);
    }
  }

  void FailTime(const std::string& message, JsonValue value) {
    if (time_error_.ok()) time_error_ = JsonError(message, value.begin_offset());
  }

  JsonDecoder decoder_;
  absl::Status time_error_;
};

void WriteDevice(const DeviceHealth& device, HealthFormat format, JsonWriter& writer) {
  const auto member = [&writer](std::string_view key, std::string_view value) {
    writer.Key(key);
    writer.String(value);
  };
  writer.BeginObject();
  member("PoolName", device.pool_name);
  member("DeviceName", device.device_name);
  member("Health", device.health);
  member("LastUpdated", device.last_updated);
  if (format >= HealthFormat::k135) {
    writer.Key("HealthCheckTimeout");
    writer.Int(device.check_timeout_ns);
  }
  if (format >= HealthFormat::k136) member("Message", device.message);
  writer.EndObject();
}

void WriteDriver(const DriverHealth& driver, HealthFormat format, JsonWriter& writer) {
  writer.BeginObject();
  writer.Key("Devices");
  if (!driver.devices.has_value()) {
    writer.Null();
  } else {
    writer.BeginObject();
    for (const auto& [key, device] : *driver.devices) {
      writer.Key(key);
      WriteDevice(device, format, writer);
    }
    writer.EndObject();
  }
  writer.EndObject();
}

bool IsKnownHealth(std::string_view health) {
  return health == "Healthy" || health == "Unhealthy" || health == "Unknown";
}

void AddDeviceProblems(const std::string& name, const std::string& key, const DeviceHealth& device,
                       std::vector<std::string>& problems) {
  if (key != absl::StrCat(device.pool_name, "/", device.device_name)) {
    problems.push_back(absl::StrCat(name, " calls itself ", device.pool_name, "/", device.device_name));
  }
  if (!IsKnownHealth(device.health)) {
    problems.push_back(
        absl::StrCat(name, " has health \"", device.health, "\"; there are Healthy, Unhealthy, Unknown"));
  }
  if (device.last_updated == kGoZeroTime) problems.push_back(absl::StrCat(name, " was never updated"));
  if (device.check_timeout_ns < 0) problems.push_back(absl::StrCat(name, " has a negative timeout"));
}

}  // namespace

HealthReading ReadHealth(std::string_view bytes) {
  HealthReading reading;
  const auto document = JsonDocument::Parse(bytes);
  if (document.ok()) {
    HealthDecoder decoder;
    decoder.State(document->root(), &reading.state);
    reading.status = decoder.status();
  } else {
    reading.status = document.status();
  }
  if (!reading.status.ok()) {
    reading.problems.push_back(
        {CheckpointProblemKind::kNotReadable, std::string(reading.status.message()), JsonErrorOffset(reading.status)});
  }
  for (std::string& problem : HealthProblems(reading.state)) {
    reading.problems.push_back({CheckpointProblemKind::kOdd, std::move(problem)});
  }
  return reading;
}

std::string EncodeHealth(const HealthState& state, HealthFormat format) {
  std::string out;
  JsonWriter writer(&out);
  if (!state.has_value()) {
    writer.Null();
    return out;
  }
  writer.BeginObject();
  for (const auto& [name, driver] : *state) {
    writer.Key(name);
    WriteDriver(driver, format, writer);
  }
  writer.EndObject();
  return out;
}

std::vector<std::string> HealthProblems(const HealthState& state) {
  std::vector<std::string> problems;
  if (!state.has_value()) return problems;
  for (const auto& [name, driver] : *state) {
    if (!driver.devices.has_value()) continue;
    for (const auto& [key, device] : *driver.devices) {
      AddDeviceProblems(absl::StrCat("device ", key, " of driver ", name), key, device, problems);
    }
  }
  return problems;
}

}  // namespace kubelet_cm::dra
