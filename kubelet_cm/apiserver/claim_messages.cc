#include "kubelet_cm/apiserver/claim_messages.h"

#include <optional>
#include <utility>

#include "common/gotext/json_decoder.h"
#include "common/gotext/json_document.h"
#include "common/status/status_macros.h"
#include "dra/claim/claim_validation.h"
#include "kubelet_cm/apiserver/api_error.h"

namespace kubelet_cm::apiserver {
namespace {

constexpr GoField kListFields[] = {{"kind"}, {"metadata"}, {"items"}};
constexpr GoStruct kList{"v1.ResourceClaimList", kListFields};
constexpr GoField kListMetaFields[] = {{"resourceVersion"}, {"continue"}};
constexpr GoStruct kListMeta{"v1.ListMeta", kListMetaFields};
constexpr GoField kEventFields[] = {{"type"}, {"object"}};
constexpr GoStruct kEvent{"v1.WatchEvent", kEventFields};
constexpr GoField kObjectFields[] = {{"metadata"}};
constexpr GoStruct kObject{"v1.ResourceClaim", kObjectFields};

absl::StatusOr<dra::ClaimObject> ReadClaim(JsonValue json, dra::ClaimApi api) {
  ASSIGN_OR_RETURN(dra::ClaimObject claim, dra::DecodeClaimObject(json, api));
  RETURN_IF_ERROR(dra::ValidateClaim(claim));
  return claim;
}

void ReadItems(JsonValue items, dra::ClaimApi api, ClaimPage* page) {
  for (const JsonValue item : items.elements()) {
    absl::StatusOr<dra::ClaimObject> claim = ReadClaim(item, api);
    if (claim.ok()) {
      page->claims.push_back(*std::move(claim));
      continue;
    }
    if (page->unusable++ == 0) page->first_error = claim.status();
  }
}

absl::StatusOr<std::string> VersionOf(JsonValue object) {
  std::string version;
  JsonDecoder decoder;
  decoder.Struct(object, kObject, [&](size_t, JsonValue meta) {
    decoder.Struct(meta, kListMeta, [&](size_t field, JsonValue value) {
      if (field == 0) decoder.String(value, "string", &version);
    });
  });
  RETURN_IF_ERROR(decoder.status());
  if (version.empty()) return absl::InvalidArgumentError("an object without a resourceVersion");
  return version;
}

absl::StatusOr<ClaimEvent> ClaimChanged(ClaimEvent::Kind kind, JsonValue object, dra::ClaimApi api) {
  ClaimEvent event{.kind = kind};
  ASSIGN_OR_RETURN(event.resource_version, VersionOf(object));
  // Which claim it is must be known; everything else may be wrong.
  ASSIGN_OR_RETURN(event.claim, dra::DecodeClaimObject(object, api));
  event.error = dra::ValidateClaim(event.claim);
  if (!event.error.ok()) event.kind = ClaimEvent::Kind::kGone;
  return event;
}

}  // namespace

absl::StatusOr<ClaimPage> ParseClaimPage(std::string_view json, dra::ClaimApi api) {
  ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(json));
  ClaimPage page;
  std::string kind;
  std::optional<JsonValue> items;
  JsonDecoder decoder;
  decoder.Struct(document.root(), kList, [&](size_t field, JsonValue value) {
    if (field == 0) return decoder.String(value, "string", &kind);
    if (field == 2) {
      items = value;
      return;
    }
    decoder.Struct(value, kListMeta, [&](size_t member, JsonValue text) {
      decoder.String(text, "string", member == 0 ? &page.resource_version : &page.next);
    });
  });
  RETURN_IF_ERROR(decoder.status());
  if (kind != "ResourceClaimList" || page.resource_version.empty()) {
    return absl::InvalidArgumentError("the answer is not a list of ResourceClaims");
  }
  if (items.has_value()) ReadItems(*items, api, &page);
  return page;
}

absl::StatusOr<ClaimEvent> ParseClaimEvent(std::string_view line, dra::ClaimApi api) {
  ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(line));
  std::string type;
  std::optional<JsonValue> object;
  JsonDecoder decoder;
  decoder.Struct(document.root(), kEvent, [&](size_t field, JsonValue value) {
    if (field == 0) return decoder.String(value, "string", &type);
    object = value;
  });
  RETURN_IF_ERROR(decoder.status());
  if (!object.has_value()) return absl::InvalidArgumentError("a watch event without an object");
  if (type == "ERROR") return ApiError(*object);
  if (type == "ADDED" || type == "MODIFIED") return ClaimChanged(ClaimEvent::Kind::kPut, *object, api);
  if (type == "DELETED") return ClaimChanged(ClaimEvent::Kind::kGone, *object, api);
  ClaimEvent event;
  if (type != "BOOKMARK") return event;
  event.kind = ClaimEvent::Kind::kBookmark;
  ASSIGN_OR_RETURN(event.resource_version, VersionOf(*object));
  return event;
}

}  // namespace kubelet_cm::apiserver
