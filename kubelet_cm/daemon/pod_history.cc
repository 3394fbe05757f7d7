#include "kubelet_cm/daemon/pod_history.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/daemon/pod_adoption.h"
#include "kubelet_cm/life/boot_record.h"
#include "kubelet_cm/pods/pod_restore.h"

namespace kubelet_cm {

absl::StatusOr<NodeStart> PodHistory::Restore() {
  ASSIGN_OR_RETURN(PodStore::Loaded loaded, deps_.store.Load(deps_.threads));
  if (!loaded.strays.empty()) {
    deps_.log.Warning("Files that are no pods' lie in the folder of pods", {{"files", loaded.strays}});
  }
  RETURN_IF_ERROR(SetAside(loaded.damaged));
  ASSIGN_OR_RETURN(const bool rebooted, life::RebootedSince(deps_.files, options_.root, options_.boot_id));
  ASSIGN_OR_RETURN(const life::Tenure tenure, life::ReadTenure(deps_.files, options_.pods_folder, options_.sockets));
  const bool others = tenure == life::Tenure::kOthers;
  if (others) deps_.log.Warning("A kubelet has had this node: pods have to be admitted again");
  adopting_ = tenure != life::Tenure::kOurs;
  if (!adopting_) BeginTenure();
  RestoredPods restored =
      RestorePods(std::move(loaded.records), {.boot_id = options_.boot_id, .rebooted = rebooted, .others = others});
  found_.push_back(absl::StrCat("pods: ", restored.records.size()));
  deps_.pods.Fill(std::move(restored.records));
  restored.node_start.had_others = tenure != life::Tenure::kOurs;
  return std::move(restored.node_start);
}

// A full disk does not keep the node from being served: what is not recorded is only of use to the next start.
void PodHistory::BeginTenure() {
  const absl::Status begun = life::BeginTenure(deps_.files, deps_.random, options_.pods_folder, options_.sockets);
  if (begun.ok()) return;
  deps_.log.Error(begun, "A start cannot be recorded: if it is killed, the next one takes it for a kubelet's");
}

// What they held is in the managers' state files, from which the pods are adopted; by the next start, too, if this one
// does not get that far.
absl::Status PodHistory::SetAside(const std::vector<PodStore::Problem>& damaged) {
  if (damaged.empty()) return absl::OkStatus();
  RETURN_IF_ERROR(life::ForgetTenure(deps_.files, options_.pods_folder));
  for (const PodStore::Problem& problem : damaged) {
    ASSIGN_OR_RETURN(const std::string set_aside_as, deps_.store.SetAside(problem.file, options_.now));
    deps_.log.Error(problem.error, "The file of a pod is corrupt and was set aside",
                    {{"file", problem.file}, {"setAsideAs", set_aside_as}});
    found_.push_back(absl::StrCat("pod ", problem.file, ": corrupt, set aside"));
  }
  return absl::OkStatus();
}

absl::Status PodHistory::Adopt(deviceplugin::DeviceManager& devices, dra::DraManager* claims) {
  Adoption adoption;
  if (adopting_) {
    ASSIGN_OR_RETURN(adoption, AdoptUnknownPods(devices, claims, options_.now, deps_.pods, deps_.store));
  }
  if (adoption.adopted > 0) {
    deps_.log.Info("Pods of which only state files know keep what they hold", {{"pods", adoption.adopted}});
    found_.push_back(absl::StrCat("pods of state files: ", adoption.adopted));
  }
  if (!adoption.unsaved.empty()) {
    deps_.log.Warning("Pods whose uids are none cannot be remembered: every start adopts them",
                      {{"podUIDs", adoption.unsaved}});
    RETURN_IF_ERROR(life::ForgetTenure(deps_.files, options_.pods_folder));
  } else {
    RETURN_IF_ERROR(RecordTenure());
  }
  return life::RecordBoot(deps_.files, deps_.random, options_.root, options_.boot_id);
}

// A full disk does not keep the node from being served: without a record the next start adopts again, which finds
// nobody new.
absl::Status PodHistory::RecordTenure() {
  const absl::Status recorded = life::RecordTenure(deps_.files, deps_.random, options_.pods_folder, options_.sockets);
  if (recorded.ok()) return absl::OkStatus();
  deps_.log.Error(recorded, "Who had the node cannot be recorded: the next start adopts pods again");
  return life::ForgetTenure(deps_.files, options_.pods_folder);
}

}  // namespace kubelet_cm
