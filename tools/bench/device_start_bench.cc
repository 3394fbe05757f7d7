// The start of the device manager on a state file of 10,000 entries, and the memory that it then takes; and the hints
// for a large machine.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <memory>
#include <string>
#include <vector>

#include "common/status/check.h"
#include "deviceplugin/topology/device_hints.h"
#include "tools/bench/device_bench_node.h"

namespace kubelet_cm {
namespace {

using deviceplugin::HintDevice;

void Start(benchmark::State& state) {
  DeviceBenchNode node(static_cast<size_t>(state.range(0)));
  for (auto _ : state) {
    std::unique_ptr<deviceplugin::DeviceManager> manager = node.NewManager();
    state.PauseTiming();
    manager.reset();
    state.ResumeTiming();
  }
}

double ResidentMegabytes(DeviceBenchNode& node) {
  malloc_trim(0);
  const std::string pages = node.ReadProcessFile("statm");
  // Its second number, in pages of 4 KiB.
  return std::stod(pages.substr(pages.find(' '))) * 4096 / 1e6;
}

// The time is of no interest here.
void Memory(benchmark::State& state) {
  DeviceBenchNode node(static_cast<size_t>(state.range(0)));
  for (auto _ : state) {
    const double before = ResidentMegabytes(node);
    const std::unique_ptr<deviceplugin::DeviceManager> manager = node.NewManager();
    const double after = ResidentMegabytes(node);
    state.counters["process_MB"] = after;
    state.counters["manager_MB"] = after - before;
  }
}

// 8 devices of 512 on 8 NUMA nodes, all of them free.
void Hints(benchmark::State& state) {
  constexpr int kNodes = 8;
  constexpr int kDevices = 512;
  std::vector<int> nodes;
  for (int node = 0; node < kNodes; ++node) nodes.push_back(node);
  std::vector<std::string> ids;
  for (size_t i = 0; i < kDevices; ++i) ids.push_back(BenchDeviceId(i));
  std::vector<HintDevice> devices;
  for (size_t i = 0; i < kDevices; ++i) {
    devices.push_back({.id = ids[i], .numa_nodes = absl::MakeConstSpan(&nodes[i % kNodes], 1)});
  }
  const deviceplugin::HintRequest request{.devices = devices, .machine_nodes = nodes, .requested = 8, .available = ids};
  for (auto _ : state) {
    const std::vector<TopologyHint> hints = GenerateDeviceHints(request);
    CHECK(hints.size() == 255) << hints.size();
  }
}

BENCHMARK(Start)
    ->Name("DeviceManager/Start")
    ->ArgName("entries")
    ->Arg(100)
    ->Arg(1'000)
    ->Arg(10'000)
    ->Arg(100'000)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(Memory)->Name("DeviceManager/Memory")->ArgName("entries")->Arg(100)->Arg(10'000)->Iterations(1);
BENCHMARK(Hints)->Name("DeviceManager/Hints")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace kubelet_cm
