#include "testing/fakes/api_objects.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/gotext/json_writer.h"
#include "testing/fakes/claim_json.h"

namespace kubelet_cm::fakes {
namespace {

void WriteListMeta(int64_t version, const std::string& next, JsonWriter& json) {
  json.Key("metadata");
  json.BeginObject();
  json.Key("resourceVersion");
  json.String(absl::StrCat(version));
  if (!next.empty()) {
    json.Key("continue");
    json.String(next);
  }
  json.EndObject();
}

}  // namespace

void ApiObjects::PutClaim(const dra::ClaimObject& claim) {
  const bool known = claims_.contains(claim.id.Key());
  Stored stored{claim, ++version_};
  claims_[claim.id.Key()] = stored;
  history_.push_back({known ? "MODIFIED" : "ADDED", std::move(stored)});
}

void ApiObjects::DeleteClaim(const std::string& namespace_name, const std::string& name) {
  const auto found = claims_.find(absl::StrCat(namespace_name, "/", name));
  if (found == claims_.end()) return;
  found->second.version = ++version_;
  history_.push_back({"DELETED", std::move(found->second)});
  claims_.erase(found);
}

std::optional<std::string> ApiObjects::Claim(const std::string& namespace_name, const std::string& name,
                                             const std::string& api) const {
  const auto found = claims_.find(absl::StrCat(namespace_name, "/", name));
  if (found == claims_.end()) return std::nullopt;
  std::string text;
  JsonWriter json(&text);
  WriteClaim(found->second.claim, api, found->second.version, json);
  return text;
}

std::string ApiObjects::ClaimList(const std::string& api, size_t limit, const std::string& after) const {
  std::string text;
  JsonWriter json(&text);
  auto next = claims_.upper_bound(after);
  std::string items;
  std::string last;
  JsonWriter list(&items);
  list.BeginArray();
  for (size_t i = 0; i < limit && next != claims_.end(); ++i, ++next) {
    WriteClaim(next->second.claim, api, next->second.version, list);
    last = next->first;
  }
  list.EndArray();
  json.BeginObject();
  json.Key("kind");
  json.String("ResourceClaimList");
  json.Key("apiVersion");
  json.String(api);
  WriteListMeta(version_, next == claims_.end() ? "" : last, json);
  json.Key("items");
  json.Raw(items);
  json.EndObject();
  return text;
}

std::string ApiObjects::EventsAfter(int64_t* version, const std::string& api) const {
  std::string lines;
  for (const Change& change : history_) {
    if (change.stored.version <= *version) continue;
    std::string line;
    JsonWriter json(&line);
    json.BeginObject();
    json.Key("type");
    json.String(change.type);
    json.Key("object");
    WriteClaim(change.stored.claim, api, change.stored.version, json);
    json.EndObject();
    absl::StrAppend(&lines, line, "\n");
  }
  *version = version_;
  return lines;
}

void ApiObjects::Compact() {
  history_.clear();
  compacted_ = ++version_;
}

std::string ApiStatus(int code, const std::string& reason, const std::string& message) {
  std::string text;
  JsonWriter json(&text);
  json.BeginObject();
  json.Key("kind");
  json.String("Status");
  json.Key("apiVersion");
  json.String("v1");
  json.Key("metadata");
  json.BeginObject();
  json.EndObject();
  json.Key("status");
  json.String("Failure");
  json.Key("message");
  json.String(message);
  json.Key("reason");
  json.String(reason);
  json.Key("code");
  json.Int(code);
  json.EndObject();
  return text;
}

}  // namespace kubelet_cm::fakes
