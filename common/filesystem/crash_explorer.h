// ExploreCrashes: runs a scenario against every crash that it can meet, one by one; nothing is sampled.
//
// The scenario runs once to list its file operations. Then it runs once per place where it can be killed
// (crash_places.h; writes are torn at every block). At each of these places what is left is checked
//   - after a kill: everything written is there;
//   - after a power cut: once for each image that the disk may be in (fake_disk_image.h);
//   - if the scenario can restart: after a kill, a restart on what it left, and a power cut then. What the process read
//     when it started again, and what it answered because of that, must be as durable as what it wrote itself.
#ifndef KUBELET_CM_COMMON_FILESYSTEM_CRASH_EXPLORER_H_
#define KUBELET_CM_COMMON_FILESYSTEM_CRASH_EXPLORER_H_

#include <cstddef>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "common/filesystem/fake_disk_image.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/file_system.h"

namespace kubelet_cm {

struct CrashScenario {
  // What is on the disk, durably, before each run. Also puts back what the test itself remembers of the last run.
  std::function<void(FakeFileSystem& disk)> set_up;
  // The code under test. Does the same each time; comes to an end when every operation fails (as it does once killed).
  std::function<void(FileSystem& file_system)> run;
  // Starts again on what is left, and checks. `where` is for messages: "power cut before operation 7 (rename /a /b)".
  // The explorer does not judge: the test fails, or counts, as it likes.
  std::function<void(FakeFileSystem& left, const std::string& where)> check;
  // Optional: starts again on what a kill has left, and remembers what was answered as `run` does. Comes to an end.
  std::function<void(FileSystem& file_system)> restart = nullptr;
  // Optional: whether an operation stands for the edge of a call to somebody else.
  std::function<bool(const FileOperation& operation)> is_call = nullptr;
};

struct CrashCoverage {
  size_t operations = 0;  // of the scenario when nothing happens
  size_t places = 0;      // where it was killed, the end included
  size_t images = 0;      // checked after power cuts; likewise
  size_t restarts = 0;    // between a kill and a power cut; one for places that leave the same disk
};

// An error when there are too many images at some place (PowerCutOptions::max_images).
absl::StatusOr<CrashCoverage> ExploreCrashes(const CrashScenario& scenario, const PowerCutOptions& options = {});

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_CRASH_EXPLORER_H_
