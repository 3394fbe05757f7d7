#include "testing/scenarios/expectations.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/personality/personality.h"
#include "deviceplugin/checkpoint/device_reader.h"
#include "dra/checkpoint/dra_reading.h"
#include "testing/scenarios/file_steps.h"
#include "testing/scenarios/listed_checks.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {
namespace {

using proto::Expect;

template <typename Words>
std::string Listed(const Words& words) {
  return words.empty() ? "nothing" : absl::StrJoin(words, ",");
}

class Watcher {
 public:
  Watcher(BenchNode& node, const absl::Status& refused_start) : node_(node), refused_start_(refused_start) {}

  std::vector<std::string> Watch(const Expect& expect);

 private:
  void Check(const Expect::Resource& wanted, const Sight& seen);
  void Check(const Expect::Holding& wanted, const Sight& seen);
  void Check(const Expect::Health& wanted, const Sight& seen);
  void Check(const Expect::Claim& wanted, const Sight& seen);
  void Check(const Expect::Call& wanted);
  void Check(const Expect::Prepared& wanted);
  void Check(const Expect::File& wanted);
  void CheckFormat(const Expect::File& wanted, const std::string& bytes);
  void CheckGolden(const Expect::File& wanted, const std::string& path);
  bool IsSetAside(const std::string& path, const std::optional<std::string>& bytes);
  void CheckKubelet(const Expect& expect, const Sight& seen);
  void CheckNobodyElse(const Expect& expect, const Sight& seen);

  template <typename Wanted, typename Seen>
  void Compare(const std::string& what, const Wanted& wanted, const Seen& seen) {
    if (wanted == seen) return;
    missed_.push_back(absl::StrCat(what, ": expected ", wanted, ", got ", seen));
  }

  BenchNode& node_;
  const absl::Status& refused_start_;
  std::vector<std::string> missed_;
};

void Watcher::Check(const Expect::Resource& wanted, const Sight& seen) {
  const auto found = seen.resources.find(wanted.resource());
  if (wanted.unknown() || found == seen.resources.end()) {
    Compare(wanted.resource(), wanted.unknown() ? "not known" : "known",
            found == seen.resources.end() ? "not known" : "known");
    return;
  }
  Compare(absl::StrCat("capacity of ", wanted.resource()), wanted.capacity(), found->second.capacity);
  Compare(absl::StrCat("allocatable ", wanted.resource()), wanted.allocatable(), found->second.allocatable);
}

void Watcher::Check(const Expect::Holding& wanted, const Sight& seen) {
  const std::string container = wanted.container().empty() ? "main" : wanted.container();
  const auto found = seen.holdings.find({wanted.pod(), container, wanted.resource()});
  const std::set<std::string> held = found == seen.holdings.end() ? std::set<std::string>() : found->second;
  const std::string what = absl::StrCat("pod ", wanted.pod(), "'s ", container, " holds of ", wanted.resource());
  if (wanted.has_count()) {
    Compare(what, wanted.count(), static_cast<int32_t>(held.size()));
  } else {
    Compare(what, Listed(std::set<std::string>(wanted.ids().begin(), wanted.ids().end())), Listed(held));
  }
}

void Watcher::Check(const Expect::Health& wanted, const Sight& seen) {
  const std::string container = wanted.container().empty() ? "main" : wanted.container();
  const auto found = seen.health.find({{wanted.pod(), container, wanted.resource()}, wanted.id()});
  Compare(absl::StrCat("what the status of pod ", wanted.pod(), "'s ", container, " says of ", wanted.id()),
          wanted.health(), found == seen.health.end() ? "nothing" : found->second);
}

void Watcher::CheckNobodyElse(const Expect& expect, const Sight& seen) {
  if (!expect.nobody_else()) return;
  for (const auto& [holder, ids] : seen.holdings) {
    const std::string& pod = std::get<0>(holder);
    const bool mentioned = std::any_of(expect.holds().begin(), expect.holds().end(),
                                       [&, &id = pod](const Expect::Holding& holding) { return holding.pod() == id; });
    if (!mentioned && !ids.empty())
      missed_.push_back(absl::StrCat("pod ", pod, " holds ", Listed(ids), " of ", std::get<2>(holder),
                                     ", and nobody else should hold anything"));
  }
}

void Watcher::Check(const Expect::Claim& wanted, const Sight& seen) {
  const auto found = seen.claims.find(wanted.claim());
  const bool is_there = found != seen.claims.end();
  const std::string what = absl::StrCat("claim ", wanted.claim());
  if (wanted.state() == Expect::Claim::UNKNOWN || !is_there) {
    const bool should = wanted.state() != Expect::Claim::UNKNOWN;
    Compare(what, should ? "known" : "not known", is_there ? "known" : "not known");
    return;
  }
  if (wanted.state() != Expect::Claim::ANY) {
    Compare(what, wanted.state() == Expect::Claim::PREPARED ? "prepared" : "only referenced",
            found->second.prepared ? "prepared" : "only referenced");
  }
  if (wanted.pods_size() > 0) {
    Compare(absl::StrCat(what, "'s pods"), Listed(std::set<std::string>(wanted.pods().begin(), wanted.pods().end())),
            Listed(found->second.pods));
  }
}

void Watcher::Check(const Expect::Call& wanted) {
  const bool of_plugin = !wanted.plugin().empty();
  const std::vector<SeenCall> calls =
      of_plugin ? node_.PluginCalls(wanted.plugin()) : node_.DriverCalls(wanted.driver());
  const auto count = static_cast<int32_t>(
      std::count_if(calls.begin(), calls.end(), [&](const SeenCall& call) { return call.method == wanted.call(); }));
  const std::string what = absl::StrCat(wanted.call(), " calls of ", of_plugin ? wanted.plugin() : wanted.driver());
  if (!wanted.has_at_least()) return Compare(what, wanted.count(), count);
  if (count < wanted.at_least()) Compare(what, absl::StrCat(wanted.at_least(), " or more"), absl::StrCat(count));
}

void Watcher::Check(const Expect::Prepared& wanted) {
  Compare(absl::StrCat("claims that ", wanted.driver(), " has prepared"),
          Listed(std::set<std::string>(wanted.claims().begin(), wanted.claims().end())),
          Listed(node_.PreparedClaims(wanted.driver())));
}

void Watcher::CheckFormat(const Expect::File& wanted, const std::string& bytes) {
  if (wanted.file() == "devices") {
    const deviceplugin::DeviceFile file = deviceplugin::ReadDevices(bytes);
    const std::string format(file.format.has_value() ? FormatName(*file.format) : "none that is known");
    return Compare("the format of devices", std::string(FormatName(*ParseDeviceFormat(wanted.format()))), format);
  }
  // Until 1.30 a file without resource handles is the same in several versions.
  const dra::DraReading reading = dra::ReadDraCheckpoint(bytes);
  const DraFormat format = *ParseDraFormat(wanted.format());
  const bool can_be = reading.valid() && reading.oldest_writer <= format && format <= reading.newest_writer;
  if (!can_be)
    Compare("the format of claims", std::string(FormatName(format)), std::string(FormatName(reading.format)));
}

// Whether there is a file that was set aside; with these bytes.
bool Watcher::IsSetAside(const std::string& path, const std::optional<std::string>& bytes) {
  const size_t slash = path.rfind('/');
  const absl::StatusOr<std::vector<std::string>> names = node_.List(path.substr(0, slash));
  const std::string prefix = absl::StrCat(path.substr(slash + 1), ".corrupt-");
  return names.ok() && std::any_of(names->begin(), names->end(), [&](const std::string& name) {
           if (!absl::StartsWith(name, prefix)) return false;
           return !bytes.has_value() ||
                  node_.ReadFile(absl::StrCat(path.substr(0, slash + 1), name)).value_or("") == *bytes;
         });
}

void Watcher::CheckGolden(const Expect::File& wanted, const std::string& path) {
  const bool aside = wanted.golden().empty();
  const std::string& name = aside ? wanted.set_aside_golden() : wanted.golden();
  const absl::StatusOr<std::string> golden = ReadGolden(name);
  if (!golden.ok()) return Compare(name, "readable", std::string(golden.status().message()));
  const bool is_so = aside ? IsSetAside(path, *golden) : node_.ReadFile(path).value_or("") == *golden;
  if (!is_so)
    missed_.push_back(absl::StrCat("the bytes of ", name, " are not in ", wanted.file(), aside ? ", set aside" : ""));
}

void Watcher::Check(const Expect::File& wanted) {
  const std::string path = *PathOfFile(wanted.file());
  if (!wanted.golden().empty() || !wanted.set_aside_golden().empty()) CheckGolden(wanted, path);
  if (wanted.set_aside()) {
    const bool found = IsSetAside(path, std::nullopt);
    Compare(wanted.file(), "set aside", found ? "set aside" : "not set aside");
  }
  const absl::StatusOr<std::string> bytes = node_.ReadFile(path);
  if (wanted.missing()) return Compare(wanted.file(), "missing", bytes.ok() ? "there" : "missing");
  if (wanted.format().empty() && wanted.contains().empty()) return;
  if (!bytes.ok()) return Compare(wanted.file(), "readable", std::string(bytes.status().message()));
  if (!wanted.format().empty()) CheckFormat(wanted, *bytes);
  if (!absl::StrContains(*bytes, wanted.contains())) {
    missed_.push_back(absl::StrCat(wanted.file(), ": expected to contain ", wanted.contains(), ", got ", *bytes));
  }
}

void Watcher::CheckKubelet(const Expect& expect, const Sight& seen) {
  for (const Expect::Resource& wanted : expect.resources()) Check(wanted, seen);
  for (const Expect::Holding& wanted : expect.holds()) Check(wanted, seen);
  CheckNobodyElse(expect, seen);
  for (const Expect::Health& wanted : expect.health()) Check(wanted, seen);
  for (const Expect::Claim& wanted : expect.claims()) Check(wanted, seen);
  for (const Expect::Pod& wanted : expect.pods()) {
    const auto found = seen.pods.find(wanted.pod());
    Compare(absl::StrCat("pod ", wanted.pod()), wanted.phase(), found == seen.pods.end() ? "unknown" : found->second);
  }
  if (!expect.devices_restored().empty()) {
    Compare("what became of the devices' file", expect.devices_restored(), seen.devices_restored);
  }
  if (!expect.claims_restored().empty()) {
    Compare("what became of the claims' file", expect.claims_restored(), seen.claims_restored);
  }
}

std::vector<std::string> Watcher::Watch(const Expect& expect) {
  if (node_.running()) {
    const absl::StatusOr<Sight> seen = node_.Look();
    if (!seen.ok()) return {std::string(seen.status().message())};
    CheckKubelet(expect, *seen);
    for (std::string& missed : LookForListed(expect, node_)) missed_.push_back(std::move(missed));
  }
  for (const Expect::Call& wanted : expect.calls()) Check(wanted);
  for (const Expect::Prepared& wanted : expect.prepared()) Check(wanted);
  for (const Expect::File& wanted : expect.files()) Check(wanted);
  for (const Expect::Connections& wanted : expect.connections()) {
    Compare(absl::StrCat("connections to ", wanted.driver()), wanted.count(), node_.ConnectionCount(wanted.driver()));
  }
  for (const Expect::Slices& wanted : expect.slices()) {
    Compare(absl::StrCat("ResourceSlices of ", wanted.driver()), wanted.count(), node_.SliceCount(wanted.driver()));
  }
  for (const Expect::Metric& wanted : expect.metrics()) {
    const absl::StatusOr<double> value = node_.Metric(wanted);
    const std::string what = absl::StrCat(wanted.name(), "{", absl::StrJoin(wanted.labels(), ","), "}");
    if (!value.ok()) {
      Compare(what, absl::StrCat(wanted.value()), std::string(value.status().message()));
    } else {
      Compare(what, wanted.value(), *value);
    }
  }
  if (!expect.not_running_because().empty() &&
      !absl::StrContains(refused_start_.message(), expect.not_running_because())) {
    Compare("why the kubelet does not run", expect.not_running_because(), std::string(refused_start_.message()));
  }
  return std::move(missed_);
}

}  // namespace

std::vector<std::string> LookForExpected(const Expect& expect, BenchNode& node, const absl::Status& refused_start) {
  return Watcher(node, refused_start).Watch(expect);
}

}  // namespace kubelet_cm::scenarios
