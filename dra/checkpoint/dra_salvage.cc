#include "dra/checkpoint/dra_salvage.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/gotext/json_document.h"
#include "common/gotext/json_error.h"
#include "common/gotext/json_string.h"
#include "dra/checkpoint/claim_codec.h"
#include "dra/checkpoint/dra_conversion.h"
#include "dra/checkpoint/dra_reading.h"
#include "dra/checkpoint/go_member.h"
#include "dra/checkpoint/legacy_codec.h"
#include "dra/checkpoint/part_budget.h"

namespace kubelet_cm::dra {
namespace {

// How a claim begins in a file that a kubelet wrote, in a JSON string and before 1.31.
constexpr std::string_view kNestedMarker = R"({\"ClaimUID\":)";
constexpr std::string_view kLegacyMarker = R"({"DriverName":)";

// The JSON object at the start of `text`; empty if it does not end there.
std::string_view FirstObject(std::string_view text) {
  size_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && c == '{') {
      ++depth;
    } else if (!in_string && c == '}' && --depth == 0) {
      return text.substr(0, i + 1);
    }
  }
  return {};
}

// As much of a piece of a JSON string's body as is right in its syntax and has no quote.
std::string_view SoundPart(std::string_view piece) {
  size_t end = 0;
  while (end < piece.size() && piece[end] != '"') end += piece[end] == '\\' ? 2 : 1;
  piece = piece.substr(0, end);
  const auto whole = JsonDocument::Parse(absl::StrCat("\"", std::string(piece), "\""));
  if (whole.ok()) return piece;
  // The quote in front was read too, and so was the byte that is wrong.
  const int64_t sound = JsonErrorOffset(whole.status()).value_or(0) - 2;
  piece = piece.substr(0, static_cast<size_t>(std::max<int64_t>(sound, 0)));
  // An escape that is cut short goes too.
  const size_t escape = piece.rfind('\\');
  const bool cut =
      escape != std::string_view::npos && !JsonDocument::Parse(absl::StrCat("\"", std::string(piece), "\"")).ok();
  return cut ? piece.substr(0, escape) : piece;
}

// What may stand between the end of one claim and the start of the next, or of what follows the last.
bool IsSeparator(std::string_view text) {
  return text.empty() || text.find_first_not_of(", \t\r\n") == std::string_view::npos || text.starts_with(']');
}

size_t PartsOf(const ClaimState& claim) {
  size_t parts = 1;
  if (!claim.driver_state.has_value()) return parts;
  for (const auto& [name, driver] : *claim.driver_state) parts += 1 + driver.devices.size();
  return parts;
}

size_t PartsOf(const LegacyClaim& claim) {
  size_t parts = 1 + (claim.cdi_devices.has_value() ? claim.cdi_devices->size() : 0);
  for (const ResourceHandle& handle : claim.resource_handles) {
    parts += 1 + (handle.structured_data.has_value() ? handle.structured_data->results.size() : 0);
  }
  return parts;
}

class Salvager {
 public:
  explicit Salvager(std::string_view bytes) : bytes_(bytes) {}

  // Of a file in which all is JSON: element by element of its list.
  template <typename Claim, typename Decode>
  void Elements(JsonValue list, int64_t offset, Decode decode, std::vector<Claim>& out) {
    size_t index = 0;
    for (const JsonValue element : list.elements()) {
      Claim claim;
      const absl::Status status = decode(element, &claim);
      Keep(status, absl::StrCat("claim ", ++index), offset >= 0 ? offset : element.begin_offset(), claim, out);
    }
  }

  // Of any bytes: wherever the marker stands. `unwrap` gives the JSON of the piece up to the next marker.
  template <typename Claim, typename Unwrap, typename Decode>
  void Pieces(std::string_view marker, Unwrap unwrap, Decode decode, std::vector<Claim>& out) {
    size_t at = bytes_.find(marker);
    while (at != std::string_view::npos) {
      const size_t next = bytes_.find(marker, at + marker.size());
      const std::string json = unwrap(bytes_.substr(at, next == std::string_view::npos ? next : next - at));
      const std::string_view object = FirstObject(json);
      const auto offset = static_cast<int64_t>(at);
      Claim claim;
      const auto document = JsonDocument::Parse(object);
      const absl::Status status = document.ok() ? decode(document->root(), &claim) : document.status();
      Keep(object.empty() ? absl::DataLossError("it is cut off") : status, "a claim", offset, claim, out);
      if (!object.empty() && !IsSeparator(std::string_view(json).substr(object.size()))) {
        Lose("what stands behind the claim that begins here cannot be read", offset);
      }
      at = next;
    }
  }

  void Lose(std::string text, std::optional<int64_t> offset) {
    ++salvage_.claims_lost;
    salvage_.problems.push_back({CheckpointProblemKind::kLost, std::move(text), offset});
  }

  DraSalvage& salvage() { return salvage_; }

 private:
  template <typename Claim>
  void Keep(const absl::Status& status, const std::string& what, int64_t offset, Claim& claim,
            std::vector<Claim>& out) {
    if (!status.ok()) return Lose(absl::StrCat(what, " cannot be read: ", status.message()), offset);
    if (claim.claim_uid.empty() || claim.claim_name.empty() || claim.claim_namespace.empty()) {
      return Lose(absl::StrCat(what, " has no name, namespace or UID"), offset);
    }
    if (!budget_.Take(PartsOf(claim))) return Lose(absl::StrCat(what, " is one too many"), offset);
    out.push_back(std::move(claim));
  }

  const std::string_view bytes_;
  PartBudget budget_;
  DraSalvage salvage_;
};

std::string UnwrapNested(std::string_view piece) {
  std::string json;
  AppendUnquotedJson(SoundPart(piece), &json);
  return json;
}

absl::Status DecodeNewest(JsonValue value, ClaimState* out) { return DecodeClaim(value, DraFormat::k137, out); }
absl::Status DecodeNewestLegacy(JsonValue value, LegacyClaim* out) {
  return DecodeLegacyClaim(value, DraFormat::k130, out);
}

// The lists of claims of a file that is JSON, each with where it stands; false if it has none.
bool SalvageDocument(JsonValue root, Salvager& salvager, std::vector<ClaimState>& claims,
                     std::vector<LegacyClaim>& legacy) {
  if (const auto entries = FindGoMember(root, "entries"); entries && entries->value.type() == JsonType::kArray) {
    salvager.Elements(entries->value, -1, DecodeNewestLegacy, legacy);
    return true;
  }
  const auto data = FindGoMember(root, "Data");
  if (!data.has_value() || data->value.type() != JsonType::kString) return false;
  const auto inner = JsonDocument::Parse(data->value.text());
  if (!inner.ok()) return false;
  const auto list = FindGoMember(inner->root(), "ClaimInfoStateList");
  if (!list.has_value() || list->value.type() != JsonType::kArray) return false;
  salvager.Elements(list->value, data->value.begin_offset(), DecodeNewest, claims);
  return true;
}

}  // namespace

DraSalvage SalvageDra(std::string_view bytes) {
  DraReading reading = ReadDraCheckpoint(bytes);
  Salvager salvager(bytes);
  DraSalvage& salvage = salvager.salvage();
  salvage.problems = std::move(reading.problems);
  if (reading.valid() || (reading.stage == DraStage::kChecksum && salvage.problems.size() == 1)) {
    salvage.claims = std::move(reading.claims);
    salvage.losses = std::move(reading.losses);
    return std::move(salvage);
  }
  // What is too much to read is too much to salvage.
  if (absl::IsResourceExhausted(reading.status)) return std::move(salvage);
  std::vector<ClaimState> claims;
  std::vector<LegacyClaim> legacy;
  const auto document = JsonDocument::Parse(bytes);
  if (!document.ok() || !SalvageDocument(document->root(), salvager, claims, legacy)) {
    salvager.Pieces(kNestedMarker, UnwrapNested, DecodeNewest, claims);
    salvager.Pieces(
        kLegacyMarker, [](std::string_view piece) { return std::string(piece); }, DecodeNewestLegacy, legacy);
  }
  if (claims.empty() && salvage.claims_lost == 0 && legacy.empty()) {
    salvager.Lose("no claim can be found in the file", std::nullopt);
  }
  if (!legacy.empty()) {
    LegacyClaimList old;
    old.Set(std::move(legacy));
    ConvertedClaims converted = FromLegacyClaims(old);
    salvage.losses = std::move(converted.losses);
    for (const ClaimState& claim : converted.claims) claims.push_back(claim);
  }
  salvage.claims.Set(std::move(claims));
  return std::move(salvage);
}

}  // namespace kubelet_cm::dra
