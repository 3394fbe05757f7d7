// ControlClient: asks a daemon through its control API, as an agent on the node does.
//
//   ASSERT_OK_AND_ASSIGN(ControlClient client, ControlClient::Connect(paths.control_socket));
//   ASSERT_OK_AND_ASSIGN(AdmitPodResponse answer, client.Admit(kManifest));
//
// A status that is not OK has gRPC's code and message. Thread-safe.
#ifndef KUBELET_CM_TESTING_HARNESS_CONTROL_CLIENT_H_
#define KUBELET_CM_TESTING_HARNESS_CONTROL_CLIENT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "kubelet_cm/api/control.grpc.pb.h"

namespace kubelet_cm::harness {

class ControlClient {
 public:
  // Blocks until somebody answers at the socket.
  static absl::StatusOr<ControlClient> Connect(const std::string& socket);

  absl::StatusOr<::kubeletcm::v1::AdmitPodResponse> Admit(const std::string& manifest) const;
  absl::StatusOr<::kubeletcm::v1::AdmitPodResponse> Admit(const ::kubeletcm::v1::AdmitPodRequest& request) const;
  absl::StatusOr<::kubeletcm::v1::PreparePodResponse> Prepare(const std::string& pod_uid) const;
  absl::StatusOr<::kubeletcm::v1::ContainerOptionsResponse> ContainerOptions(const std::string& pod_uid,
                                                                             const std::string& container) const;
  absl::Status ContainerStarted(const std::string& pod_uid, const std::string& container) const;
  absl::Status ContainerExited(const std::string& pod_uid, const std::string& container) const;
  absl::StatusOr<::kubeletcm::v1::RemovePodResponse> Remove(const std::string& pod_uid, bool force = false) const;
  absl::StatusOr<::kubeletcm::v1::ListPodsResponse> Pods() const;
  absl::StatusOr<::kubeletcm::v1::NodeResourcesResponse> Resources() const;
  absl::StatusOr<::kubeletcm::v1::ListPluginsResponse> Plugins() const;
  absl::StatusOr<::kubeletcm::v1::ListClaimsResponse> Claims() const;
  absl::StatusOr<::kubeletcm::v1::VersionResponse> Version() const;
  // What else there is of the API.
  ::kubeletcm::v1::Control::Stub& stub() const { return *stub_; }

  // True when `holds`, which is asked now and after each event on the node; false after a minute, or when the daemon
  // goes.
  testing::AssertionResult Await(absl::FunctionRef<bool()> holds) const;
  // Waits until a plugin answers for the resource and that many devices can be given away.
  testing::AssertionResult AwaitAllocatable(const std::string& resource, int64_t allocatable) const;

 private:
  explicit ControlClient(std::unique_ptr<::kubeletcm::v1::Control::Stub> stub) : stub_(std::move(stub)) {}

  std::unique_ptr<::kubeletcm::v1::Control::Stub> stub_;
};

}  // namespace kubelet_cm::harness

#endif  // KUBELET_CM_TESTING_HARNESS_CONTROL_CLIENT_H_
