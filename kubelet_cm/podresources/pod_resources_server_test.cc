#include "kubelet_cm/podresources/pod_resources_server.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/clock/fake_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/log/capturing_logger.h"
#include "common/metrics/metric_value.h"
#include "common/status/grpc_status.h"
#include "common/status/status_matchers.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/deadline.h"
#include "common/unixsocket/short_temp_dir.h"
#include "kubelet_cm/podresources/api/v1.grpc.pb.h"
#include "kubelet_cm/podresources/api/v1alpha1.grpc.pb.h"
#include "kubelet_cm/podresources/fake_pod_resources_source.h"

namespace kubelet_cm::podresources {
namespace {

class PodResourcesServerTest : public ::testing::Test {
 protected:
  PodResourcesServerTest() { source_.active = {FakePodResourcesSource::PodNamed("a", {{.name = "app"}})}; }

  void Start(PodResourcesServer::Options options = {}) {
    options.socket_path = socket_path();
    auto server = PodResourcesServer::New(
        {.files = files_, .clock = clock_, .log = log_, .metrics = metrics_, .source = source_}, options);
    ASSERT_OK(server);
    server_ = *std::move(server);
    if (server_ == nullptr) return;
    const auto channel = DialUnixSocket(socket_path(), {.max_receive_bytes = 64 << 20});
    ASSERT_OK(channel);
    stub_ = ::v1::PodResourcesLister::NewStub(*channel);
    old_stub_ = ::v1alpha1::PodResourcesLister::NewStub(*channel);
  }
  std::string socket_path() const { return folder_.File("pod-resources/kubelet.sock"); }

  // Each makes one call with a limit.
  absl::StatusOr<::v1::ListPodResourcesResponse> List() {
    return Call<::v1::ListPodResourcesResponse>(
        [&](auto* context, auto* response) { return stub_->List(context, {}, response); });
  }
  absl::StatusOr<::v1::GetPodResourcesResponse> Get(const std::string& name) {
    ::v1::GetPodResourcesRequest request;
    request.set_pod_name(name);
    request.set_pod_namespace("ns");
    return Call<::v1::GetPodResourcesResponse>(
        [&](auto* context, auto* response) { return stub_->Get(context, request, response); });
  }
  template <typename Response, typename Rpc>
  static absl::StatusOr<Response> Call(Rpc rpc) {
    grpc::ClientContext context;
    context.set_deadline(DeadlineIn(absl::Seconds(30)));
    Response response;
    const grpc::Status status = rpc(&context, &response);
    if (!status.ok()) return FromGrpcStatus(status);
    return response;
  }

  FakeClock clock_;
  PosixFileSystem files_;
  ShortTempDir folder_;
  CapturingLogger log_;
  MetricsRegistry metrics_;
  FakePodResourcesSource source_;
  std::unique_ptr<PodResourcesServer> server_;
  std::unique_ptr<::v1::PodResourcesLister::Stub> stub_;
  std::unique_ptr<::v1alpha1::PodResourcesLister::Stub> old_stub_;
};

TEST_F(PodResourcesServerTest, BothVersionsAnswer) {
  Start();
  const auto list = List();
  ASSERT_OK(list);
  EXPECT_EQ(list->pod_resources(0).name(), "a");
  const auto old = Call<::v1alpha1::ListPodResourcesResponse>(
      [&](auto* context, auto* response) { return old_stub_->List(context, {}, response); });
  ASSERT_OK(old);
  EXPECT_EQ(old->pod_resources(0).containers(0).name(), "app");
  EXPECT_OK(Get("a"));
  EXPECT_OK(Call<::v1::AllocatableResourcesResponse>(
      [&](auto* context, auto* response) { return stub_->GetAllocatableResources(context, {}, response); }));
}

TEST_F(PodResourcesServerTest, APodThatIsNotThereIsAnErrorOfGo) {
  Start();
  EXPECT_THAT(Get("b"), StatusIs(absl::StatusCode::kUnknown, "pod b in namespace ns not found"));
}

TEST_F(PodResourcesServerTest, ATightLoopIsThrottledAndNotCounted) {
  Start();
  for (int i = 0; i < 10; ++i) EXPECT_OK(List());
  EXPECT_THAT(List(), StatusIs(absl::StatusCode::kResourceExhausted, "rejected by rate limit"));
  EXPECT_THAT(Get("a"), StatusIs(absl::StatusCode::kResourceExhausted, "rejected by rate limit"));
  clock_.Advance(absl::Milliseconds(10));
  EXPECT_OK(List());
  EXPECT_EQ(MetricValue(metrics_, "kubelet_pod_resources_endpoint_requests_total", {{"server_api_version", "v1"}}), 11);
}

TEST_F(PodResourcesServerTest, TheSocketIsTheOwnersAndItsFolderIsNotEverybodys) {
  Start();
  ASSERT_OK_AND_ASSIGN(const FileStat socket, files_.Stat(socket_path()));
  EXPECT_EQ(socket.mode, 0600);
  ASSERT_OK_AND_ASSIGN(const FileStat folder, files_.Stat(folder_.File("pod-resources")));
  EXPECT_EQ(folder.mode & 07027, 0);
}

TEST_F(PodResourcesServerTest, AfterTheShutdownThereIsNoSocket) {
  Start();
  server_->Shutdown();
  server_->Shutdown();
  EXPECT_THAT(files_.Stat(socket_path()), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(PodResourcesServerTest, AServerTakesThePlaceOfOneThatWasKilled) {
  Start();
  const std::unique_ptr<PodResourcesServer> killed = std::move(server_);
  Start();
  EXPECT_OK(List());
}

TEST_F(PodResourcesServerTest, AKubeletBeforeV1HasTheOldServiceAlone) {
  ASSERT_OK_AND_ASSIGN(const Personality* kubelet, ParsePersonality("1.19"));
  Start({.kubelet = kubelet});
  EXPECT_THAT(List(), StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_OK(Call<::v1alpha1::ListPodResourcesResponse>(
      [&](auto* context, auto* response) { return old_stub_->List(context, {}, response); }));
}

TEST_F(PodResourcesServerTest, AKubeletBeforeTheApiServesNothing) {
  ASSERT_OK_AND_ASSIGN(const Personality* kubelet, ParsePersonality("1.10"));
  Start({.kubelet = kubelet});
  EXPECT_EQ(server_, nullptr);
}

TEST_F(PodResourcesServerTest, AThousandPodsAreListedWhole) {
  source_.active.clear();
  for (int pod = 0; pod < 1000; ++pod) {
    const std::string name = absl::StrCat("pod-", pod);
    source_.active.push_back(FakePodResourcesSource::PodNamed(name, {{.name = "app"}}));
    deviceplugin::NodesPerDevice devices;
    for (int device = 0; device < 8; ++device) devices[absl::StrCat("device-", pod, "-", device)] = {device % 2};
    source_.devices[{name + "-uid", "app"}] = {{"example.com/device", devices}};
  }
  Start();
  const auto list = List();
  ASSERT_OK(list);
  EXPECT_EQ(list->pod_resources_size(), 1000);
  EXPECT_EQ(list->pod_resources(999).containers(0).devices_size(), 8);
}

}  // namespace
}  // namespace kubelet_cm::podresources
