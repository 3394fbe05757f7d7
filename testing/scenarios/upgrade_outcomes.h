// What an upgrade, or a step back, makes of devices and claims that pods hold: tried out for pairs of kubelets, one
// writing its state file and the other finding it.
//
// Each trial is a run on a node in memory.
#ifndef KUBELET_CM_TESTING_SCENARIOS_UPGRADE_OUTCOMES_H_
#define KUBELET_CM_TESTING_SCENARIOS_UPGRADE_OUTCOMES_H_

#include <string>

namespace kubelet_cm::scenarios {

// A pod runs with one of two devices as kubelet `from`, which is killed; `to` starts. A pod comes before the plugin is
// back, and one after. "kept", "lost", or what else happened.
std::string DeviceOutcome(const std::string& from, const std::string& to);
// A pod runs with prepared claims. "kept", "refuses to start", "lost", "leaked", or what else happened.
std::string ClaimOutcome(const std::string& from, const std::string& to);

// All pairs, as docs/upgrade_outcomes.md has them.
std::string UpgradeOutcomesPage();

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_UPGRADE_OUTCOMES_H_
