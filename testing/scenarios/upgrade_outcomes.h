// What an upgrade, or a step back, makes of devices and claims that pods hold: tried out for pairs of kubelets, one
// writing its state file and the other finding it.
//
// Each trial is a run on a node in memory.
#ifndef KUBELET_CM_TESTING_SCENARIOS_UPGRADE_OUTCOMES_H_
#define KUBELET_CM_TESTING_SCENARIOS_UPGRADE_OUTCOMES_H_

#include <string>

namespace kubelet_cm::scenarios {

// A pod runs with one of two devices as kubelet `from`, which is killed; `to` starts, and is told of that pod at once.
// A pod comes before the plugin is back, and one after; then `to` is told of the first pod again. "kept", "lost", or
// what else happened.
std::string DeviceOutcome(const std::string& from, const std::string& to);

// When a kubelet is told again of a pod that runs with a device.
enum class ToldAgain {
  kAtStart,        // before it knows all pods
  kWithoutPlugin,  // when it does, and the plugin is not back
  kWithPlugin,     // when the plugin is back
};
// A pod runs with a device, and the kubelet is restarted as the same version. "admitted", "refused", or what else
// happened.
std::string RunningPodOutcome(const std::string& kubelet, ToldAgain when);
// A pod runs with prepared claims. "kept", "refuses to start", "lost", "leaked", or what else happened.
std::string ClaimOutcome(const std::string& from, const std::string& to);

// All pairs, as docs/upgrade_outcomes.md has them.
std::string UpgradeOutcomesPage();

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_UPGRADE_OUTCOMES_H_
