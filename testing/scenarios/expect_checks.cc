#include "testing/scenarios/expect_checks.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "common/personality/personality.h"
#include "testing/scenarios/foreign_checks.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {
namespace {

constexpr std::string_view kOutcomes = " fresh restored migrated corrupt ";
constexpr std::string_view kPhases = " admitted prepared terminating restored refused unknown ";

bool IsOneOf(std::string_view words, const std::string& word) {
  return words.find(absl::StrCat(" ", word, " ")) != std::string_view::npos;
}

void NeedsKnown(const TextPlace& place, const std::string& field, const std::string& name,
                const std::set<std::string>& known) {
  if (!place.Needs(field, name) || known.contains(name)) return;
  place.Complain(field, absl::StrCat("there is no ", field, " \"", name, "\" at this step"));
}

void CheckCall(const proto::Expect::Call& call, const TextPlace& place, const KnownNames& known) {
  if (call.plugin().empty() == call.driver().empty()) return place.Complain("call", "either plugin or driver");
  const bool of_plugin = !call.plugin().empty();
  NeedsKnown(place, of_plugin ? "plugin" : "driver", of_plugin ? call.plugin() : call.driver(),
             of_plugin ? known.plugins : known.drivers);
  NeedsFake(place, of_plugin ? "plugin" : "driver", of_plugin ? call.plugin() : call.driver(), known.programs);
  if (!(of_plugin ? IsPluginMethod(call.call()) : IsDriverMethod(call.call()))) {
    place.Complain("call", absl::StrCat("\"", call.call(), "\" is no call of its protocol"));
  }
}

void CheckFile(const proto::Expect::File& file, const TextPlace& place) {
  if (!PathOfFile(file.file()).has_value()) {
    place.Complain("file", "is neither devices, claims nor an absolute path");
  }
  if (file.format().empty()) return;
  const bool known = file.file() == "devices" ? ParseDeviceFormat(file.format()).ok()
                                              : file.file() == "claims" && ParseDraFormat(file.format()).ok();
  if (!known) place.Complain("format", absl::StrCat("is no format of \"", file.file(), "\""));
}

void CheckListed(const proto::Expect::Listed& listed, const TextPlace& place, const KnownNames& known) {
  if (listed.resource().empty() && listed.claims_size() == 0 && !listed.missing()) {
    place.Complain("resource", "Listed needs resource, claims or missing");
  }
  for (int i = 0; i < listed.claims_size(); ++i) {
    if (known.claims.contains(listed.claims(i))) continue;
    place.Complain("claims", absl::StrCat("there is no claim \"", listed.claims(i), "\" at this step"), i);
  }
  if (listed.cdi_devices_size() > 0 && listed.claims_size() == 0) place.Complain("cdi_devices", "goes with claims");
}

// What is asked of a kubelet that runs.
bool AsksTheKubelet(const proto::Expect& expect) {
  return expect.resources_size() > 0 || expect.holds_size() > 0 || expect.nobody_else() || expect.claims_size() > 0 ||
         expect.health_size() > 0 || expect.listed_size() > 0 || expect.nobody_else_listed() ||
         expect.listed_allocatable_size() > 0 || expect.metrics_size() > 0 || expect.pods_size() > 0 ||
         !expect.devices_restored().empty() || !expect.claims_restored().empty();
}

}  // namespace

void CheckExpect(const proto::Expect& expect, const TextPlace& place, const KnownNames& known, bool running) {
  if (expect.ByteSizeLong() == 0) place.Complain("holds", "an expectation expects something");
  if (!running && AsksTheKubelet(expect)) place.Complain("holds", "no kubelet runs at this step");
  if (running && !expect.not_running_because().empty()) {
    place.Complain("not_running_because", "goes after a restart with refused_with");
  }
  for (int i = 0; i < expect.resources_size(); ++i) {
    place.Nested("resources", i).Needs("resource", expect.resources(i).resource());
  }
  for (int i = 0; i < expect.holds_size(); ++i) {
    const TextPlace nested = place.Nested("holds", i);
    NeedsKnown(nested, "pod", expect.holds(i).pod(), known.pods);
    nested.Needs("resource", expect.holds(i).resource());
    if (expect.holds(i).has_count() && expect.holds(i).ids_size() > 0) nested.Complain("count", "either ids or count");
  }
  for (int i = 0; i < expect.health_size(); ++i) {
    const TextPlace nested = place.Nested("health", i);
    NeedsKnown(nested, "pod", expect.health(i).pod(), known.pods);
    for (const char* field : {"resource", "id", "health"}) {
      const auto* descriptor = proto::Expect::Health::descriptor()->FindFieldByName(field);
      nested.Needs(field, expect.health(i).GetReflection()->GetString(expect.health(i), descriptor));
    }
  }
  for (int i = 0; i < expect.listed_size(); ++i) {
    const TextPlace nested = place.Nested("listed", i);
    NeedsKnown(nested, "pod", expect.listed(i).pod(), known.pods);
    CheckListed(expect.listed(i), nested, known);
  }
  for (int i = 0; i < expect.listed_allocatable_size(); ++i) {
    place.Nested("listed_allocatable", i).Needs("resource", expect.listed_allocatable(i).resource());
  }
  for (int i = 0; i < expect.claims_size(); ++i) {
    NeedsKnown(place.Nested("claims", i), "claim", expect.claims(i).claim(), known.claims);
  }
  for (int i = 0; i < expect.calls_size(); ++i) CheckCall(expect.calls(i), place.Nested("calls", i), known);
  for (int i = 0; i < expect.prepared_size(); ++i) {
    NeedsKnown(place.Nested("prepared", i), "driver", expect.prepared(i).driver(), known.drivers);
    NeedsFake(place.Nested("prepared", i), "driver", expect.prepared(i).driver(), known.programs);
  }
  for (int i = 0; i < expect.connections_size(); ++i) {
    NeedsKnown(place.Nested("connections", i), "driver", expect.connections(i).driver(), known.drivers);
    NeedsFake(place.Nested("connections", i), "driver", expect.connections(i).driver(), known.programs);
  }
  for (int i = 0; i < expect.slices_size(); ++i) {
    NeedsKnown(place.Nested("slices", i), "driver", expect.slices(i).driver(), known.drivers);
  }
  for (int i = 0; i < expect.files_size(); ++i) CheckFile(expect.files(i), place.Nested("files", i));
  for (int i = 0; i < expect.metrics_size(); ++i) {
    const TextPlace nested = place.Nested("metrics", i);
    nested.Needs("name", expect.metrics(i).name());
    for (int j = 0; j < expect.metrics(i).labels_size(); ++j) {
      if (expect.metrics(i).labels(j).find('=') == std::string::npos) nested.Complain("labels", "is no name=value", j);
    }
  }
  for (int i = 0; i < expect.pods_size(); ++i) {
    const TextPlace nested = place.Nested("pods", i);
    NeedsKnown(nested, "pod", expect.pods(i).pod(), known.pods);
    if (!IsOneOf(kPhases, expect.pods(i).phase()))
      nested.Complain("phase", absl::StrCat("the phases are", std::string(kPhases)));
  }
  for (const char* field : {"devices_restored", "claims_restored"}) {
    const std::string& word = field[0] == 'd' ? expect.devices_restored() : expect.claims_restored();
    if (!word.empty() && !IsOneOf(kOutcomes, word)) {
      place.Complain(field, absl::StrCat("the outcomes are", std::string(kOutcomes)));
    }
  }
}

void CheckListOften(const proto::ListOften& list, const TextPlace& place, bool running) {
  if (!running) place.Complain("calls", "no kubelet runs at this step");
  if (list.refused_at_least() < 1 || list.refused_at_least() >= list.calls()) {
    place.Complain("refused_at_least", "some of the calls are refused, and not all");
  }
}

}  // namespace kubelet_cm::scenarios
