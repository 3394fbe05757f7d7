#include "testing/scenarios/upgrade_outcomes.h"

#include <functional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "testing/scenarios/memory_node.h"
#include "testing/scenarios/memory_run.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {
namespace {

constexpr char kResource[] = "example.com/device";
constexpr char kDriver[] = "gpu.example.com";

// As they are in use: the first and last of each format, and those around the bugs.
const std::vector<std::string>& DeviceKubelets() {
  static const auto* const kubelets =
      new std::vector<std::string>{"1.8",     "1.9",  "1.10", "1.11", "1.19", "1.20.0", "1.20.15", "1.22.0",
                                   "1.22.17", "1.23", "1.30", "1.31", "1.34", "1.36",   "latest"};
  return *kubelets;
}

// The first and last that answer alike to a pod that they are told of again.
const std::vector<std::string>& RunningPodKubelets() {
  static const auto* const kubelets =
      new std::vector<std::string>{"1.8", "1.19", "1.27", "1.28", "1.36", "1.37", "latest"};
  return *kubelets;
}

const std::vector<std::string>& ClaimKubelets() {
  static const auto* const kubelets =
      new std::vector<std::string>{"1.26", "1.27", "1.28", "1.30", "1.31", "1.34", "1.36", "1.37", "latest"};
  return *kubelets;
}

Pod PodWithDevice(const std::string& uid) {
  return {.uid = uid,
          .namespace_name = "default",
          .name = uid,
          .containers = {{.name = "main", .limits = {{kResource, 1}}}}};
}

Pod PodWithClaims(const std::string& uid, const std::vector<std::string>& claims) {
  Pod pod{.uid = uid, .namespace_name = "default", .name = uid, .containers = {{.name = "main"}}};
  for (const std::string& claim : claims) {
    pod.claims.push_back({.name = claim, .object_name = claim});
    pod.containers[0].claims.push_back({.name = claim, .request = ""});
  }
  return pod;
}

absl::Status Refused(const std::string& what, const Reply& reply) {
  if (reply.ok) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(what, ": ", reply.message));
}

absl::StatusOr<std::set<std::string>> Held(BenchNode& node, const std::string& pod) {
  ASSIGN_OR_RETURN(const Sight seen, node.Look());
  const auto found = seen.holdings.find({pod, "main", kResource});
  return found == seen.holdings.end() ? std::set<std::string>() : found->second;
}

absl::Status RunPodWithDevice(BenchNode& node, const std::string& kubelet) {
  RETURN_IF_ERROR(node.Start(kubelet));
  proto::StartPlugin plugin;
  plugin.set_resource(kResource);
  plugin.set_count(2);
  plugin.set_stays_away(true);
  RETURN_IF_ERROR(node.StartPlugin(plugin));
  RETURN_IF_ERROR(Refused("the first pod", node.Admit(PodWithDevice("old"))));
  RETURN_IF_ERROR(Refused("its container", node.StartContainer("old", "main")));
  return node.Settle();
}

absl::StatusOr<std::string> TryDevices(MemoryNode& node, const std::string& from, const std::string& to) {
  RETURN_IF_ERROR(RunPodWithDevice(node, from));
  node.Kill();
  // Claims are the other table's.
  const absl::Status removed = node.RemoveFile(*PathOfFile("claims"));
  if (!removed.ok() && !absl::IsNotFound(removed)) return removed;
  const absl::Status started = node.StartUntold(to);
  if (!started.ok()) return "refuses to start";

  ASSIGN_OR_RETURN(const std::set<std::string> kept, Held(node, "old"));
  RETURN_IF_ERROR(Refused("the pod that runs, at the start", node.AdmitAnew(PodWithDevice("old"))));
  node.KnowAllPods();
  const bool early = node.Admit(PodWithDevice("early")).ok;
  RETURN_IF_ERROR(node.RegisterPlugin(kResource));
  RETURN_IF_ERROR(Refused("the last pod", node.Admit(PodWithDevice("late"))));
  ASSIGN_OR_RETURN(const std::set<std::string> late, Held(node, "late"));
  RETURN_IF_ERROR(Refused("the pod that runs, with its plugin", node.AdmitAnew(PodWithDevice("old"))));
  ASSIGN_OR_RETURN(const std::set<std::string> after, Held(node, "old"));
  const bool twice = late == std::set<std::string>{"dev-0"};
  const bool all_kept = kept == std::set<std::string>{"dev-0"};
  const bool moved = after != std::set<std::string>{"dev-0"};
  if (all_kept && !early && !twice && !moved) return "kept";
  if (kept.empty() && early && twice && moved) return "lost";
  return absl::StrCat(all_kept ? "kept" : "lost", ", the pod before the plugin ", early ? "admitted" : "refused",
                      ", the device ", twice ? "given twice" : "not given twice", ", the pod that runs ",
                      moved ? "told another device" : "told its own");
}

absl::StatusOr<std::string> TryRunningPod(MemoryNode& node, const std::string& kubelet, ToldAgain when) {
  RETURN_IF_ERROR(RunPodWithDevice(node, kubelet));
  node.Kill();
  RETURN_IF_ERROR(node.StartUntold(kubelet));
  if (when != ToldAgain::kAtStart) node.KnowAllPods();
  if (when == ToldAgain::kWithPlugin) RETURN_IF_ERROR(node.RegisterPlugin(kResource));
  const Reply reply = node.AdmitAnew(PodWithDevice("old"));
  ASSIGN_OR_RETURN(const std::set<std::string> held, Held(node, "old"));
  if (held != std::set<std::string>{"dev-0"}) return "its device is lost";
  if (!reply.ok && !absl::StrContains(reply.message, "no healthy devices present")) return reply.message;
  return reply.ok ? "admitted" : "refused";
}

absl::Status SetClaim(BenchNode& node, const std::string& name, const std::set<std::string>& reserved_for) {
  proto::AddClaim claim;
  claim.set_claim(name);
  claim.add_drivers(kDriver);
  return node.SetClaim(claim, reserved_for);
}

absl::Status RunPodWithClaims(BenchNode& node, const std::string& uid, const std::vector<std::string>& claims) {
  RETURN_IF_ERROR(Refused(uid, node.Admit(PodWithClaims(uid, claims))));
  return Refused(absl::StrCat(uid, "'s claims"), node.Prepare(uid));
}

// The claims of the pod that ran before are known or not, and others have come that share one of them.
absl::StatusOr<std::string> EndOfClaims(BenchNode& node, bool kept) {
  bool removed = true;
  for (const char* pod : {"early", "late"}) removed = node.RemovePod(pod, false).ok && removed;
  const bool too_early = !node.PreparedClaims(kDriver).contains("shared-uid");
  removed = node.RemovePod("old", false).ok && removed;
  RETURN_IF_ERROR(node.Advance(absl::Minutes(3)));
  const bool leaked = !node.PreparedClaims(kDriver).empty();
  if (kept && removed && !leaked && !too_early) return "kept";
  if (!kept && removed && leaked && too_early) return "leaked";
  return absl::StrCat(kept ? "kept" : "lost", removed ? "" : ", its pod stays", leaked ? ", leaked" : "",
                      too_early ? ", unprepared too early" : "");
}

absl::StatusOr<std::string> TryClaims(BenchNode& node, const std::string& from, const std::string& to) {
  RETURN_IF_ERROR(node.Start(from));
  proto::StartDriver driver;
  driver.set_driver(kDriver);
  driver.set_stays_away(true);
  RETURN_IF_ERROR(node.StartDriver(driver));
  RETURN_IF_ERROR(SetClaim(node, "own", {"old"}));
  RETURN_IF_ERROR(SetClaim(node, "shared", {"old", "early", "late"}));
  RETURN_IF_ERROR(RunPodWithClaims(node, "old", {"own", "shared"}));
  RETURN_IF_ERROR(Refused("its container", node.StartContainer("old", "main")));
  node.Kill();
  const absl::Status started = node.Start(to);
  if (!started.ok()) {
    return absl::StrContains(started.message(), "checkpoint") ? "refuses to start" : std::string(started.message());
  }
  ASSIGN_OR_RETURN(const Sight seen, node.Look());
  const bool kept = seen.claims.contains("own") && seen.claims.contains("shared");
  // Whether it has to wait for the driver is each kubelet's own affair.
  RETURN_IF_ERROR(Refused("the pod before the driver", node.Admit(PodWithClaims("early", {"shared"}))));
  (void)node.Prepare("early").ok;
  RETURN_IF_ERROR(node.StartDriver(driver));
  RETURN_IF_ERROR(Refused("the pod before the driver, again", node.Prepare("early")));
  RETURN_IF_ERROR(RunPodWithClaims(node, "late", {"shared"}));
  return EndOfClaims(node, kept);
}

using Trial = std::function<absl::StatusOr<std::string>(MemoryNode& node)>;

std::string OutcomeOf(const Trial& trial) {
  absl::StatusOr<std::string> outcome = absl::InternalError("the run did not begin");
  const absl::Status ran = WithMemoryNode({}, 1, [&](MemoryNode& node) { outcome = trial(node); });
  if (!ran.ok()) return std::string(ran.message());
  return outcome.ok() ? *outcome : std::string(outcome.status().message());
}

// One row of it: what stands first, and a cell for each kubelet.
std::string Row(std::string_view first, const std::vector<std::string>& kubelets,
                absl::FunctionRef<std::string(const std::string& kubelet)> cell) {
  std::string row = absl::StrCat("| ", std::string(first), " |");
  for (const std::string& kubelet : kubelets) absl::StrAppend(&row, " ", cell(kubelet), " |");
  return absl::StrCat(row, "\n");
}

std::string HeadRow(std::string_view first, const std::vector<std::string>& kubelets) {
  std::string line = "|---|";
  for (size_t i = 0; i < kubelets.size(); ++i) absl::StrAppend(&line, "---|");
  return absl::StrCat(Row(first, kubelets, [](const std::string& kubelet) { return kubelet; }), line, "\n");
}

std::string Table(const std::vector<std::string>& kubelets,
                  std::string (*outcome)(const std::string& from, const std::string& to)) {
  std::string text = HeadRow("from \\ to", kubelets);
  for (const std::string& from : kubelets) {
    absl::StrAppend(&text, Row(from, kubelets, [&](const std::string& to) { return outcome(from, to); }));
  }
  return text;
}

std::string RunningPodTable() {
  std::string text = HeadRow("told of the pod", RunningPodKubelets());
  for (const auto& [when, words] : {std::pair(ToldAgain::kAtStart, "at the start, before all pods are known"),
                                    std::pair(ToldAgain::kWithoutPlugin, "later, before the plugin is back"),
                                    std::pair(ToldAgain::kWithPlugin, "when the plugin is back")}) {
    absl::StrAppend(&text, Row(words, RunningPodKubelets(),
                               [when = when](const std::string& kubelet) { return RunningPodOutcome(kubelet, when); }));
  }
  return text;
}

constexpr char kHead[] = R"(# What an upgrade makes of devices and claims

Each cell was tried: one kubelet, emulated, runs a pod and is killed; the other finds its state file. The tables are the
output of `./bazelw run //testing/scenarios:upgrade_outcomes`, and a test compares them with it. A version stands for those
that do as it does with state files; `latest` is this project's own, which reads every format there was.

## Devices

On a node without dynamic resource allocation, a pod runs with one of two devices. After the change of kubelet the new one
is told of that pod, as every kubelet is of its pods when it starts, and admits it anew. A second pod comes before the device
plugin is back, and a third after it; then the kubelet is told of the first pod once more, as by a source that is slow.

- **kept**: the first pod is admitted both times, and has its device; the second is refused, for the plugin is not there;
  the third gets the other device.
- **lost**: the kubelet does not read the file and starts empty. It does not know the resource, so the first pod is admitted
  anew, and the second as well, *without a device*; and the third gets the device that the first one is running with. Once
  the plugin is back the first pod is admitted anew with *another device*, of which its container does not hear. From 1.19
  to 1.20.0 this is k/k#102880.

)";

constexpr char kRunningPods[] = R"(
Where the file is read, what a kubelet says to a pod that runs depends on when it hears of it. Until 1.27 nobody looks at
what a container holds that has what it asks for. Since 1.28 its devices have to be healthy, which without a plugin none is;
a container that runs is let in before that, as long as the kubelet does not know all pods. (Patch releases of 1.25 to 1.27
have that, too; a version stands for its first release.) `latest` lets it in later as well: its pod may come from a source
that is slow. The daemon remembers what it has admitted, and does not ask itself again.

)";

constexpr char kClaims[] = R"(
## Claims

A pod runs with two prepared ResourceClaims. After the change of kubelet a second pod that shares one of them comes before
the driver is back, and a third after it; then these two go, and at last the first.

- **kept**: the claims are known; who shares one gets it as soon as the driver is there; and both are unprepared when the
  first pod goes, which is the last, and not before.
- **refuses to start**: the kubelet exits because of the file, until somebody removes it.
- **leaked**: the claims are forgotten. The one that is shared is prepared anew, and unprepared when the two that came
  later go, *under the first pod*, which runs with it; and its other one stays prepared for good.

1.26 keeps no file of claims: it leaves nothing to whoever comes, and does not look at what it finds. Kubelets of 1.8 to
1.25 are not here, for they have no dynamic resource allocation: they run no pod with claims, and leave the file alone.

)";

}  // namespace

std::string DeviceOutcome(const std::string& from, const std::string& to) {
  return OutcomeOf([&](MemoryNode& node) { return TryDevices(node, from, to); });
}

std::string RunningPodOutcome(const std::string& kubelet, ToldAgain when) {
  return OutcomeOf([&](MemoryNode& node) { return TryRunningPod(node, kubelet, when); });
}

std::string ClaimOutcome(const std::string& from, const std::string& to) {
  return OutcomeOf([&](MemoryNode& node) { return TryClaims(node, from, to); });
}

std::string UpgradeOutcomesPage() {
  return absl::StrCat(kHead, Table(DeviceKubelets(), DeviceOutcome), kRunningPods, RunningPodTable(), kClaims,
                      Table(ClaimKubelets(), ClaimOutcome));
}

}  // namespace kubelet_cm::scenarios
