#include "testing/scenarios/foreign_programs.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "testing/scenarios/fake_steps.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {

namespace v1 = ::kubeletcm::v1;

ForeignPrograms::ForeignPrograms(Threads& threads, ForeignProgram::Surroundings surroundings, Paths paths)
    : threads_(threads), surroundings_(std::move(surroundings)), paths_(std::move(paths)) {}

bool ForeignPrograms::Has(const proto::StartPlugin& start) const {
  return start.has_program() || Has(PluginNameOf(start));
}
bool ForeignPrograms::Has(const proto::StartDriver& start) const { return start.has_program() || Has(start.driver()); }

absl::StatusOr<ForeignPrograms::Entry*> ForeignPrograms::ThatMayStart(const std::string& name,
                                                                      const proto::Program* program) {
  const auto before = programs_.find(name);
  if (before != programs_.end() && before->second.program->is_up()) {
    return absl::FailedPreconditionError(absl::StrCat(name, " is up already"));
  }
  if (program == nullptr) return &programs_.at(name);
  const auto given = paths_.find(program->name());
  if (given == paths_.end() && program->name().find('/') == std::string::npos) {
    return absl::InvalidArgumentError(absl::StrCat("no program \"", program->name(),
                                                   "\": say where it is with --program ", program->name(), "=PATH"));
  }
  const std::string& path = given == paths_.end() ? program->name() : given->second;
  auto made = std::make_unique<ForeignProgram>(threads_, *program, path, surroundings_);
  Entry& entry = programs_[name];
  entry.program = std::move(made);
  return &entry;
}

absl::Status ForeignPrograms::Run(Entry& entry) {
  RETURN_IF_ERROR(entry.program->Start());
  entry.expected = true;
  return absl::OkStatus();
}

absl::Status ForeignPrograms::Start(const proto::StartPlugin& start) {
  ASSIGN_OR_RETURN(Entry* const entry,
                   ThatMayStart(PluginNameOf(start), start.has_program() ? &start.program() : nullptr));
  if (!start.resource().empty()) entry->resource = start.resource();
  if (start.count() > 0 || start.devices_size() > 0) entry->lists = OptionsOf(start).devices;
  entry->stays_away = start.stays_away();
  return Run(*entry);
}

absl::Status ForeignPrograms::Start(const proto::StartDriver& start) {
  ASSIGN_OR_RETURN(Entry* const entry, ThatMayStart(start.driver(), start.has_program() ? &start.program() : nullptr));
  entry->is_driver = true;
  entry->stays_away = start.stays_away();
  return Run(*entry);
}

absl::Status ForeignPrograms::Stop(const std::string& name, proto::StopPlugin::How how) {
  Entry& entry = programs_.at(name);
  if (!entry.program->is_up()) return absl::FailedPreconditionError(absl::StrCat(name, " is not up"));
  entry.expected = false;
  return how == proto::StopPlugin::GRACEFUL ? entry.program->Terminate() : entry.program->Kill();
}

absl::Status ForeignPrograms::KillAll() {
  absl::Status killed;
  for (auto& [name, entry] : programs_) {
    entry.expected = false;
    killed.Update(entry.program->Kill());
  }
  return killed;
}

void ForeignPrograms::KubeletIsGone() {
  for (auto& [name, entry] : programs_) entry.expected = entry.expected && !entry.stays_away;
  connected_plugins_.clear();
  connected_drivers_.clear();
}

std::string ForeignPrograms::UnseenPlugin(const std::string& name, const Entry& entry, bool connected,
                                          const v1::NodeResourcesResponse& resources) const {
  if (connected != entry.expected) {
    return absl::StrCat("plugin ", name, entry.expected ? " does not register" : " is gone, and the daemon sees it");
  }
  if (!connected || !entry.lists.has_value()) return "";
  const int64_t wanted = entry.lists->devices_size();
  int64_t shown = 0;
  for (const auto& resource : resources.resources()) {
    if (resource.name() == entry.resource) shown = resource.capacity();
  }
  if (shown == wanted) return "";
  return absl::StrCat("plugin ", name, " lists ", shown, " devices of ", entry.resource, ", not ", wanted);
}

absl::StatusOr<std::string> ForeignPrograms::Unseen(const v1::ListPluginsResponse& listed,
                                                    const v1::NodeResourcesResponse& resources) {
  std::set<std::string> connected;
  for (const auto& row : listed.plugins()) {
    if (row.state() == "connected") connected.insert(row.name());
  }
  connected_plugins_.clear();
  connected_drivers_.clear();
  std::string unseen;
  for (auto& [name, entry] : programs_) {
    const absl::Status tended = entry.program->Tend();
    if (!tended.ok()) return absl::Status(tended.code(), absl::StrCat(name, ": ", tended.message()));
    const bool is_connected = connected.contains(entry.is_driver ? name : entry.resource);
    if (is_connected && entry.is_driver) connected_drivers_.insert(name);
    if (is_connected && !entry.is_driver) connected_plugins_[name] = entry.resource;
    if (!unseen.empty()) continue;
    if (!entry.is_driver) {
      unseen = UnseenPlugin(name, entry, is_connected, resources);
    } else if (is_connected != entry.expected) {
      unseen =
          absl::StrCat("driver ", name, entry.expected ? " does not register" : " is gone, and the daemon sees it");
    }
  }
  return unseen;
}

std::optional<absl::Duration> ForeignPrograms::patience() const {
  std::optional<absl::Duration> longest;
  for (const auto& [name, entry] : programs_) {
    longest = std::max(longest.value_or(absl::ZeroDuration()), entry.program->patience());
  }
  return longest;
}

std::vector<std::string> ForeignPrograms::TakeOutput() {
  std::vector<std::string> lines;
  for (auto& [name, entry] : programs_) {
    for (const std::string& line : entry.program->TakeOutput()) lines.push_back(absl::StrCat(name, ": ", line));
  }
  return lines;
}

std::string ForeignPrograms::LastWords() const {
  std::string words;
  for (const auto& [name, entry] : programs_) {
    absl::StrAppend(&words, "; ", name, " said:\n", entry.program->LastWords());
  }
  return words;
}

}  // namespace kubelet_cm::scenarios
