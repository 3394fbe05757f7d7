#include "common/filesystem/crash_explorer.h"

#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/filesystem/crash_places.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

// A trace, and how things stood at each of its operations.
struct Run {
  std::vector<FileOperation> trace;
  std::vector<CrashMoment> moments;
};

// Runs the scenario up to `stop` on `disk`; without, to its end.
Run RunUntil(const std::optional<Fault>& stop, const CrashScenario& scenario, FakeFileSystem& disk) {
  scenario.set_up(disk);
  disk.Settle();
  FaultPlan plan;
  if (stop.has_value()) plan.Arm(*stop);
  plan.NoteMoments([&] { return CrashMoment{.disk = disk.revision()}; });
  FaultyFileSystem file_system(disk, plan);
  scenario.run(file_system);
  plan.Stop();
  disk.KillProcess();
  return {.trace = plan.trace(), .moments = plan.moments()};
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
  const Run run = RunUntil(std::nullopt, scenario, undisturbed);
  CrashCoverage coverage = {.operations = run.trace.size()};
  const auto is_call = [&](const FileOperation& operation) {
    return scenario.is_call != nullptr && scenario.is_call(operation);
  };
  const auto crash = [&](const std::optional<Fault>& stop, const std::string& place, bool of_its_kind) -> absl::Status {
    FakeFileSystem disk;
    RunUntil(stop, scenario, disk);
    if (of_its_kind) {
      RETURN_IF_ERROR(CutPower(scenario, disk, absl::StrCat("power cut ", place), options, coverage));
    }
    scenario.check(disk, absl::StrCat("kill ", place));
    ++coverage.places;
    if (!of_its_kind || scenario.restart == nullptr) return absl::OkStatus();
    FakeFileSystem restarted;
    RunUntil(stop, scenario, restarted);
    scenario.restart(restarted);
    restarted.KillProcess();
    ++coverage.restarts;
    return CutPower(scenario, restarted, absl::StrCat("kill ", place, ", restart, power cut"), options, coverage);
  };
  for (const CrashPlace& place : CrashPlaces(run.trace, run.moments, options.block, is_call)) {
    RETURN_IF_ERROR(crash(place.stop, place.name, place.last_of_its_kind));
  }
  RETURN_IF_ERROR(crash(std::nullopt, "at the end", true));
  return coverage;
}

}  // namespace kubelet_cm
