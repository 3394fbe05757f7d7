#include "testing/harness/daemon_node.h"

#include <utility>

#include "common/status/check.h"
#include "common/status/grpc_status.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/deadline.h"

namespace kubelet_cm::harness {

namespace v1 = ::kubeletcm::v1;

namespace {

constexpr absl::Duration kCallLimit = absl::Seconds(60);

// Calls one method of the control API.
template <typename Request, typename Response>
absl::StatusOr<Response> Call(v1::Control::Stub& stub,
                              grpc::Status (v1::Control::Stub::*method)(grpc::ClientContext*, const Request&,
                                                                        Response*),
                              const Request& request) {
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(kCallLimit));
  Response response;
  const grpc::Status status = (stub.*method)(&context, request, &response);
  if (!status.ok()) return FromGrpcStatus(status);
  return response;
}

}  // namespace

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
  ASSIGN_OR_RETURN(const auto channel, DialUnixSocket(paths().control_socket));
  control_ = v1::Control::NewStub(channel);
  return absl::OkStatus();
}

absl::Status DaemonNode::Shutdown() {
  const absl::Status stopped = daemon_->Shutdown();
  daemon_.reset();
  return stopped;
}

void DaemonNode::WriteFile(const std::string& name, const std::string& text) {
  const std::string path = PathOf(name);
  EXPECT_TRUE(machine.files.MakeFolders(path.substr(0, path.rfind('/')), 0750).ok());
  (void)machine.files.Unlink(path).ok();
  auto file = machine.files.Open(path, OpenMode::kCreateExclusive, 0640);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE((*file)->Write(text).ok());
  EXPECT_TRUE((*file)->Close().ok());
}

absl::StatusOr<v1::AdmitPodResponse> DaemonNode::Admit(const std::string& manifest) {
  v1::AdmitPodRequest request;
  request.set_manifest(manifest);
  return Call(control(), &v1::Control::Stub::AdmitPod, request);
}

absl::StatusOr<v1::PreparePodResponse> DaemonNode::Prepare(const std::string& pod_uid) {
  v1::PreparePodRequest request;
  request.mutable_pod()->set_uid(pod_uid);
  return Call(control(), &v1::Control::Stub::PreparePod, request);
}

absl::StatusOr<v1::ContainerOptionsResponse> DaemonNode::ContainerOptions(const std::string& pod_uid,
                                                                          const std::string& container) {
  v1::ContainerOptionsRequest request;
  request.mutable_pod()->set_uid(pod_uid);
  request.set_container(container);
  return Call(control(), &v1::Control::Stub::ContainerOptions, request);
}

absl::StatusOr<v1::RemovePodResponse> DaemonNode::Remove(const std::string& pod_uid) {
  v1::RemovePodRequest request;
  request.mutable_pod()->set_uid(pod_uid);
  return Call(control(), &v1::Control::Stub::RemovePod, request);
}

absl::StatusOr<v1::ListPodsResponse> DaemonNode::Pods() {
  return Call(control(), &v1::Control::Stub::ListPods, v1::ListPodsRequest());
}

absl::StatusOr<v1::NodeResourcesResponse> DaemonNode::Resources() {
  return Call(control(), &v1::Control::Stub::NodeResources, v1::NodeResourcesRequest());
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
