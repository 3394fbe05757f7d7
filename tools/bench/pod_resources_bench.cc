// The podresources API: a List over its socket, of pods with 8 devices each that the device manager holds, and what it
// is made of: the messages, the manager's part of them, and the trip of that many bytes.
#include <benchmark/benchmark.h>
#include <google/protobuf/arena.h>
#include <grpcpp/client_context.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/metrics/registry.h"
#include "common/status/check.h"
#include "common/unixsocket/channel.h"
#include "deviceplugin/checkpoint/sample_content.h"
#include "kubelet_cm/podresources/api/v1.grpc.pb.h"
#include "kubelet_cm/podresources/pod_resources_lister.h"
#include "kubelet_cm/podresources/pod_resources_server.h"
#include "tools/bench/device_bench_node.h"
#include "tools/bench/must.h"

namespace kubelet_cm {
namespace {

// The pods of the node's state file, which have no claims.
class BenchSource : public podresources::PodResourcesSource {
 public:
  BenchSource(deviceplugin::DeviceManager& manager, size_t pods) : manager_(manager) {
    for (size_t i = 0; i < pods; ++i) {
      const deviceplugin::DeviceEntry entry = deviceplugin::SampleEntry(i);
      pods_.push_back(std::make_shared<const Pod>(Pod{.uid = entry.pod_uid,
                                                      .namespace_name = "default",
                                                      .name = absl::StrCat("pod-", i),
                                                      .containers = {{.name = entry.container_name}}}));
    }
  }
  Pods ActivePods() const override { return pods_; }
  Pods AllPods() const override { return pods_; }
  void CollectLeftovers() override { manager_.CollectLeftovers(); }
  deviceplugin::HeldDevices DevicesOf(const Pod& pod, const Container& container) override {
    return manager_.ContainerDevices(pod.uid, container.name);
  }
  deviceplugin::HeldDevices AllocatableDevices() const override { return manager_.AllocatableDevices(); }
  absl::StatusOr<std::vector<dra::ContainerClaimInfo>> ClaimsOf(const Pod&, const Container&) const override {
    return std::vector<dra::ContainerClaimInfo>();
  }

 private:
  deviceplugin::DeviceManager& manager_;
  Pods pods_;
};

size_t Pods(const benchmark::State& state) { return static_cast<size_t>(state.range(0)); }

void List(benchmark::State& state) {
  DeviceBenchNode node(Pods(state));
  const std::unique_ptr<deviceplugin::DeviceManager> manager = node.NewManager();
  BenchSource source(*manager, Pods(state));
  MetricsRegistry metrics;
  const std::string path = node.machine().folder.File("pod-resources/kubelet.sock");
  const auto server = Must(podresources::PodResourcesServer::New({.files = node.machine().files,
                                                                  .clock = node.machine().clock,
                                                                  .log = node.machine().log,
                                                                  .metrics = metrics,
                                                                  .source = source},
                                                                 {.socket_path = path, .calls = {.per_second = 0}}));
  const auto stub = v1::PodResourcesLister::NewStub(Must(DialUnixSocket(path, {.max_receive_bytes = 64 << 20})));
  size_t bytes = 0;
  for (auto _ : state) {
    grpc::ClientContext context;
    google::protobuf::Arena arena;
    auto* const response = google::protobuf::Arena::CreateMessage<v1::ListPodResourcesResponse>(&arena);
    CHECK(stub->List(&context, {}, response).ok());
    CHECK(response->pod_resources_size() == state.range(0));
    state.PauseTiming();
    bytes = response->ByteSizeLong();
    state.ResumeTiming();
  }
  state.counters["bytes"] = static_cast<double>(bytes);
}

// Without the socket.
void MessageAlone(benchmark::State& state) {
  DeviceBenchNode node(Pods(state));
  const std::unique_ptr<deviceplugin::DeviceManager> manager = node.NewManager();
  BenchSource source(*manager, Pods(state));
  MetricsRegistry registry;
  podresources::PodResourcesMetrics metrics(registry);
  podresources::PodResourcesLister lister({.source = source, .metrics = metrics, .log = node.machine().log}, {});
  for (auto _ : state) {
    google::protobuf::Arena arena;
    auto* const response = google::protobuf::Arena::CreateMessage<v1::ListPodResourcesResponse>(&arena);
    lister.List(response);
    benchmark::DoNotOptimize(response);
  }
}

void DevicesAlone(benchmark::State& state) {
  DeviceBenchNode node(Pods(state));
  const std::unique_ptr<deviceplugin::DeviceManager> manager = node.NewManager();
  BenchSource source(*manager, Pods(state));
  for (auto _ : state) {
    for (const auto& pod : source.ActivePods()) {
      benchmark::DoNotOptimize(source.DevicesOf(*pod, pod->containers.front()));
    }
  }
}

#define POD_RESOURCES_BENCHMARK(function) \
  BENCHMARK(function)->Name("PodResources/" #function)->UseRealTime()->Unit(benchmark::kMillisecond)

POD_RESOURCES_BENCHMARK(List)->ArgName("pods")->Arg(0)->Arg(1'000);
POD_RESOURCES_BENCHMARK(MessageAlone)->ArgName("pods")->Arg(1'000);
POD_RESOURCES_BENCHMARK(DevicesAlone)->ArgName("pods")->Arg(1'000);

}  // namespace
}  // namespace kubelet_cm
