#include "dra/claim/claim_parser.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/json_decoder.h"
#include "common/gotext/quote.h"
#include "common/status/status_macros.h"
#include "dra/claim/claim_decoder.h"
#include "dra/claim/claim_validation.h"

namespace kubelet_cm::dra {
namespace {

constexpr std::string_view kGroup = "resource.k8s.io/";
constexpr size_t kShownSize = 64;
constexpr GoField kTypeFields[] = {{"apiVersion"}, {"kind"}, {"items"}};
constexpr GoStruct kType{"v1.TypeMeta", kTypeFields};

struct TypeMeta {
  std::string api_version;
  std::string kind;
  std::optional<JsonValue> items;
};

std::string Shown(std::string_view text) { return GoQuote(text.substr(0, kShownSize)); }

absl::StatusOr<TypeMeta> TypeOf(JsonValue object) {
  TypeMeta meta;
  JsonDecoder decoder;
  decoder.Struct(object, kType, [&](size_t field, JsonValue value) {
    if (field == 0) return decoder.String(value, "string", &meta.api_version);
    if (field == 1) return decoder.String(value, "string", &meta.kind);
    meta.items = value;
  });
  RETURN_IF_ERROR(decoder.status());
  return meta;
}

absl::StatusOr<ClaimApi> ApiOf(std::string_view api_version) {
  if (api_version.starts_with(kGroup)) {
    if (const auto api = ClaimApiOf(api_version.substr(kGroup.size()))) return *api;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("apiVersion: ", Shown(api_version), " is no version of resource.k8s.io that has ResourceClaims"));
}

absl::StatusOr<ClaimObject> ParseAs(JsonValue object, ClaimApi api) {
  ASSIGN_OR_RETURN(ClaimObject claim, DecodeClaimObject(object, api));
  if (absl::Status status = ValidateClaim(claim); !status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("ResourceClaim ", Shown(claim.id.Key()), ": ", std::string(status.message())));
  }
  return claim;
}

// An item of a list that says of itself what it is, or else is what `list_api` says.
absl::StatusOr<ClaimObject> ParseItem(JsonValue item, std::optional<ClaimApi> list_api) {
  ASSIGN_OR_RETURN(const TypeMeta meta, TypeOf(item));
  if (list_api.has_value() && meta.kind.empty() && meta.api_version.empty()) return ParseAs(item, *list_api);
  return ParseClaim(item);
}

absl::StatusOr<std::vector<ClaimObject>> ParseItems(const TypeMeta& list, std::optional<ClaimApi> api) {
  std::vector<ClaimObject> claims;
  if (!list.items.has_value() || list.items->type() == JsonType::kNull) return claims;
  if (list.items->type() != JsonType::kArray) return absl::InvalidArgumentError("items: not a list");
  if (list.items->size() > kMaxClaims) {
    return absl::ResourceExhaustedError(
        absl::StrCat("items: ", list.items->size(), " entries, of which there can be ", kMaxClaims));
  }
  for (const JsonValue item : list.items->elements()) {
    absl::StatusOr<ClaimObject> claim = ParseItem(item, api);
    if (!claim.ok()) {
      return absl::Status(claim.status().code(),
                          absl::StrCat("items[", claims.size(), "]: ", std::string(claim.status().message())));
    }
    claims.push_back(*std::move(claim));
  }
  return claims;
}

absl::Status CheckSize(std::string_view json, size_t max) {
  if (json.size() <= max) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("a text of ", json.size(), " bytes, of which ResourceClaims can have ", max));
}

}  // namespace

absl::StatusOr<ClaimObject> ParseClaim(JsonValue object) {
  ASSIGN_OR_RETURN(const TypeMeta meta, TypeOf(object));
  if (meta.kind != "ResourceClaim") {
    return absl::InvalidArgumentError(absl::StrCat("kind: ", Shown(meta.kind), " is not ResourceClaim"));
  }
  ASSIGN_OR_RETURN(const ClaimApi api, ApiOf(meta.api_version));
  return ParseAs(object, api);
}

absl::StatusOr<ClaimObject> ParseClaim(std::string_view json) {
  RETURN_IF_ERROR(CheckSize(json, kMaxClaimText));
  ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(json));
  return ParseClaim(document.root());
}

absl::StatusOr<std::vector<ClaimObject>> ParseClaims(std::string_view json) {
  RETURN_IF_ERROR(CheckSize(json, kMaxClaimListText));
  ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(json));
  ASSIGN_OR_RETURN(const TypeMeta meta, TypeOf(document.root()));
  if (meta.kind == "ResourceClaimList") {
    ASSIGN_OR_RETURN(const ClaimApi api, ApiOf(meta.api_version));
    return ParseItems(meta, api);
  }
  if (meta.kind == "List") return ParseItems(meta, std::nullopt);
  ASSIGN_OR_RETURN(ClaimObject claim, ParseClaim(document.root()));
  std::vector<ClaimObject> claims;
  claims.push_back(std::move(claim));
  return claims;
}

}  // namespace kubelet_cm::dra
