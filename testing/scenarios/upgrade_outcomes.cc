#include "testing/scenarios/upgrade_outcomes.h"

#include <functional>
#include <set>
#include <vector>

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

absl::StatusOr<std::string> TryDevices(BenchNode& node, const std::string& from, const std::string& to) {
  RETURN_IF_ERROR(node.Start(from));
  proto::StartPlugin plugin;
  plugin.set_resource(kResource);
  plugin.set_count(2);
  plugin.set_stays_away(true);
  RETURN_IF_ERROR(node.StartPlugin(plugin));
  RETURN_IF_ERROR(Refused("the first pod", node.Admit(PodWithDevice("old"))));
  RETURN_IF_ERROR(Refused("its container", node.StartContainer("old", "main")));
  RETURN_IF_ERROR(node.Settle());
  node.Kill();
  // Claims are the other table's.
  const absl::Status removed = node.RemoveFile(*PathOfFile("claims"));
  if (!removed.ok() && !absl::IsNotFound(removed)) return removed;
  const absl::Status started = node.Start(to);
  if (!started.ok()) return "refuses to start";

  ASSIGN_OR_RETURN(const std::set<std::string> kept, Held(node, "old"));
  const bool early = node.Admit(PodWithDevice("early")).ok;
  RETURN_IF_ERROR(node.RegisterPlugin(kResource));
  RETURN_IF_ERROR(Refused("the last pod", node.Admit(PodWithDevice("late"))));
  ASSIGN_OR_RETURN(const std::set<std::string> late, Held(node, "late"));
  const bool twice = late == std::set<std::string>{"dev-0"};
  const bool all_kept = kept == std::set<std::string>{"dev-0"};
  if (all_kept && !early && !twice) return "kept";
  if (kept.empty() && early && twice) return "lost";
  return absl::StrCat(all_kept ? "kept" : "lost", ", the pod before the plugin ", early ? "admitted" : "refused",
                      ", the device ", twice ? "given twice" : "not given twice");
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

using Trial = std::function<absl::StatusOr<std::string>(BenchNode& node)>;

std::string OutcomeOf(const Trial& trial) {
  absl::StatusOr<std::string> outcome = absl::InternalError("the run did not begin");
  const absl::Status ran = WithMemoryNode({}, 1, [&](MemoryNode& node) { outcome = trial(node); });
  if (!ran.ok()) return std::string(ran.message());
  return outcome.ok() ? *outcome : std::string(outcome.status().message());
}

std::string Table(const std::vector<std::string>& kubelets,
                  std::string (*outcome)(const std::string& from, const std::string& to)) {
  std::string text = "| from \\ to |";
  for (const std::string& to : kubelets) absl::StrAppend(&text, " ", to, " |");
  absl::StrAppend(&text, "\n|---|");
  for (size_t i = 0; i < kubelets.size(); ++i) absl::StrAppend(&text, "---|");
  absl::StrAppend(&text, "\n");
  for (const std::string& from : kubelets) {
    absl::StrAppend(&text, "| ", from, " |");
    for (const std::string& to : kubelets) absl::StrAppend(&text, " ", outcome(from, to), " |");
    absl::StrAppend(&text, "\n");
  }
  return text;
}

constexpr char kHead[] = R"(# What an upgrade makes of devices and claims

Each cell was tried: one kubelet, emulated, runs a pod and is killed; the other finds its state file. The tables are the
output of `./bazelw run //testing/scenarios:upgrade_outcomes`, and a test compares them with it. A version stands for those
that do as it does with state files; `latest` is this project's own, which reads every format there was.

## Devices

On a node without dynamic resource allocation, a pod runs with one of two devices. After the change of kubelet a second pod comes before the device plugin is back, and a
third after it.

- **kept**: the first pod has its device; the second is refused, for the plugin is not there; the third gets the other
  device.
- **lost**: the kubelet does not read the file and starts empty. It does not know the resource, so the second pod is
  admitted *without a device*; and the third gets the device that the first one is running with. From 1.19 to 1.20.0
  this is k/k#102880.

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
  return OutcomeOf([&](BenchNode& node) { return TryDevices(node, from, to); });
}

std::string ClaimOutcome(const std::string& from, const std::string& to) {
  return OutcomeOf([&](BenchNode& node) { return TryClaims(node, from, to); });
}

std::string UpgradeOutcomesPage() {
  return absl::StrCat(kHead, Table(DeviceKubelets(), DeviceOutcome), kClaims, Table(ClaimKubelets(), ClaimOutcome));
}

}  // namespace kubelet_cm::scenarios
