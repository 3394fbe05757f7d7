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
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/folderwatch/inotify_watches.h"
#include "common/log/awaiting_logger.h"
#include "grpcpp/grpcpp.h"
#include "gtest/gtest.h"
#include "kubelet_cm/api/control.grpc.pb.h"
#include "kubelet_cm/config/daemon_options.h"
#include "kubelet_cm/daemon/daemon.h"
#include "testing/harness/real_machine.h"

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

  // A file below the machine's folder, whose folders are made.
  std::string PathOf(const std::string& name) const { return machine.folder.path() + "/" + name; }
  void WriteFile(const std::string& name, const std::string& text);

  // --- The control API. A status that is not OK has gRPC's code and message.

  absl::StatusOr<::kubeletcm::v1::AdmitPodResponse> Admit(const std::string& manifest);
  absl::StatusOr<::kubeletcm::v1::PreparePodResponse> Prepare(const std::string& pod_uid);
  absl::StatusOr<::kubeletcm::v1::ContainerOptionsResponse> ContainerOptions(const std::string& pod_uid,
                                                                             const std::string& container);
  absl::StatusOr<::kubeletcm::v1::RemovePodResponse> Remove(const std::string& pod_uid);
  absl::StatusOr<::kubeletcm::v1::ListPodsResponse> Pods();
  absl::StatusOr<::kubeletcm::v1::NodeResourcesResponse> Resources();
  // What else there is of the API.
  ::kubeletcm::v1::Control::Stub& control() { return *control_; }

  Daemon& daemon() { return *daemon_; }
  DaemonPaths paths() const { return PathsOf(options); }
  // Waits for what other threads bring about.
  testing::AssertionResult Await(absl::FunctionRef<bool()> holds);
  testing::AssertionResult AwaitAllocatable(const std::string& resource, int64_t allocatable);

  RealMachine machine;
  AwaitingLogger log;
  config::DaemonOptions options;

 private:
  InotifyWatches watches_{machine.clock};
  std::unique_ptr<Daemon> daemon_;
  std::unique_ptr<::kubeletcm::v1::Control::Stub> control_;
};

}  // namespace kubelet_cm::harness

#endif  // KUBELET_CM_TESTING_HARNESS_DAEMON_NODE_H_
