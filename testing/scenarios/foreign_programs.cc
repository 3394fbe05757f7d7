#include "testing/scenarios/foreign_programs.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status/status_macros.h"
#include "testing/scenarios/fake_steps.h"
#include "testing/scenarios/program_sight.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {

namespace v1 = ::kubeletcm::v1;

namespace {

// As UnseenPlugin of program_settling.h has it of fakes; of a program it is not known which ids it lists.
std::string UnseenDevices(const std::string& what, const std::string& resource,
                          const ::v1beta1::ListAndWatchResponse& lists, const DaemonWords& daemon,
                          const Personality& kubelet) {
  const int64_t healthy = std::ranges::count_if(lists.devices(), [](const auto& d) { return d.health() == "Healthy"; });
  int64_t capacity = 0;
  int64_t allocatable = 0;
  for (const auto& shown : daemon.resources.resources()) {
    if (shown.name() != resource) continue;
    capacity = shown.capacity();
    allocatable = shown.allocatable();
  }
  if (capacity != lists.devices_size()) {
    return absl::StrCat(what, " lists ", capacity, " devices of ", resource, ", not ", lists.devices_size());
  }
  // A new connection keeps what the last one has left, all of it not healthy, until the first list.
  if (allocatable != healthy) {
    return absl::StrCat(what, " lists ", allocatable, " healthy devices of ", resource, ", not ", healthy);
  }
  if (kubelet.device_writes == DeviceFormat::kV0Of18 ||
      RegisteredCount(daemon.device_file, resource) == static_cast<size_t>(healthy)) {
    return "";
  }
  return absl::StrCat("the state file does not have the devices of ", what);
}

}  // namespace

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

absl::Status ForeignPrograms::Tend() {
  for (auto& [name, entry] : programs_) {
    const absl::Status tended = entry.program->Tend();
    if (!tended.ok()) return absl::Status(tended.code(), absl::StrCat(name, ": ", tended.message()));
  }
  return absl::OkStatus();
}

absl::Status ForeignPrograms::LookForEnds() {
  RETURN_IF_ERROR(Tend());
  for (const auto& [name, entry] : programs_) {
    const std::string ends = entry.program->Ends();
    if (ends.empty()) continue;
    return absl::AbortedError(absl::StrCat(name, ": the program ", ends, "; it said:\n", entry.program->LastWords()));
  }
  return absl::OkStatus();
}

bool ForeignPrograms::anybody_is_up() const {
  return std::ranges::any_of(programs_, [](const auto& known) { return known.second.program->is_up(); });
}

absl::StatusOr<std::string> ForeignPrograms::Unseen(const DaemonWords& daemon, const Personality& kubelet) {
  RETURN_IF_ERROR(Tend());
  std::multiset<std::string> connected;
  for (const auto& row : daemon.plugins.plugins()) {
    if (row.state() == "connected") connected.insert(row.name());
  }
  connected_plugins_.clear();
  connected_drivers_.clear();
  std::string unseen;
  for (const auto& [name, entry] : programs_) {
    const size_t instances = connected.count(entry.is_driver ? name : entry.resource);
    if (instances > 0 && entry.is_driver) connected_drivers_.insert(name);
    if (instances > 0 && !entry.is_driver) connected_plugins_[name] = entry.resource;
    if (!unseen.empty()) continue;
    const std::string what = absl::StrCat(entry.is_driver ? "driver " : "plugin ", name);
    if ((instances > 0) != entry.expected) {
      unseen = entry.expected ? NotRegistered(what, entry, daemon.plugins) : what + " is gone, and the daemon sees it";
    } else if (instances == 1 && entry.lists.has_value()) {
      // Which of several counts is not for us to say.
      unseen = UnseenDevices(what, entry.resource, *entry.lists, daemon, kubelet);
    }
  }
  if (!unseen.empty()) return unseen;
  for (auto& [name, entry] : programs_) entry.program->IsWell();
  return unseen;
}

std::string ForeignPrograms::NotRegistered(const std::string& what, const Entry& entry,
                                           const v1::ListPluginsResponse& listed) {
  std::set<std::string> known;
  for (const auto& row : listed.plugins()) {
    known.insert(row.state() == "connected" ? row.name() : absl::StrCat(row.name(), " (", row.state(), ")"));
  }
  std::string words = absl::StrCat(what, " does not register", entry.is_driver ? "" : " ", entry.resource);
  const std::string ends = entry.program->Ends();
  if (!ends.empty()) absl::StrAppend(&words, "; it has ", ends);
  absl::StrAppend(&words, "; the daemon knows ", known.empty() ? "nobody" : absl::StrJoin(known, ", "));
  return words;
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
