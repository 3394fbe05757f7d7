// ProcessNode: the daemon's program as a process of its own, on a real folder with real sockets: what DaemonNode is in
// this process, with a real SIGKILL.
//
//   ProcessNode node;
//   ASSERT_TRUE(node.Start());
//   FakeDevicePlugin plugin({node.machine.threads, node.machine.files}, {.folder = node.paths().device_plugins});
//   ASSERT_OK_AND_ASSIGN(AdmitPodResponse answer, node.control().Admit(kManifest));
//   ASSERT_TRUE(node.Kill());
//   ASSERT_TRUE(node.Start({"--emulate-kubelet=1.20.15"}));
//
// Nodes do not get in each other's way: each has a folder of its own with a short path, and no port. One thread steers
// the node; a kill may come from any.
#ifndef KUBELET_CM_TESTING_HARNESS_PROCESS_NODE_H_
#define KUBELET_CM_TESTING_HARNESS_PROCESS_NODE_H_

#include <sys/types.h>

#include <csignal>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "common/clock/monotonic_time.h"
#include "gtest/gtest.h"
#include "kubelet_cm/daemon/daemon_paths.h"
#include "testing/harness/child_process.h"
#include "testing/harness/control_client.h"
#include "testing/harness/real_machine.h"

namespace kubelet_cm::harness {

class ProcessNode {
 public:
  ProcessNode();

  // Starts the daemon where none runs, with `flags` and these, and waits until it says that it is ready. A failure has
  // what it said.
  testing::AssertionResult Start(const std::vector<std::string>& more_flags = {});
  // As Start, without waiting: the daemon is on its way up when this returns.
  testing::AssertionResult Launch(const std::vector<std::string>& more_flags = {});
  testing::AssertionResult AwaitReady();

  // SIGKILL, and waits until it is gone.
  testing::AssertionResult Kill();
  // SIGKILL without waiting, from any thread while a daemon is there.
  void KillNow() { daemon_->Signal(SIGKILL); }
  // Waits until it is gone, be it by KillNow() or by itself.
  testing::AssertionResult AwaitExit() { return daemon_->AwaitExit(); }
  // SIGTERM, and waits until it is gone. A failure if its exit code is not 0.
  testing::AssertionResult Stop();
  // Waits for an end that comes by itself, and says whether it was with this exit code.
  testing::AssertionResult AwaitExitCode(int code);

  // Another boot of the machine, from the next start on.
  void Boot();
  // A file below the machine's folder, whose folders are made.
  std::string PathOf(const std::string& name) const { return machine.folder.File(name); }
  void WriteFile(const std::string& name, const std::string& text) { machine.WriteFile(name, text); }

  const DaemonPaths& paths() const { return paths_; }
  // Of the daemon of the last start.
  pid_t pid() const { return daemon_->pid(); }
  // Of the daemon that runs. Valid until the next start.
  const ControlClient& control() const { return *control_; }
  // All that the daemon of the last start said.
  std::string output() const { return daemon_ == nullptr ? "" : daemon_->output(); }
  // What it said beyond its first `from` bytes, as ChildProcess has it.
  std::string OutputFrom(uint64_t& from) const { return daemon_ == nullptr ? "" : daemon_->OutputFrom(from); }
  // From the last Launch until it was ready.
  absl::Duration start_took() const { return start_took_; }

  RealMachine machine;
  std::vector<std::string> flags;  // of every start

 private:
  const DaemonPaths paths_;
  int boots_ = 0;
  absl::Duration start_took_;
  MonotonicTime launched_at_;
  std::unique_ptr<ChildProcess> daemon_;
  std::optional<ControlClient> control_;
};

}  // namespace kubelet_cm::harness

#endif  // KUBELET_CM_TESTING_HARNESS_PROCESS_NODE_H_
