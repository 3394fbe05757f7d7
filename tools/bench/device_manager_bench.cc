// The device manager at work, over real sockets and on the real disk: admissions with what bounds them (the call to the
// plugin and the durable write, each alone), and what it makes of a plugin's lists.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/sample_content.h"
#include "deviceplugin/endpoint/connect_plugin.h"
#include "tools/bench/callers_at_once.h"
#include "tools/bench/device_bench_node.h"
#include "tools/bench/must.h"
#include "tools/bench/write_alone.h"

namespace kubelet_cm {
namespace {

using deviceplugin::PluginApi;
using deviceplugin::PluginClient;

constexpr size_t kFreeDevices = 64;
constexpr size_t kListedDevices = 10'000;
constexpr size_t kAdmissionsPerCaller = 20;

size_t Pods(const benchmark::State& state) { return static_cast<size_t>(state.range(0)); }

// A pod with one device, of a resource whose other devices the pods before it hold.
void AdmitOneDevice(benchmark::State& state) {
  DeviceBenchNode node(Pods(state));
  node.StartStack();
  node.RunPlugin(Pods(state) * DeviceBenchNode::kDevicesPerPod + kFreeDevices);
  // The first write after a start makes what later ones use.
  const Pod first = node.NewPod();
  node.Admit(first);
  node.Remove({first});
  for (auto _ : state) {
    state.PauseTiming();
    const Pod pod = node.NewPod();
    state.ResumeTiming();
    node.Admit(pod);
    state.PauseTiming();
    node.Remove({pod});
    state.ResumeTiming();
  }
}

// The same, where 10,000 devices are free to be chosen from.
void AdmitOneOfManyFree(benchmark::State& state) {
  DeviceBenchNode node(0);
  node.StartStack();
  node.RunPlugin(kListedDevices);
  for (auto _ : state) {
    state.PauseTiming();
    const Pod pod = node.NewPod();
    state.ResumeTiming();
    node.Admit(pod);
    state.PauseTiming();
    node.Remove({pod});
    state.ResumeTiming();
  }
}

// What bounds an admission: one call to the plugin, ...
void AllocateCallAlone(benchmark::State& state) {
  DeviceBenchNode node(0);
  node.StartStack();
  node.RunPlugin(kFreeDevices);
  const std::unique_ptr<PluginClient> client = Must(ConnectPlugin(
      {.files = node.machine().files, .log = node.machine().log}, node.plugin().socket_path(), PluginApi::kV1Beta1));
  const std::vector<std::string> ids = {BenchDeviceId(0)};
  for (auto _ : state) Must(client->Allocate(ids, absl::Seconds(10)));
}

// ... and one durable write of a file with as many pods.
void DurableWriteAlone(benchmark::State& state) {
  DeviceBenchNode node(0);
  WriteAlone(state, node.machine(),
             EncodeDevices(deviceplugin::SampleContent(Pods(state) + 1), deviceplugin::DeviceLayout::kV2));
}

// Pods of their own from each caller.
void AdmissionsAtOnce(benchmark::State& state) {
  const auto callers = static_cast<size_t>(state.range(0));
  DeviceBenchNode node(0);
  node.StartStack();
  node.RunPlugin(callers * kAdmissionsPerCaller + kFreeDevices);
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<Pod> pods;
    for (size_t i = 0; i < callers * kAdmissionsPerCaller; ++i) pods.push_back(node.NewPod());
    state.ResumeTiming();
    CallersAtOnce(node.machine().threads, callers, [&](size_t caller) {
      for (size_t i = 0; i < kAdmissionsPerCaller; ++i) node.Admit(pods[caller * kAdmissionsPerCaller + i]);
    });
    state.PauseTiming();
    node.Remove(pods);
    state.ResumeTiming();
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * callers * kAdmissionsPerCaller));
}

// From the plugin's list of new devices, where there were none, to the node's capacity. The pods hold some of them.
void ListOfNewDevices(benchmark::State& state) {
  DeviceBenchNode node(Pods(state));
  node.StartStack();
  node.RunPlugin(1);
  for (auto _ : state) {
    state.PauseTiming();
    node.plugin().SetDevices({});
    node.AwaitCapacity(0, 0);
    node.Flush();
    v1beta1::ListAndWatchResponse devices = BenchDevices(kListedDevices);
    state.ResumeTiming();
    node.plugin().SetDevices(std::move(devices));
    node.AwaitCapacity(kListedDevices, kListedDevices);
  }
}

// One of them turns unhealthy, and back: the plugin sends the whole list each time.
void OneChangedDevice(benchmark::State& state) {
  DeviceBenchNode node(Pods(state));
  node.StartStack();
  node.RunPlugin(kListedDevices);
  bool healthy = true;
  for (auto _ : state) {
    healthy = !healthy;
    Must(node.plugin().SetHealth(BenchDeviceId(kListedDevices / 2), healthy ? "Healthy" : "Unhealthy"));
    node.AwaitCapacity(kListedDevices, static_cast<int64_t>(kListedDevices) - (healthy ? 0 : 1));
    state.PauseTiming();
    node.Flush();
    state.ResumeTiming();
  }
}

#define DEVICE_MANAGER_BENCHMARK(function) \
  BENCHMARK(function)->Name("DeviceManager/" #function)->UseRealTime()->Unit(benchmark::kMillisecond)

DEVICE_MANAGER_BENCHMARK(AdmitOneDevice)->ArgName("pods")->Arg(0)->Arg(1'000)->Arg(5'000)->Iterations(100);
DEVICE_MANAGER_BENCHMARK(AdmitOneOfManyFree)->Iterations(100);
DEVICE_MANAGER_BENCHMARK(AllocateCallAlone);
DEVICE_MANAGER_BENCHMARK(DurableWriteAlone)->ArgName("pods")->Arg(0)->Arg(1'000)->Arg(5'000);
DEVICE_MANAGER_BENCHMARK(AdmissionsAtOnce)->ArgName("callers")->Arg(1)->Arg(8)->Arg(64);
DEVICE_MANAGER_BENCHMARK(ListOfNewDevices)->ArgName("pods")->Arg(0)->Arg(1'000)->Iterations(20);
DEVICE_MANAGER_BENCHMARK(OneChangedDevice)->ArgName("pods")->Arg(0)->Arg(1'000)->Iterations(20);

}  // namespace
}  // namespace kubelet_cm
