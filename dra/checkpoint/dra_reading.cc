#include "dra/checkpoint/dra_reading.h"

#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "checkpointmanager/checkpoint_error.h"
#include "checkpointmanager/checksum/crc32.h"
#include "common/gotext/json_document.h"
#include "common/gotext/json_error.h"
#include "common/gotext/nested_json.h"
#include "dra/checkpoint/claim_codec.h"
#include "dra/checkpoint/dra_conversion.h"
#include "dra/checkpoint/go_member.h"
#include "dra/checkpoint/legacy_codec.h"

namespace kubelet_cm::dra {
namespace {

constexpr size_t kMaxPlainBytes = size_t{64} << 20;  // more than JsonDocument takes need not be copied first
constexpr char kGetError[] = "failed to get checkpoint dra_manager_state: ";

absl::string_view ForAbsl(std::string_view text) { return absl::string_view(text.data(), text.size()); }

// As the kubelet's checkpointer returns it, with what the error carries.
absl::Status GetError(const absl::Status& status) {
  absl::Status error(status.code(), absl::StrCat(kGetError, status.message()));
  status.ForEachPayload([&](absl::string_view url, const absl::Cord& payload) { error.SetPayload(url, payload); });
  return error;
}

void SetWriters(const ClaimFields& seen, DraReading& reading) {
  if (seen.skip_node_operations) {
    reading.oldest_writer = DraFormat::k137;
  } else {
    reading.oldest_writer = seen.share_ids ? DraFormat::k135 : DraFormat::k131;
    reading.newest_writer = seen.devices && !seen.share_ids ? DraFormat::k131 : DraFormat::k137;
  }
}

// A file of 1.31 on exactly as kubelets write it, in ASCII and right, in half the time that it takes otherwise. Nothing
// for any other.
std::optional<DraReading> ReadPlain(DraFormat format, std::string_view bytes) {
  constexpr std::string_view kStart = "{\"Data\":\"";
  constexpr std::string_view kBehindData = "\",\"Checksum\":";
  if (bytes.size() > kMaxPlainBytes || bytes.substr(0, kStart.size()) != kStart) return std::nullopt;
  bytes.remove_prefix(kStart.size());
  std::string inner;
  const std::optional<size_t> size = AppendUnnestedJson(bytes, &inner);
  if (!size.has_value()) return std::nullopt;
  DraReading reading{.format = format, .oldest_writer = format, .newest_writer = format};
  const uint32_t checksum = Crc32(inner);
  if (bytes.substr(*size) != absl::StrCat(ForAbsl(kBehindData), checksum, "}")) return std::nullopt;
  reading.stored_checksum = reading.computed_checksum = checksum;
  const absl::StatusOr<JsonDocument> document = JsonDocument::Parse(inner);
  ClaimFields seen;
  if (!document.ok() || !DecodeClaims(document->root(), format, &reading.claims, &seen).ok()) return std::nullopt;
  SetWriters(seen, reading);
  return reading;
}

// Reads one file as one format; the document stays, so that a file is scanned once for several tries.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : document_(JsonDocument::Parse(bytes)) {}

  bool is_json() const { return document_.ok(); }
  JsonValue root() const { return document_->root(); }

  DraReading As(DraFormat format) const {
    DraReading reading{.format = format, .oldest_writer = format, .newest_writer = format};
    if (!document_.ok()) {
      FailUnmarshal(document_.status(), reading);
    } else if (format >= DraFormat::k131) {
      ReadClaims(reading);
    } else {
      ReadLegacy(reading);
    }
    return reading;
  }

 private:
  void FailUnmarshal(const absl::Status& status, DraReading& reading) const {
    reading.stage = DraStage::kUnmarshal;
    reading.status = GetError(status);
    reading.problems.push_back(
        {CheckpointProblemKind::kNotReadable, std::string(status.message()), JsonErrorOffset(status)});
  }

  // `actual` is what the reader found, or had put in.
  void FailChecksum(uint64_t actual, DraReading& reading) const {
    reading.stage = DraStage::kChecksum;
    reading.status = GetError(CorruptCheckpointError({.expected = *reading.computed_checksum, .actual = actual}));
    const auto member = FindGoMember(root(), "checksum");
    const std::string content = absl::StrCat("that of the content is ", *reading.computed_checksum);
    if (member.has_value()) {
      reading.problems.push_back(
          {CheckpointProblemKind::kChecksumMismatch,
           absl::StrCat("the checksum in the file is ", ForAbsl(member->value.literal()), ", but ", ForAbsl(content)),
           member->value.begin_offset()});
    } else {
      reading.problems.push_back(
          {CheckpointProblemKind::kChecksumMismatch, absl::StrCat("the file has no checksum; ", ForAbsl(content))});
    }
  }

  void ReadLegacy(DraReading& reading) const {
    LegacyCheckpoint checkpoint;
    const absl::Status status = DecodeLegacy(root(), reading.format, &checkpoint);
    if (!status.ok()) return FailUnmarshal(status, reading);
    if (FindGoMember(root(), "checksum").has_value()) reading.stored_checksum = checkpoint.checksum;
    reading.computed_checksum = LegacyChecksum(checkpoint.version, checkpoint.claims, reading.format);
    if (checkpoint.checksum != *reading.computed_checksum) {
      const uint32_t rebuilt = RebuiltChecksumOf127(checkpoint.claims);
      if (reading.format != DraFormat::k127 && checkpoint.checksum == rebuilt) {
        reading.computed_checksum = rebuilt;
        reading.oldest_writer = reading.newest_writer = DraFormat::k127;
      } else {
        FailChecksum(checkpoint.checksum, reading);
      }
    }
    reading.legacy_claims = std::move(checkpoint.claims);
  }

  void ReadClaims(DraReading& reading) const {
    ClaimCheckpoint checkpoint;
    const absl::Status status = DecodeClaimCheckpoint(root(), &checkpoint);
    if (!status.ok()) return FailUnmarshal(status, reading);
    if (FindGoMember(root(), "Checksum").has_value()) reading.stored_checksum = checkpoint.checksum;
    reading.computed_checksum = Crc32(checkpoint.data);
    if (checkpoint.checksum != *reading.computed_checksum) FailChecksum(checkpoint.checksum, reading);
    ReadInner(checkpoint.data, reading);
  }

  void ReadInner(std::string_view inner, DraReading& reading) const {
    const absl::StatusOr<JsonDocument> document = JsonDocument::Parse(inner);
    ClaimFields seen;
    const absl::Status status =
        document.ok() ? DecodeClaims(document->root(), reading.format, &reading.claims, &seen) : document.status();
    status.ok() ? SetWriters(seen, reading) : FailInner(status, reading);
  }

  // A wrong checksum was noticed before, and is what counts unless there is too much to read.
  void FailInner(const absl::Status& status, DraReading& reading) const {
    if (reading.status.ok() || absl::IsResourceExhausted(status)) {
      reading.stage = DraStage::kClaimList;
      reading.status = status;
    }
    CheckpointProblem problem{CheckpointProblemKind::kNotReadable, absl::StrCat("in Data: ", status.message())};
    const auto data = FindGoMember(root(), "Data");
    if (const auto offset = JsonErrorOffset(status); offset.has_value() && data.has_value()) {
      std::string_view body = data->value.literal();
      body = body.substr(1, body.size() - 2);
      problem.offset = data->value.begin_offset() + 1 + OffsetInJsonString(body, *offset);
    }
    reading.problems.push_back(std::move(problem));
  }

  absl::StatusOr<JsonDocument> document_;
};

bool HasHandleMember(JsonValue entries, std::string_view name) {
  for (const JsonValue entry : entries.elements()) {
    const auto handles = FindGoMember(entry, "ResourceHandles");
    if (!handles.has_value()) continue;
    if (name.empty()) return true;
    for (const JsonValue handle : handles->value.elements()) {
      if (FindGoMember(handle, name).has_value()) return true;
    }
  }
  return false;
}

// Of a file without a right checksum, by its keys.
DraFormat GuessLegacyFormat(JsonValue root) {
  const auto entries = FindGoMember(root, "entries");
  if (!entries.has_value() || !HasHandleMember(entries->value, "")) return DraFormat::k127;
  return HasHandleMember(entries->value, "structuredData") ? DraFormat::k130 : DraFormat::k128;
}

// Whether this is a file of 1.27 to 1.30, rather than one of 1.31 on.
bool LooksLegacy(JsonValue root) {
  if (FindGoMember(root, "Data").has_value()) return false;
  if (FindGoMember(root, "entries").has_value() || FindGoMember(root, "version").has_value()) return true;
  const auto checksum = FindGoMember(root, "checksum");
  static const std::string empty =
      std::to_string(LegacyChecksum(kLegacyVersion, LegacyCheckpoint().claims, DraFormat::k127));
  return checksum.has_value() && checksum->value.literal() == empty;
}

DraReading ReadAnyLegacy(const Reader& reader) {
  std::optional<DraReading> valid;
  for (const DraFormat format : {DraFormat::k127, DraFormat::k128, DraFormat::k130}) {
    DraReading reading = reader.As(format);
    // What a format takes for one of 1.27 is of interest only if 1.27 itself does not.
    if (!reading.valid() || (valid.has_value() && reading.oldest_writer != format)) continue;
    if (valid.has_value()) reading.oldest_writer = valid->oldest_writer;
    valid = std::move(reading);
  }
  if (valid.has_value()) return *std::move(valid);
  DraReading reading = reader.As(GuessLegacyFormat(reader.root()));
  if (reading.legacy_claims.empty()) reading.newest_writer = DraFormat::k130;
  return reading;
}

DraReading ReadAs(DraFormat format, std::string_view bytes) {
  if (format >= DraFormat::k131) {
    if (std::optional<DraReading> plain = ReadPlain(format, bytes)) return *std::move(plain);
  }
  return Reader(bytes).As(format);
}

}  // namespace

DraReading ReadDraCheckpointAs(const Personality& kubelet, std::string_view bytes) {
  if (!kubelet.dra_writes.has_value()) {
    DraReading reading{.stage = DraStage::kNotRead};
    reading.status = absl::FailedPreconditionError(
        absl::StrCat("kubelet ", ForAbsl(kubelet.name), " keeps no state of claims; it does not read this file"));
    return reading;
  }
  if (kubelet.Reads(DraFormat::k137) && kubelet.Reads(DraFormat::k127)) return ReadDraCheckpoint(bytes);
  return ReadAs(*kubelet.dra_writes, bytes);
}

DraReading ReadDraCheckpoint(std::string_view bytes) {
  if (std::optional<DraReading> plain = ReadPlain(DraFormat::k137, bytes)) return *std::move(plain);
  const Reader reader(bytes);
  if (!reader.is_json() || !LooksLegacy(reader.root())) return reader.As(DraFormat::k137);
  DraReading reading = ReadAnyLegacy(reader);
  ConvertedClaims converted = FromLegacyClaims(reading.legacy_claims);
  reading.claims = std::move(converted.claims);
  reading.losses = std::move(converted.losses);
  return reading;
}

std::string DraStartError(const Personality& kubelet, const DraReading& reading) {
  const absl::string_view error = reading.status.message();
  if (!kubelet.Reads(DraFormat::k131)) {
    return absl::StrCat("failed to create claimInfo cache: error calling GetOrCreate() on checkpoint state: ", error);
  }
  const bool list = reading.stage == DraStage::kClaimList;
  return absl::StrCat("create ResourceClaim cache: ",
                      list ? "GetEntries() on checkpoint: " : "GetOrCreate() on checkpoint state: ", error);
}

std::string DraContentJson(const DraReading& reading) {
  std::string out = "{\"claims\":";
  if (reading.format < DraFormat::k131) {
    AppendLegacyClaims(reading.legacy_claims, reading.format, ControlEscapes::kShort, &out);
  } else {
    AppendClaims(reading.claims, reading.format, ControlEscapes::kShort, &out);
  }
  out += '}';
  return out;
}

}  // namespace kubelet_cm::dra
