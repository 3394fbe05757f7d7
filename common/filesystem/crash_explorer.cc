#include "common/filesystem/crash_explorer.h"

#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

struct Place {
  std::optional<Fault> stop;  // none: the end of the scenario
  std::string name;
};

std::vector<Place> PlacesIn(const std::vector<FileOperation>& trace, size_t block) {
  std::vector<Place> places;
  for (size_t i = 0; i < trace.size(); ++i) {
    const std::string name = absl::StrCat("operation ", i + 1, " (", trace[i].ToString(), ")");
    Fault stop = {.nth = i + 1, .effect = FaultEffect::kStopBefore};
    places.push_back({stop, absl::StrCat("before ", name)});
    for (stop.bytes_written = block; stop.bytes_written < trace[i].bytes; stop.bytes_written += block) {
      places.push_back({stop, absl::StrCat("after ", stop.bytes_written, " bytes of ", name)});
    }
    places.push_back({Fault{.nth = i + 1, .effect = FaultEffect::kStopAfter}, absl::StrCat("after ", name)});
  }
  places.push_back({std::nullopt, "at the end"});
  return places;
}

// Runs the scenario up to `stop` on `disk`, and returns what it asked for.
std::vector<FileOperation> RunUntil(const std::optional<Fault>& stop, const CrashScenario& scenario,
                                    FakeFileSystem& disk) {
  scenario.set_up(disk);
  disk.Settle();
  FaultPlan plan;
  if (stop.has_value()) plan.Arm(*stop);
  FaultyFileSystem file_system(disk, plan);
  scenario.run(file_system);
  plan.Stop();
  disk.KillProcess();
  return plan.trace();
}

absl::Status CutPower(const CrashScenario& scenario, const FakeFileSystem& disk, const std::string& where,
                      const PowerCutOptions& options, CrashCoverage& coverage) {
  ASSIGN_OR_RETURN(const std::vector<std::unique_ptr<FakeFileSystem>> images, disk.AfterPowerCut(options));
  for (const std::unique_ptr<FakeFileSystem>& image : images) scenario.check(*image, where);
  coverage.images += images.size();
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CrashCoverage> ExploreCrashes(const CrashScenario& scenario, const PowerCutOptions& options) {
  FakeFileSystem undisturbed;
  const std::vector<FileOperation> trace = RunUntil(std::nullopt, scenario, undisturbed);
  CrashCoverage coverage = {.operations = trace.size()};
  for (const Place& place : PlacesIn(trace, options.block)) {
    FakeFileSystem disk;
    RunUntil(place.stop, scenario, disk);
    RETURN_IF_ERROR(CutPower(scenario, disk, absl::StrCat("power cut ", place.name), options, coverage));
    scenario.check(disk, absl::StrCat("kill ", place.name));
    ++coverage.places;
    if (scenario.restart == nullptr) continue;
    FakeFileSystem restarted;
    RunUntil(place.stop, scenario, restarted);
    scenario.restart(restarted);
    restarted.KillProcess();
    const std::string where = absl::StrCat("kill ", place.name, ", restart, power cut");
    RETURN_IF_ERROR(CutPower(scenario, restarted, where, options, coverage));
    ++coverage.restarts;
  }
  return coverage;
}

}  // namespace kubelet_cm
