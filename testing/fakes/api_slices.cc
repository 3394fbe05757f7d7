#include "testing/fakes/api_slices.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/gotext/json_document.h"
#include "common/gotext/json_writer.h"
#include "testing/fakes/api_objects.h"

namespace kubelet_cm::fakes {
namespace {

constexpr char kWithContent[] = "v1alpha2";

// A term of a field selector, "key=value" with the value escaped; the key, and the value as it was meant.
std::pair<std::string, std::string> Term(const std::string& text) {
  const size_t equals = text.find('=');
  std::string value;
  for (size_t i = equals + 1; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    value.push_back(text[i]);
  }
  return {text.substr(0, equals), value};
}

// The terms of a selector, which commas divide that are not escaped.
std::vector<std::pair<std::string, std::string>> Terms(const std::string& selector) {
  std::vector<std::pair<std::string, std::string>> terms;
  std::string term;
  for (size_t i = 0; i <= selector.size(); ++i) {
    if (i == selector.size() || selector[i] == ',') {
      if (!term.empty()) terms.push_back(Term(term));
      term.clear();
      continue;
    }
    term.push_back(selector[i]);
    if (selector[i] == '\\' && i + 1 < selector.size()) term.push_back(selector[++i]);
  }
  return terms;
}

bool Selects(const std::string& version, const std::string& selector, const ApiSlice& slice) {
  const bool old = version == kWithContent;
  const std::string node_key = old ? "nodeName" : "spec.nodeName";
  const std::string driver_key = old ? "driverName" : "spec.driver";
  const auto terms = Terms(selector);
  return std::all_of(terms.begin(), terms.end(), [&](const auto& term) {
    const auto& [key, value] = term;
    return (key == node_key && slice.node == value) || (key == driver_key && slice.driver == value) ||
           (key == driver_key + "!" && slice.driver != value);
  });
}

ApiAnswer Refusal(int code, const std::string& reason, const std::string& message) {
  return {.code = code, .body = ApiStatus(code, reason, message)};
}

ApiAnswer NoSlice(const std::string& name) {
  return Refusal(404, "NotFound", absl::StrCat("resourceslices.resource.k8s.io \"", name, "\" not found"));
}

std::string Json(const std::string& name, const ApiSlice& slice) {
  std::string text;
  JsonWriter json(&text);
  json.BeginObject();
  json.Key("metadata");
  json.BeginObject();
  json.Key("name");
  json.String(name);
  json.Key("resourceVersion");
  json.String(absl::StrCat(slice.version));
  if (!slice.more_metadata.empty()) json.Raw(slice.more_metadata);
  json.EndObject();
  json.Key("nodeName");
  json.String(slice.node);
  json.Key("driverName");
  json.String(slice.driver);
  if (!slice.resources.empty()) {
    json.Key("namedResources");
    json.Raw(slice.resources);
  }
  json.EndObject();
  return text;
}

// What a client sent.
struct Sent {
  ApiSlice slice;
  std::string generate_name;
  std::string resource_version;
};

void ReadMetadata(JsonValue metadata, Sent* sent) {
  for (const auto [key, value] : metadata.members()) {
    if (key.text() == "generateName") {
      sent->generate_name = std::string(value.text());
    } else if (key.text() == "resourceVersion") {
      sent->resource_version = std::string(value.text());
    } else if (key.text() != "name") {
      std::string& more = sent->slice.more_metadata;
      absl::StrAppend(&more, more.empty() ? "" : ",", std::string(key.literal()), ":", std::string(value.literal()));
    }
  }
}

// Nothing if it is no slice of v1alpha2.
std::optional<Sent> Read(const std::string& body) {
  const auto document = JsonDocument::Parse(body);
  if (!document.ok()) return std::nullopt;
  Sent sent;
  std::string type;
  for (const auto [key, value] : document->root().members()) {
    const std::string_view name = key.text();
    if (name == "kind" || name == "apiVersion") absl::StrAppend(&type, std::string(value.text()), " ");
    if (name == "metadata") ReadMetadata(value, &sent);
    if (name == "nodeName") sent.slice.node = std::string(value.text());
    if (name == "driverName") sent.slice.driver = std::string(value.text());
    if (name == "namedResources") sent.slice.resources = std::string(value.literal());
  }
  const bool whole = type == "ResourceSlice resource.k8s.io/v1alpha2 " && !sent.slice.node.empty() &&
                     !sent.slice.driver.empty() && !sent.slice.resources.empty();
  return whole ? std::optional(std::move(sent)) : std::nullopt;
}

}  // namespace

void ApiSlices::Put(const std::string& name, ApiSlice slice) {
  slice.version = ++last_version_;
  slices_[name] = std::move(slice);
}

std::set<std::string> ApiSlices::Names() const {
  std::set<std::string> names;
  for (const auto& [name, slice] : slices_) names.insert(name);
  return names;
}

std::vector<std::string> ApiSlices::ResourcesOf(const std::string& driver) const {
  std::vector<std::string> resources;
  for (const auto& [name, slice] : slices_) {
    if (slice.driver == driver) resources.push_back(slice.resources);
  }
  return resources;
}

ApiAnswer ApiSlices::DeleteSelected(const std::string& version, const std::string& selector) {
  std::erase_if(slices_, [&](const auto& entry) { return Selects(version, selector, entry.second); });
  return {.body = R"({"kind":"ResourceSliceList","items":[]})"};
}

ApiAnswer ApiSlices::List(const std::string& version, const std::string& selector) const {
  std::string items;
  for (const auto& [name, slice] : slices_) {
    if (Selects(version, selector, slice)) absl::StrAppend(&items, items.empty() ? "" : ",", Json(name, slice));
  }
  return {.body = absl::StrCat(R"({"kind":"ResourceSliceList","apiVersion":"resource.k8s.io/)", version,
                               R"(","metadata":{"resourceVersion":")", last_version_, R"("},"items":[)", items, "]}")};
}

ApiAnswer ApiSlices::Create(const std::string& body) {
  std::optional<Sent> sent = Read(body);
  if (!sent.has_value() || sent->generate_name.empty()) {
    return Refusal(422, "Invalid", "ResourceSlice.resource.k8s.io is invalid");
  }
  const std::string name = absl::StrCat(sent->generate_name, last_version_ + 1);
  Put(name, std::move(sent->slice));
  return {.code = 201, .body = Json(name, slices_[name])};
}

ApiAnswer ApiSlices::Replace(const std::string& name, const std::string& body) {
  const auto found = slices_.find(name);
  if (found == slices_.end()) return NoSlice(name);
  std::optional<Sent> sent = Read(body);
  if (!sent.has_value() || sent->slice.node != found->second.node || sent->slice.driver != found->second.driver) {
    return Refusal(422, "Invalid", absl::StrCat("ResourceSlice.resource.k8s.io \"", name, "\" is invalid"));
  }
  if (sent->resource_version != absl::StrCat(found->second.version)) {
    return Refusal(409, "Conflict",
                   absl::StrCat("Operation cannot be fulfilled on resourceslices.resource.k8s.io \"", name,
                                "\": the object has been modified"));
  }
  Put(name, std::move(sent->slice));
  return {.body = Json(name, slices_[name])};
}

ApiAnswer ApiSlices::Delete(const std::string& name) {
  if (slices_.erase(name) == 0) return NoSlice(name);
  return {.body = R"({"kind":"Status","status":"Success"})"};
}

}  // namespace kubelet_cm::fakes
