// DaemonNode: the whole daemon in this process, on a real folder with real sockets, for tests: it is started, killed
// and started again, and asked through its control API.
//
//   DaemonNode node;
//   ASSERT_OK(node.Start());
//   FakeDevicePlugin plugin({node.machine.threads, node.machine.files}, {.folder = node.paths().device_plugins});
//   ASSERT_OK_AND_ASSIGN(AdmitPodResponse answer, node.Admit(kManifest));
//   node.Kill();
//
// One thread steers the node.
#ifndef KUBELET_CM_TESTING_HARNESS_DAEMON_NODE_H_
#define KUBELET_CM_TESTING_HARNESS_DAEMON_NODE_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "common/folderwatch/inotify_watches.h"
#include "common/log/awaiting_logger.h"
#include "gtest/gtest.h"
#include "kubelet_cm/api/control.grpc.pb.h"
#include "kubelet_cm/config/daemon_options.h"
#include "kubelet_cm/daemon/daemon.h"
#include "testing/harness/control_client.h"
#include "testing/harness/real_machine.h"
#include "testing/harness/restart_twin.h"

namespace kubelet_cm::harness {

class DaemonNode {
 public:
  DaemonNode();
  ~DaemonNode();
  DaemonNode(const DaemonNode&) = delete;
  DaemonNode& operator=(const DaemonNode&) = delete;

  // Starts a daemon where there is none, with `options` below.
  absl::Status Start();
  // Ends it as a kill does: nothing more is written, sockets stay.
  void Kill() { daemon_.reset(); }
  absl::Status Shutdown();
  // In a restart twin (restart_twin.h): Kill and Start, and the driver that was there is back. Plugins have lost their
  // sockets, as after every start.
  absl::Status MaybeRestart();
  void NoRestart(std::string_view why) { twin_.NoRestart(why); }

  // A file below the machine's folder, whose folders are made.
  std::string PathOf(const std::string& name) const { return machine.folder.File(name); }
  void WriteFile(const std::string& name, const std::string& text) { machine.WriteFile(name, text); }

  // --- The control API. A status that is not OK has gRPC's code and message.

  auto Admit(const std::string& manifest) { return control_->Admit(manifest); }
  auto Prepare(const std::string& pod_uid) { return control_->Prepare(pod_uid); }
  auto ContainerOptions(const std::string& pod_uid, const std::string& container) {
    return control_->ContainerOptions(pod_uid, container);
  }
  auto Remove(const std::string& pod_uid) { return control_->Remove(pod_uid); }
  auto Pods() { return control_->Pods(); }
  auto Resources() { return control_->Resources(); }
  // What else there is of the API.
  ::kubeletcm::v1::Control::Stub& control() { return control_->stub(); }

  Daemon& daemon() { return *daemon_; }
  DaemonPaths paths() const { return PathsOf(options); }
  // Waits for what other threads bring about.
  testing::AssertionResult Await(absl::FunctionRef<bool()> holds);
  testing::AssertionResult AwaitAllocatable(const std::string& resource, int64_t allocatable);

  RealMachine machine;
  AwaitingLogger log;
  config::DaemonOptions options;

 private:
  RestartTwin twin_;
  InotifyWatches watches_{machine.clock};
  std::unique_ptr<Daemon> daemon_;
  std::optional<ControlClient> control_;  // of the daemon that was started last
};

}  // namespace kubelet_cm::harness

#endif  // KUBELET_CM_TESTING_HARNESS_DAEMON_NODE_H_
