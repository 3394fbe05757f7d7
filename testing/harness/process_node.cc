#include "testing/harness/process_node.h"

#include <csignal>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/check.h"
#include "kubelet_cm/config/daemon_options.h"

namespace kubelet_cm::harness {
namespace {

constexpr char kProgram[] = KUBELET_CM_PROGRAM;
// The last line of what the daemon says when everything is served.
constexpr char kReady[] = "Try, in another terminal:\n";

DaemonPaths PathsIn(const std::string& root) {
  return PathsOf({.root_dir = root, .device_plugin_dir = root + "/device-plugins"});
}

}  // namespace

ProcessNode::ProcessNode() : paths_(PathsIn(PathOf("root"))) { Boot(); }

void ProcessNode::Boot() { WriteFile("boot_id", absl::StrCat("boot-", ++boots_, "\n")); }

testing::AssertionResult ProcessNode::Start(const std::vector<std::string>& more_flags) {
  testing::AssertionResult launched = Launch(more_flags);
  return launched ? AwaitReady() : launched;
}

testing::AssertionResult ProcessNode::Launch(const std::vector<std::string>& more_flags) {
  CHECK(daemon_ == nullptr || daemon_->end().has_value()) << "a daemon is running";
  control_.reset();
  std::vector<std::string> arguments = {"--root-dir",  paths_.root, "--healthz-port", "0",
                                        "--node-name", "node",      "--boot-id-file", PathOf("boot_id")};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  arguments.insert(arguments.end(), more_flags.begin(), more_flags.end());
  launched_at_ = machine.clock.MonotonicNow();
  auto started = ChildProcess::Start(machine.threads, {.program = kProgram, .arguments = std::move(arguments)});
  if (!started.ok()) return testing::AssertionFailure() << started.status();
  daemon_ = *std::move(started);
  return testing::AssertionSuccess();
}

testing::AssertionResult ProcessNode::AwaitReady() {
  testing::AssertionResult ready = daemon_->AwaitOutput(kReady);
  if (!ready) return ready;
  start_took_ = machine.clock.MonotonicNow() - launched_at_;
  absl::StatusOr<ControlClient> client = ControlClient::Connect(paths_.control_socket);
  if (!client.ok()) {
    return testing::AssertionFailure() << client.status() << "; the daemon said:\n" << daemon_->output();
  }
  control_.emplace(*std::move(client));
  return testing::AssertionSuccess();
}

testing::AssertionResult ProcessNode::Kill() {
  daemon_->Signal(SIGKILL);
  return daemon_->AwaitExit();
}

testing::AssertionResult ProcessNode::Stop() {
  daemon_->Signal(SIGTERM);
  return AwaitExitCode(0);
}

testing::AssertionResult ProcessNode::AwaitExitCode(int code) {
  testing::AssertionResult ended = daemon_->AwaitExit();
  if (!ended) return ended;
  const ChildProcess::End end = daemon_->end().value_or(ChildProcess::End());
  if (end == ChildProcess::End{.code = code}) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "it ended with exit code " << end.code << " and signal " << end.signal
                                     << " instead of exit code " << code << "; it said:\n"
                                     << daemon_->output();
}

}  // namespace kubelet_cm::harness
