#include "testing/scenarios/crash_sweep.h"

#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/filesystem/crash_places.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "testing/scenarios/call_edges.h"
#include "testing/scenarios/memory_node.h"
#include "testing/scenarios/memory_run.h"
#include "testing/scenarios/scenario_runner.h"

namespace kubelet_cm::scenarios {
namespace {

using Disks = std::vector<std::unique_ptr<FakeFileSystem>>;

// Bytes of a write between which it is torn. State files are small; a cut at each 256 bytes meets every part of them.
constexpr size_t kTornAt = 256;

// In every run, wanted or not: noting takes locks, at which the seed may let another thread run.
void PlayNotingMoments(MemoryNode& node, ScenarioRunner& runner) {
  node.crash().NoteMoments(
      [&] { return CrashMoment{.disk = node.disk().revision(), .outside = runner.story().steps.size()}; });
  runner.PlaySteps();
  node.crash().NoteMoments(nullptr);
}

class Sweeper {
 public:
  Sweeper(const ScenarioFile& file, const SweepOptions& options) : file_(file), options_(options) {}

  SweepResult Run();

 private:
  // Runs up to the place. With `image` the power is cut there and it is what is left; without, the kubelet is killed,
  // and `images`, if it is given, becomes what a power cut could have left.
  void CrashAt(const CrashPlace& place, std::unique_ptr<FakeFileSystem> image, Disks* images);
  void GoOn(const CrashPlace& place, MemoryNode& node, ScenarioRunner& runner, std::unique_ptr<FakeFileSystem> image,
            Disks* images);
  void Fail(const std::string& where, Story story);
  bool enough() const { return result_.failures.size() >= options_.most_failures; }

  const ScenarioFile& file_;
  const SweepOptions& options_;
  std::vector<FileOperation> trace_;
  SweepResult result_;
};

void Sweeper::Fail(const std::string& where, Story story) {
  if (!story.passed()) result_.failures.push_back({where, std::move(story)});
}

void Sweeper::CrashAt(const CrashPlace& place, std::unique_ptr<FakeFileSystem> image, Disks* images) {
  const std::string where = absl::StrCat(image == nullptr ? "kill " : "power cut ", place.name);
  ++(image == nullptr ? result_.points : result_.images);
  Story story;
  const absl::Status ran = WithMemoryNode(file_.scenario, options_.seed, [&](MemoryNode& node) {
    node.Listen(options_.log);
    node.crash().Arm(place.stop);
    ScenarioRunner runner(node, file_, options_.version);
    PlayNotingMoments(node, runner);
    if (runner.story().passed()) GoOn(place, node, runner, std::move(image), images);
    story = runner.story();
  });
  if (!ran.ok()) story = UnendedStory(file_, ran);
  Fail(where, std::move(story));
}

void Sweeper::GoOn(const CrashPlace& place, MemoryNode& node, ScenarioRunner& runner,
                   std::unique_ptr<FakeFileSystem> image, Disks* images) {
  const std::vector<FileOperation> trace = node.crash().trace();
  if (!node.dead() || trace.back() != trace_[place.operation]) {
    Story other{.name = "not the same", .file = file_.path};
    other.steps.push_back({.text = absl::StrCat("the run came to ", trace.back().ToString()),
                           .failures = {"a run that is killed differs from the one whose operations were counted"}});
    return Fail(place.name, std::move(other));
  }
  const bool power_is_cut = image != nullptr;
  node.Recover();
  if (images != nullptr) {
    absl::StatusOr<Disks> left = node.disk().AfterPowerCut();
    if (left.ok()) {
      *images = *std::move(left);
    } else {
      Story other{.name = "too many images", .file = file_.path};
      other.steps.push_back({.text = place.name, .failures = {std::string(left.status().message())}});
      Fail(place.name, std::move(other));
    }
  }
  if (power_is_cut) node.CutPowerTo(std::move(image));
  runner.GoOnAfterCrash(power_is_cut);
  if (runner.story().passed() && node.running()) runner.Heal();
}

SweepResult Sweeper::Run() {
  Story undisturbed;
  std::vector<CrashMoment> moments;
  const absl::Status ran = WithMemoryNode(file_.scenario, options_.seed, [&](MemoryNode& node) {
    // As in the runs to come, so that the seed draws the same order in all of them.
    node.crash().Arm({.nth = std::numeric_limits<uint64_t>::max(), .effect = FaultEffect::kStopBefore});
    ScenarioRunner runner(node, file_, options_.version);
    node.crash().NoteMoments(
        [&] { return CrashMoment{.disk = node.disk().revision(), .outside = runner.story().steps.size()}; });
    runner.PlaySteps();
    node.crash().NoteMoments(nullptr);
    trace_ = node.crash().trace();
    moments = node.crash().moments();
    undisturbed = runner.story();
  });
  if (!ran.ok()) undisturbed = UnendedStory(file_, ran);
  Fail("without a crash", undisturbed);
  result_.operations = trace_.size();
  const std::vector<CrashPlace> places = CrashPlaces(
      trace_, moments, kTornAt, [](const FileOperation& operation) { return CallEdges::IsEdge(operation.path); });
  for (size_t i = options_.shard; i < places.size() && !enough(); i += options_.shards) {
    Disks images;
    CrashAt(places[i], nullptr, places[i].last_of_its_kind ? &images : nullptr);
    for (std::unique_ptr<FakeFileSystem>& image : images) {
      if (!enough()) CrashAt(places[i], std::move(image), nullptr);
    }
  }
  return std::move(result_);
}

}  // namespace

SweepResult SweepCrashes(const ScenarioFile& file, const SweepOptions& options) { return Sweeper(file, options).Run(); }

}  // namespace kubelet_cm::scenarios
