#include "testing/scenarios/crash_sweep.h"

#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "testing/scenarios/memory_node.h"
#include "testing/scenarios/memory_run.h"
#include "testing/scenarios/scenario_runner.h"

namespace kubelet_cm::scenarios {
namespace {

using Disks = std::vector<std::unique_ptr<FakeFileSystem>>;

// Bytes of a write between which it is torn. State files are small; a cut at each 256 bytes meets every part of them.
constexpr size_t kTornAt = 256;

struct Place {
  Fault stop;
  std::string name;
  size_t operation = 0;
};

bool ChangesNothing(const FileOperation& operation) {
  switch (operation.op) {
    case FileOp::kRead:
    case FileOp::kList:
    case FileOp::kStat:
    case FileOp::kLstat:
    case FileOp::kClose:
    case FileOp::kLock:
      return !operation.path.starts_with("/call/");
    default:
      return false;
  }
}

std::vector<Place> PlacesIn(const std::vector<FileOperation>& trace) {
  std::vector<Place> places;
  for (size_t i = 0; i < trace.size(); ++i) {
    const std::string name = absl::StrCat("operation ", i + 1, " (", trace[i].ToString(), ")");
    Fault stop = {.nth = i + 1, .effect = FaultEffect::kStopBefore};
    places.push_back({stop, absl::StrCat("before ", name), i});
    for (stop.bytes_written = kTornAt; stop.bytes_written < trace[i].bytes; stop.bytes_written += kTornAt) {
      places.push_back({stop, absl::StrCat("after ", stop.bytes_written, " bytes of ", name), i});
    }
    // After what changes nothing, the next place is the same.
    if (ChangesNothing(trace[i])) continue;
    places.push_back({Fault{.nth = i + 1, .effect = FaultEffect::kStopAfter}, absl::StrCat("after ", name), i});
  }
  return places;
}

class Sweeper {
 public:
  Sweeper(const ScenarioFile& file, const SweepOptions& options) : file_(file), options_(options) {}

  SweepResult Run();

 private:
  // Runs up to the place. With `image` the power is cut there and it is what is left; without, the kubelet is killed,
  // and `images`, if it is given, becomes what a power cut could have left.
  void CrashAt(const Place& place, std::unique_ptr<FakeFileSystem> image, Disks* images);
  void GoOn(const Place& place, MemoryNode& node, ScenarioRunner& runner, std::unique_ptr<FakeFileSystem> image,
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

void Sweeper::CrashAt(const Place& place, std::unique_ptr<FakeFileSystem> image, Disks* images) {
  const std::string where = absl::StrCat(image == nullptr ? "kill " : "power cut ", place.name);
  ++(image == nullptr ? result_.points : result_.images);
  Story story;
  const absl::Status ran = WithMemoryNode(file_.scenario, options_.seed, [&](MemoryNode& node) {
    node.crash().Arm(place.stop);
    ScenarioRunner runner(node, file_, options_.version);
    runner.PlaySteps();
    if (runner.story().passed()) GoOn(place, node, runner, std::move(image), images);
    story = runner.story();
  });
  if (!ran.ok()) {
    story.file = file_.path;
    story.steps.push_back({.text = "the run does not end", .failures = {std::string(ran.message())}});
  }
  Fail(where, std::move(story));
}

void Sweeper::GoOn(const Place& place, MemoryNode& node, ScenarioRunner& runner, std::unique_ptr<FakeFileSystem> image,
                   Disks* images) {
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
  const absl::Status ran = WithMemoryNode(file_.scenario, options_.seed, [&](MemoryNode& node) {
    // As in the runs to come, so that the seed draws the same order in all of them.
    node.crash().Arm({.nth = std::numeric_limits<uint64_t>::max(), .effect = FaultEffect::kStopBefore});
    ScenarioRunner runner(node, file_, options_.version);
    runner.PlaySteps();
    trace_ = node.crash().trace();
    undisturbed = runner.story();
  });
  if (!ran.ok())
    undisturbed.steps.push_back({.text = "the run does not end", .failures = {std::string(ran.message())}});
  Fail("without a crash", undisturbed);
  result_.operations = trace_.size();
  const std::vector<Place> places = PlacesIn(trace_);
  for (size_t i = options_.shard; i < places.size() && !enough(); i += options_.shards) {
    Disks images;
    const bool same_as_the_next = ChangesNothing(trace_[places[i].operation]);
    CrashAt(places[i], nullptr, same_as_the_next ? nullptr : &images);
    for (std::unique_ptr<FakeFileSystem>& image : images) {
      if (!enough()) CrashAt(places[i], std::move(image), nullptr);
    }
  }
  return std::move(result_);
}

}  // namespace

SweepResult SweepCrashes(const ScenarioFile& file, const SweepOptions& options) { return Sweeper(file, options).Run(); }

}  // namespace kubelet_cm::scenarios
