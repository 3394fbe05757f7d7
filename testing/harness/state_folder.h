// StateFolder: where a manager's state files are, on a modelled disk: with faults to plan, and a CheckpointManager.
//
//   StateFolder folder;
//   ASSERT_OK(folder.manager->Write("key", bytes));
//   folder.faults.Arm({.ops = {FileOp::kRename}, .error = EIO});
#ifndef KUBELET_CM_TESTING_HARNESS_STATE_FOLDER_H_
#define KUBELET_CM_TESTING_HARNESS_STATE_FOLDER_H_

#include <cstddef>
#include <memory>
#include <string>

#include "checkpointmanager/checkpoint_manager.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/filesystem/file_functions.h"
#include "common/random/seeded_random.h"

namespace kubelet_cm::harness {

struct StateFolder {
  static constexpr char kPath[] = "/state";

  // What lies on the disk; empty if nothing does.
  std::string File(const std::string& key) {
    constexpr size_t kMax = 1 << 24;
    return ReadFile(disk, std::string(kPath) + "/" + key, kMax).value_or("");
  }

  FakeFileSystem disk;
  FaultPlan faults;
  FaultyFileSystem files{disk, faults};
  SeededRandom random{1};
  const std::unique_ptr<CheckpointManager> manager = *CheckpointManager::New(files, random, kPath);
};

}  // namespace kubelet_cm::harness

#endif  // KUBELET_CM_TESTING_HARNESS_STATE_FOLDER_H_
