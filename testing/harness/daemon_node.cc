#include "testing/harness/daemon_node.h"

#include <utility>

#include "common/status/check.h"
#include "common/status/status_macros.h"
#include "testing/harness/restart_twin.h"

namespace kubelet_cm::harness {

DaemonNode::DaemonNode() {
  options.root_dir = PathOf("root");
  options.device_plugin_dir = options.root_dir + "/device-plugins";
  options.node_name = "node";
  options.healthz_port = 0;
  options.numa_nodes = {0};
  options.boot_id_file = PathOf("boot_id");
  WriteFile("boot_id", "boot-1\n");
}

DaemonNode::~DaemonNode() { Kill(); }

absl::Status DaemonNode::Start() {
  CHECK(daemon_ == nullptr) << "a daemon is running";
  ASSIGN_OR_RETURN(daemon_, Daemon::New({.files = machine.files,
                                         .watches = watches_,
                                         .threads = machine.threads,
                                         .random = machine.random,
                                         .log = log},
                                        options));
  ASSIGN_OR_RETURN(ControlClient client, ControlClient::Connect(paths().control_socket));
  control_.emplace(std::move(client));
  return absl::OkStatus();
}

absl::Status DaemonNode::Shutdown() {
  const absl::Status stopped = daemon_->Shutdown();
  daemon_.reset();
  return stopped;
}

absl::Status DaemonNode::MaybeRestart() {
  if (!twin_.RestartsHere()) return absl::OkStatus();
  constexpr char kDriverIsBack[] = "Registered DRA plugin";
  const size_t before = log.Count(kDriverIsBack);
  Kill();
  RETURN_IF_ERROR(Start());
  const bool back = before == 0 || log.Await([&] { return log.Count(kDriverIsBack) > before; });
  return back ? absl::OkStatus() : absl::DeadlineExceededError("the driver does not come back");
}

testing::AssertionResult DaemonNode::Await(absl::FunctionRef<bool()> holds) {
  if (log.Await(holds)) return testing::AssertionSuccess();
  testing::AssertionResult failure = testing::AssertionFailure()
                                     << "what was waited for did not come about; the log:\n";
  for (const CapturedLine& line : log.lines()) failure << line << "\n";
  return failure;
}

testing::AssertionResult DaemonNode::AwaitAllocatable(const std::string& resource, int64_t allocatable) {
  return Await([&] { return daemon_->devices().GetCapacity().allocatable[resource] == allocatable; });
}

}  // namespace kubelet_cm::harness
