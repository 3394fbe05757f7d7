#include "testing/scenarios/disk_error_sweep.h"

#include <cerrno>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/filesystem/fault_plan.h"
#include "testing/scenarios/memory_node.h"
#include "testing/scenarios/memory_run.h"
#include "testing/scenarios/scenario_runner.h"

namespace kubelet_cm::scenarios {
namespace {

struct DiskError {
  Fault fault;
  std::string name;
};

std::vector<DiskError> ErrorsOf(const std::vector<FileOperation>& trace) {
  std::vector<DiskError> errors;
  for (size_t i = 0; i < trace.size(); ++i) {
    const std::string at = absl::StrCat(" at operation ", i + 1, " (", trace[i].ToString(), ")");
    errors.push_back({{.nth = i + 1, .error = EIO}, absl::StrCat("EIO", at)});
    errors.push_back({{.nth = i + 1, .error = EACCES}, absl::StrCat("EACCES", at)});
    errors.push_back({{.nth = i + 1, .persistent = true, .error = ENOSPC}, absl::StrCat("ENOSPC from then on", at)});
    errors.push_back({{.nth = i + 1, .effect = FaultEffect::kFailAfterEffect, .error = EIO},
                      absl::StrCat("EIO after it took effect", at)});
    if (trace[i].op != FileOp::kWrite) continue;
    errors.push_back(
        {{.nth = i + 1, .error = ENOSPC, .bytes_written = trace[i].bytes / 2}, absl::StrCat("a short write", at)});
  }
  return errors;
}

// Runs it with the error; without one, and `trace` becomes what the kubelet did.
Story Play(const ScenarioFile& file, const SweepOptions& options, const Fault& fault,
           std::vector<FileOperation>* trace) {
  Story story;
  const absl::Status ran = WithMemoryNode(file.scenario, options.seed, [&](MemoryNode& node) {
    node.Listen(options.log);
    node.faults().Arm(fault);
    ScenarioRunner runner(node, file, options.version);
    runner.PlayStepsUnderFaults();
    if (trace != nullptr) *trace = node.faults().trace();
    if (runner.story().passed() && node.running()) runner.Heal();
    story = runner.story();
  });
  return ran.ok() ? story : UnendedStory(file, ran);
}

}  // namespace

DiskErrorResult SweepDiskErrors(const ScenarioFile& file, const SweepOptions& options) {
  DiskErrorResult result;
  std::vector<FileOperation> trace;
  // As in the runs to come, so that the seed draws the same order in all of them.
  Story undisturbed = Play(file, options, {.nth = std::numeric_limits<uint64_t>::max()}, &trace);
  if (!undisturbed.passed()) result.failures.push_back({"without an error", std::move(undisturbed)});
  result.operations = trace.size();
  const std::vector<DiskError> errors = ErrorsOf(trace);
  for (size_t i = options.shard; i < errors.size(); i += options.shards) {
    if (result.failures.size() >= options.most_failures) break;
    ++result.errors;
    Story story = Play(file, options, errors[i].fault, nullptr);
    if (!story.passed()) result.failures.push_back({errors[i].name, std::move(story)});
  }
  return result;
}

}  // namespace kubelet_cm::scenarios
