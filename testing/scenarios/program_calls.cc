#include "testing/scenarios/program_calls.h"

#include "testing/scenarios/pod_fields.h"

namespace kubelet_cm::scenarios {
namespace {

namespace v1 = ::kubeletcm::v1;

using harness::ControlClient;

Reply Failed(const absl::Status& status) { return {.ok = false, .message = std::string(status.message())}; }

}  // namespace

Reply AskToAdmit(const ControlClient& daemon, const Pod& pod) {
  const absl::StatusOr<v1::AdmitPodResponse> answer = daemon.Admit(FieldsOf(pod));
  if (!answer.ok()) return Failed(answer.status());
  return {.ok = answer->admitted(), .reason = answer->reason(), .message = answer->message()};
}

Reply AskToPrepare(const ControlClient& daemon, const std::string& pod) {
  const absl::StatusOr<v1::PreparePodResponse> answer = daemon.Prepare(pod);
  if (!answer.ok()) return Failed(answer.status());
  return {.ok = answer->prepared(), .reason = answer->reason(), .message = answer->message()};
}

Reply AskToStart(const ControlClient& daemon, const std::string& pod, const std::string& container) {
  const absl::StatusOr<v1::ContainerOptionsResponse> options = daemon.ContainerOptions(pod, container);
  if (!options.ok()) return Failed(options.status());
  const absl::Status started = daemon.ContainerStarted(pod, container);
  if (!started.ok()) return Failed(started);
  Reply reply;
  reply.environment.insert(options->envs().begin(), options->envs().end());
  reply.cdi_devices.insert(options->cdi_devices().begin(), options->cdi_devices().end());
  return reply;
}

Reply SayExited(const ControlClient& daemon, const std::string& pod, const std::string& container) {
  const absl::Status exited = daemon.ContainerExited(pod, container);
  return exited.ok() ? Reply() : Failed(exited);
}

Reply AskToRemove(const ControlClient& daemon, const std::string& pod, bool force) {
  const absl::StatusOr<v1::RemovePodResponse> answer = daemon.Remove(pod, force);
  if (!answer.ok()) return Failed(answer.status());
  return {.ok = answer->removed(), .message = answer->message()};
}

}  // namespace kubelet_cm::scenarios
