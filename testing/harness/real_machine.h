// RealMachine: what managers need of the machine under them, all of it real: a folder on the disk, sockets, time and
// threads. For tests and measurements, which bring the log and the pods that suit them.
//
//   RealMachine machine;
//   FakeDraDriver driver({machine.threads, machine.files}, {.folder = machine.folder.path()});
//
// Declared before whatever lives on it.
#ifndef KUBELET_CM_TESTING_HARNESS_REAL_MACHINE_H_
#define KUBELET_CM_TESTING_HARNESS_REAL_MACHINE_H_

#include <string>

#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/metrics/registry.h"
#include "common/podupdates/pod_updates.h"
#include "common/random/real_random.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/short_temp_dir.h"

namespace kubelet_cm::harness {

struct RealMachine {
  ShortTempDir folder;  // empty at first, and gone with the machine
  PosixFileSystem files;
  RealRandom random;
  RealClock clock;
  RealThreads threads{clock};
  PodUpdates pod_updates{threads};
  MetricsRegistry metrics;  // of all managers that lived here

  // Writes a file below the folder, in place of one that is there; its folders are made. A failure fails the test.
  void WriteFile(const std::string& name, const std::string& text);
};

}  // namespace kubelet_cm::harness

#endif  // KUBELET_CM_TESTING_HARNESS_REAL_MACHINE_H_
