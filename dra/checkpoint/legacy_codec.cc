#include "dra/checkpoint/legacy_codec.h"

#include <limits>
#include <map>
#include <optional>

#include "absl/types/span.h"
#include "checkpointmanager/checksum/go_dump.h"
#include "checkpointmanager/checksum/go_slice_dump.h"
#include "common/gotext/json_decoder.h"
#include "common/gotext/json_writer.h"
#include "common/status/status_macros.h"
#include "dra/checkpoint/part_budget.h"
#include "dra/checkpoint/string_lists.h"

namespace kubelet_cm::dra {
namespace {

enum ClaimField : size_t { kDriverName, kClassName, kClaimUid, kClaimName, kNamespace, kPodUids, kCdi, kHandles };

constexpr GoField kFileFields[] = {{"version"}, {"entries"}, {"checksum"}};
constexpr GoStruct kFile{"state.DRAManagerCheckpoint", kFileFields};
constexpr GoUint kChecksum{"checksum.Checksum", std::numeric_limits<uint64_t>::max()};
constexpr GoField kClaimFields[] = {{"DriverName"}, {"ClassName"}, {"ClaimUID"},   {"ClaimName"},
                                    {"Namespace"},  {"PodUIDs"},   {"CDIDevices"}, {"ResourceHandles"}};
constexpr GoField kHandleFields[] = {{"driverName"}, {"data"}, {"structuredData"}};

class LegacyDecoder {
 public:
  explicit LegacyDecoder(DraFormat format) : format_(format) {}

  absl::Status status() const {
    RETURN_IF_ERROR(budget_.status());
    return decoder_.status();
  }

  void File(JsonValue root, LegacyCheckpoint* out) {
    decoder_.Struct(root, kFile, [&](size_t field, JsonValue value) {
      if (field == 0) return decoder_.String(value, "string", &out->version);
      if (field == 2) return decoder_.Uint(value, kChecksum, &out->checksum);
      if (!budget_.Take(value.size())) return;
      decoder_.Slice(value, "state.ClaimInfoStateList", &out->claims,
                     [this](JsonValue element, LegacyClaim* claim) { Claim(element, claim); });
    });
  }

  void Claim(JsonValue json, LegacyClaim* out) {
    const size_t fields = format_ == DraFormat::k127 ? kHandles : kHandles + 1;
    const GoStruct type{"state.ClaimInfoState", absl::MakeConstSpan(kClaimFields).first(fields)};
    decoder_.Struct(json, type, [&](size_t field, JsonValue value) { ClaimMember(field, value, out); });
  }

 private:
  void ClaimMember(size_t field, JsonValue value, LegacyClaim* out) {
    switch (field) {
      case kDriverName:
        return decoder_.String(value, "string", &out->driver_name);
      case kClassName:
        return decoder_.String(value, "string", &out->class_name);
      case kClaimUid:
        return decoder_.String(value, "types.UID", &out->claim_uid);
      case kClaimName:
        return decoder_.String(value, "string", &out->claim_name);
      case kNamespace:
        return decoder_.String(value, "string", &out->claim_namespace);
      case kPodUids:
        return DecodeStringSet(decoder_, value, &out->pod_uids);
      case kCdi:
        if (!budget_.Take(value.size())) return;
        return decoder_.Map(value, {"map[string][]string"}, &out->cdi_devices,
                            [this](JsonValue ids, StringList* list) { DecodeStringList(decoder_, ids, list); });
      default:
        if (!budget_.Take(value.size())) return;
        decoder_.Slice(value, "[]v1alpha2.ResourceHandle", &out->resource_handles,
                       [this](JsonValue element, ResourceHandle* handle) { Handle(element, handle); });
    }
  }

  void Handle(JsonValue json, ResourceHandle* out) {
    const size_t fields = format_ == DraFormat::k130 ? 3 : 2;
    const GoStruct type{"v1alpha2.ResourceHandle", absl::MakeConstSpan(kHandleFields).first(fields)};
    decoder_.Struct(json, type, [&](size_t field, JsonValue value) {
      if (field == 0) return decoder_.String(value, "string", &out->driver_name);
      if (field == 1) return decoder_.String(value, "string", &out->data);
      decoder_.Pointer(value, &out->structured_data, [this](JsonValue data, StructuredHandle* structured) {
        DecodeStructuredHandle(decoder_, budget_, data, structured);
      });
    });
  }

  const DraFormat format_;
  JsonDecoder decoder_;
  PartBudget budget_;
};

void DumpClaim(GoDump& dump, const LegacyClaim& claim, DraFormat format) {
  const auto print_handle = [&](const ResourceHandle& handle) {
    dump.Struct([&] {
      dump.Field("DriverName", "string", handle.driver_name);
      dump.Field("Data", "string", handle.data);
      if (format == DraFormat::k130) {
        dump.Field("StructuredData", "*v1alpha2.StructuredResourceHandle", handle.structured_data);
      }
    });
  };
  dump.Struct([&] {
    dump.Field("DriverName", "string", claim.driver_name);
    dump.Field("ClassName", "string", claim.class_name);
    dump.Field("ClaimUID", "types.UID", claim.claim_uid);
    dump.Field("ClaimName", "string", claim.claim_name);
    dump.Field("Namespace", "string", claim.claim_namespace);
    dump.Field("PodUIDs", "sets.Set[string]", claim.pod_uids);
    if (format != DraFormat::k127) {
      dump.Field("ResourceHandles", "[]v1alpha2.ResourceHandle", PrintedSlice(claim.resource_handles, print_handle));
    }
    dump.Field("CDIDevices", "map[string][]string", claim.cdi_devices);
  });
}

void DumpFile(GoDump& dump, std::string_view version, const LegacyClaimList& claims, DraFormat format) {
  dump.Text("(*state.DRAManagerCheckpoint)");
  dump.Struct([&] {
    dump.Field("Version", "string", version);
    dump.Field("Entries", "state.ClaimInfoStateList",
               PrintedSlice(claims, [&](const LegacyClaim& claim) { DumpClaim(dump, claim, format); }));
    dump.Field("Checksum", "checksum.Checksum", 0);
  });
}

void WriteHandles(const GoSlice<ResourceHandle>& handles, DraFormat format, JsonWriter& writer) {
  if (handles.is_nil()) return writer.Null();
  writer.BeginArray();
  for (const ResourceHandle& handle : handles) {
    writer.BeginObject();
    if (!handle.driver_name.empty()) {
      writer.Key("driverName");
      writer.String(handle.driver_name);
    }
    if (!handle.data.empty()) {
      writer.Key("data");
      writer.String(handle.data);
    }
    if (format == DraFormat::k130 && handle.structured_data.has_value()) {
      writer.Key("structuredData");
      WriteStructuredHandle(*handle.structured_data, writer);
    }
    writer.EndObject();
  }
  writer.EndArray();
}

class LegacyWriter {
 public:
  LegacyWriter(DraFormat format, ControlEscapes escapes, std::string* out)
      : format_(format), escapes_(escapes), writer_(out, escapes) {}

  void Claims(const LegacyClaimList& claims) {
    if (claims.is_nil()) return writer_.Null();
    writer_.BeginArray();
    for (const LegacyClaim& claim : claims) Claim(claim);
    writer_.EndArray();
  }

 private:
  void Member(std::string_view key, std::string_view value) {
    writer_.Key(key);
    writer_.String(value);
  }

  void Claim(const LegacyClaim& claim) {
    writer_.BeginObject();
    Member("DriverName", claim.driver_name);
    Member("ClassName", claim.class_name);
    Member("ClaimUID", claim.claim_uid);
    Member("ClaimName", claim.claim_name);
    Member("Namespace", claim.claim_namespace);
    writer_.Key("PodUIDs");
    scratch_.clear();
    AppendStringSet(claim.pod_uids, escapes_, &scratch_);
    writer_.Raw(scratch_);
    if (format_ != DraFormat::k127) {
      writer_.Key("ResourceHandles");
      WriteHandles(claim.resource_handles, format_, writer_);
    }
    writer_.Key("CDIDevices");
    CdiDevices(claim.cdi_devices);
    writer_.EndObject();
  }

  void CdiDevices(const std::optional<std::map<std::string, StringList>>& devices) {
    if (!devices.has_value()) return writer_.Null();
    writer_.BeginObject();
    for (const auto& [driver, ids] : *devices) {
      writer_.Key(driver);
      scratch_.clear();
      AppendStringList(ids, escapes_, &scratch_);
      writer_.Raw(scratch_);
    }
    writer_.EndObject();
  }

  const DraFormat format_;
  const ControlEscapes escapes_;
  JsonWriter writer_;
  std::string scratch_;
};

}  // namespace

absl::Status DecodeLegacy(JsonValue root, DraFormat format, LegacyCheckpoint* out) {
  LegacyDecoder decoder(format);
  decoder.File(root, out);
  return decoder.status();
}

absl::Status DecodeLegacyClaim(JsonValue element, DraFormat format, LegacyClaim* out) {
  LegacyDecoder decoder(format);
  decoder.Claim(element, out);
  return decoder.status();
}

uint32_t LegacyChecksum(std::string_view version, const LegacyClaimList& claims, DraFormat format) {
  return GoDumpChecksum([&](GoDump& dump) { DumpFile(dump, version, claims, format); });
}

uint32_t RebuiltChecksumOf127(const LegacyClaimList& claims) {
  if (!claims.is_nil()) return LegacyChecksum(kLegacyVersion, claims, DraFormat::k127);
  return LegacyChecksum(kLegacyVersion, LegacyCheckpoint().claims, DraFormat::k127);
}

std::string LegacyDump(std::string_view version, const LegacyClaimList& claims, DraFormat format) {
  return GoDumpText([&](GoDump& dump) { DumpFile(dump, version, claims, format); });
}

std::string EncodeLegacy(const LegacyClaimList& claims, DraFormat format, ControlEscapes escapes) {
  std::string out = "{\"version\":\"v1\"";
  if (!claims.empty()) {
    out += ",\"entries\":";
    AppendLegacyClaims(claims, format, escapes, &out);
  }
  out += ",\"checksum\":";
  out += std::to_string(LegacyChecksum(kLegacyVersion, claims, format));
  out += '}';
  return out;
}

void AppendLegacyClaims(const LegacyClaimList& claims, DraFormat format, ControlEscapes escapes, std::string* out) {
  LegacyWriter(format, escapes, out).Claims(claims);
}

}  // namespace kubelet_cm::dra
