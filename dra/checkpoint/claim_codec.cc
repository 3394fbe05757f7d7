#include "dra/checkpoint/claim_codec.h"

#include <limits>

#include "absl/types/span.h"
#include "checkpointmanager/checksum/crc32.h"
#include "common/gotext/json_decoder.h"
#include "common/gotext/nested_json.h"
#include "common/status/status_macros.h"
#include "dra/checkpoint/part_budget.h"
#include "dra/checkpoint/string_lists.h"

namespace kubelet_cm::dra {
namespace {

constexpr std::string_view kNull = "null";
constexpr size_t kClaimsToMeasure = 100;
constexpr size_t kRoomForTail = 64;

constexpr GoField kFileFields[] = {{"Data"}, {"Checksum"}};
constexpr GoStruct kFile{"state.Checkpoint", kFileFields};
constexpr GoUint kChecksum{"uint32", std::numeric_limits<uint32_t>::max()};
constexpr GoField kDataFields[] = {
    {"kind", "TypeMeta.kind"}, {"apiVersion", "TypeMeta.apiVersion"}, {"ClaimInfoStateList"}};
constexpr GoStruct kData{"state.CheckpointData", kDataFields};
constexpr GoField kClaimFields[] = {{"ClaimUID"}, {"ClaimName"}, {"Namespace"}, {"PodUIDs"}, {"DriverState"}};
constexpr GoStruct kClaim{"state.ClaimInfoState", kClaimFields};
constexpr GoField kDriverFields[] = {{"Devices"}, {"skipNodeOperations"}};

enum DeviceField : size_t { kPoolName, kDeviceName, kRequestNames, kCdiDeviceIds, kShareId, kAllDeviceFields };
constexpr GoField kDeviceFields[] = {{"PoolName"}, {"DeviceName"}, {"RequestNames"}, {"CDIDeviceIDs"}, {"ShareID"}};

class ClaimDecoder {
 public:
  explicit ClaimDecoder(DraFormat format)
      : driver_{"state.DriverState", absl::MakeConstSpan(kDriverFields).first(format < DraFormat::k137 ? 1 : 2)},
        device_{"state.Device",
                absl::MakeConstSpan(kDeviceFields).first(format < DraFormat::k135 ? kShareId : kAllDeviceFields)} {}

  absl::Status status() const {
    RETURN_IF_ERROR(budget_.status());
    return decoder_.status();
  }
  const ClaimFields& seen() const { return seen_; }

  void Data(JsonValue root, ClaimList* out) {
    decoder_.Struct(root, kData, [&](size_t field, JsonValue value) {
      if (field < 2) return decoder_.String(value, "string", &type_meta_);
      if (!budget_.Take(value.size())) return;
      decoder_.Slice(value, "state.ClaimInfoStateList", out,
                     [this](JsonValue element, ClaimState* claim) { Claim(element, claim); });
    });
  }

  void Claim(JsonValue json, ClaimState* out) {
    decoder_.Struct(json, kClaim, [&](size_t field, JsonValue value) {
      switch (field) {
        case 0:
          return decoder_.String(value, "types.UID", &out->claim_uid);
        case 1:
          return decoder_.String(value, "string", &out->claim_name);
        case 2:
          return decoder_.String(value, "string", &out->claim_namespace);
        case 3:
          return DecodeStringSet(decoder_, value, &out->pod_uids);
        default:
          if (!budget_.Take(value.size())) return;
          return decoder_.Map(value, {"map[string]state.DriverState"}, &out->driver_state,
                              [this](JsonValue driver, DriverState* state) { Driver(driver, state); });
      }
    });
  }

 private:
  void Driver(JsonValue json, DriverState* out) {
    decoder_.Struct(json, driver_, [&](size_t field, JsonValue value) {
      if (field == 0) {
        if (!budget_.Take(value.size())) return;
        return decoder_.Slice(value, "[]state.Device", &out->devices,
                              [this](JsonValue element, ClaimDevice* device) { Device(element, device); });
      }
      seen_.skip_node_operations = true;
      decoder_.Slice(
          value, "[]v1.SkipNodeOperation", &out->skip_node_operations,
          [this](JsonValue text, std::string* name) { decoder_.String(text, "v1.SkipNodeOperation", name); });
    });
  }

  void Device(JsonValue json, ClaimDevice* out) {
    seen_.devices = true;
    decoder_.Struct(json, device_, [&](size_t field, JsonValue value) {
      switch (field) {
        case kPoolName:
          return decoder_.String(value, "string", &out->pool_name);
        case kDeviceName:
          return decoder_.String(value, "string", &out->device_name);
        case kRequestNames:
          return DecodeStringList(decoder_, value, &out->request_names);
        case kCdiDeviceIds:
          return DecodeStringList(decoder_, value, &out->cdi_device_ids);
        default:
          seen_.share_ids = true;
          return decoder_.Pointer(value, &out->share_id,
                                  [this](JsonValue text, std::string* id) { decoder_.String(text, "types.UID", id); });
      }
    });
  }

  const GoStruct driver_;
  const GoStruct device_;
  JsonDecoder decoder_;
  PartBudget budget_;
  ClaimFields seen_;
  std::string type_meta_;  // which no kubelet looks at
};

void AppendDevice(const ClaimDevice& device, DraFormat format, ControlEscapes escapes, std::string* out) {
  out->append("{\"PoolName\":");
  AppendJsonString(device.pool_name, escapes, out);
  out->append(",\"DeviceName\":");
  AppendJsonString(device.device_name, escapes, out);
  if (format >= DraFormat::k135) {
    out->append(",\"ShareID\":");
    device.share_id.has_value() ? AppendJsonString(*device.share_id, escapes, out) : void(out->append(kNull));
  }
  out->append(",\"RequestNames\":");
  AppendStringList(device.request_names, escapes, out);
  out->append(",\"CDIDeviceIDs\":");
  AppendStringList(device.cdi_device_ids, escapes, out);
  out->push_back('}');
}

void AppendDriver(const DriverState& driver, DraFormat format, ControlEscapes escapes, std::string* out) {
  out->append("{\"Devices\":");
  if (driver.devices.is_nil()) {
    out->append(kNull);
  } else {
    char before = '[';
    for (const ClaimDevice& device : driver.devices) {
      out->push_back(before);
      before = ',';
      AppendDevice(device, format, escapes, out);
    }
    out->append(driver.devices.empty() ? "[]" : "]");
  }
  if (format >= DraFormat::k137 && !driver.skip_node_operations.empty()) {
    out->append(",\"skipNodeOperations\":");
    AppendStringList(driver.skip_node_operations, escapes, out);
  }
  out->push_back('}');
}

}  // namespace

absl::Status DecodeClaimCheckpoint(JsonValue root, ClaimCheckpoint* out) {
  JsonDecoder decoder;
  decoder.Struct(root, kFile, [&](size_t field, JsonValue value) {
    if (field == 0) return decoder.String(value, "string", &out->data);
    uint64_t checksum = out->checksum;
    decoder.Uint(value, kChecksum, &checksum);
    out->checksum = static_cast<uint32_t>(checksum);
  });
  return decoder.status();
}

absl::Status DecodeClaims(JsonValue inner_root, DraFormat format, ClaimList* out, ClaimFields* seen) {
  ClaimDecoder decoder(format);
  decoder.Data(inner_root, out);
  if (seen != nullptr) *seen = decoder.seen();
  return decoder.status();
}

absl::Status DecodeClaim(JsonValue element, DraFormat format, ClaimState* out) {
  ClaimDecoder decoder(format);
  decoder.Claim(element, out);
  return decoder.status();
}

void AppendClaim(const ClaimState& claim, DraFormat format, ControlEscapes escapes, std::string* out) {
  out->append("{\"ClaimUID\":");
  AppendJsonString(claim.claim_uid, escapes, out);
  out->append(",\"ClaimName\":");
  AppendJsonString(claim.claim_name, escapes, out);
  out->append(",\"Namespace\":");
  AppendJsonString(claim.claim_namespace, escapes, out);
  out->append(",\"PodUIDs\":");
  AppendStringSet(claim.pod_uids, escapes, out);
  out->append(",\"DriverState\":");
  if (!claim.driver_state.has_value()) {
    out->append(kNull);
  } else {
    char before = '{';
    for (const auto& [name, driver] : *claim.driver_state) {
      out->push_back(before);
      before = ',';
      AppendJsonString(name, escapes, out);
      out->push_back(':');
      AppendDriver(driver, format, escapes, out);
    }
    out->append(claim.driver_state->empty() ? "{}" : "}");
  }
  out->push_back('}');
}

void AppendClaims(const ClaimList& claims, DraFormat format, ControlEscapes escapes, std::string* out) {
  if (claims.is_nil()) {
    out->append(kNull);
    return;
  }
  char before = '[';
  for (const ClaimState& claim : claims) {
    out->push_back(before);
    before = ',';
    AppendClaim(claim, format, escapes, out);
  }
  out->append(claims.empty() ? "[]" : "]");
}

std::string EncodeInnerClaims(const ClaimList& claims, DraFormat format, ControlEscapes escapes) {
  std::string inner(kInnerHead);
  AppendClaims(claims, format, escapes, &inner);
  inner.append(kInnerTail);
  return inner;
}

EncodedClaims EncodeClaims(const ClaimList& claims, DraFormat format, ControlEscapes escapes) {
  EncodedClaims encoded{.bytes = std::string(kFileHead), .checksum = Crc32(kInnerHead)};
  std::string inner;
  const auto add = [&] {
    encoded.checksum = Crc32(inner, encoded.checksum);
    AppendNestedJson(inner, &encoded.bytes);
  };
  if (claims.empty()) {
    inner = claims.is_nil() ? "null" : "[]";
    add();
  }
  for (size_t i = 0; i < claims.size(); ++i) {
    inner = i == 0 ? "[" : ",";
    AppendClaim(claims[i], format, escapes, &inner);
    if (i + 1 == claims.size()) inner += ']';
    add();
    // By now it is known how much a claim takes.
    if (i == kClaimsToMeasure) encoded.bytes.reserve(encoded.bytes.size() / i * claims.size() + kRoomForTail);
  }
  encoded.checksum = Crc32(kInnerTail, encoded.checksum);
  encoded.bytes.append(kFileTail).append(std::to_string(encoded.checksum)).append("}");
  return encoded;
}

}  // namespace kubelet_cm::dra
