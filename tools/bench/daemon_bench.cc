// The daemon as a whole, on a real folder with real sockets: how long a start takes until everything is served, and how
// fast a watcher of the control API hears of events.
#include <benchmark/benchmark.h>
#include <grpcpp/client_context.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "checkpointmanager/checkpoint_manager.h"
#include "common/filesystem/file_functions.h"
#include "common/status/check.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/sample_content.h"
#include "deviceplugin/device_restore.h"
#include "kubelet_cm/api/control.grpc.pb.h"
#include "testing/harness/daemon_node.h"
#include "testing/harness/process_node.h"
#include "tools/bench/must.h"

namespace kubelet_cm {
namespace {

namespace v1 = ::kubeletcm::v1;

constexpr size_t kMaxStatmBytes = 4096;

// The state file of a kubelet: so many entries of 8 devices, which as many pods share as there are; each entry is a
// container's.
void WriteDevices(harness::ProcessNode& node, size_t entries, size_t pods) {
  deviceplugin::DeviceContent content = deviceplugin::SampleContent(entries);
  const size_t containers = entries / pods;
  for (size_t i = 0; i < entries; ++i) {
    deviceplugin::DeviceEntry& entry = (*content.entries)[i];
    entry.pod_uid = deviceplugin::SampleEntry(i / containers).pod_uid;
    entry.container_name = absl::StrFormat("container-%03d", i % containers);
  }
  const auto manager =
      Must(CheckpointManager::New(node.machine.files, node.machine.random, node.paths().device_plugins));
  Must(manager->Write(deviceplugin::kDeviceCheckpointKey, EncodeDevices(content, deviceplugin::DeviceLayout::kV2)));
}

double ResidentMegabytes(harness::ProcessNode& node) {
  const std::string pages =
      Must(ReadFile(node.machine.files, absl::StrCat("/proc/", node.pid(), "/statm"), kMaxStatmBytes));
  // Its second number, in pages of 4 KiB.
  return std::stod(pages.substr(pages.find(' '))) * 4096 / 1e6;
}

// The program, from its launch until it says that it is ready, as a restart after a kill finds the node: every pod is
// known and remembered.
void StartToReady(benchmark::State& state) {
  harness::ProcessNode node;
  if (state.range(0) > 0) WriteDevices(node, static_cast<size_t>(state.range(0)), static_cast<size_t>(state.range(1)));
  CHECK(node.Start() && node.Kill());
  for (auto _ : state) {
    CHECK(node.Start());
    state.SetIterationTime(absl::ToDoubleSeconds(node.start_took()));
    state.counters["resident_MB"] = ResidentMegabytes(node);
    CHECK(node.Kill());
  }
}

void WatchEvents(benchmark::State& state) {
  constexpr int kBurst = 1'000;
  harness::DaemonNode node;
  Must(node.Start());
  grpc::ClientContext context;
  v1::WatchRequest request;
  request.add_kinds(std::string(event_kind::kDevicesChanged));
  const auto stream = node.control().Watch(&context, request);
  stream->WaitForInitialMetadata();
  for (auto _ : state) {
    for (int i = 0; i < kBurst; ++i) {
      node.daemon().events().Record({.kind = event_kind::kDevicesChanged,
                                     .subject = "example.com/gpu",
                                     .message = "1 of 8 devices changed",
                                     .details = {{"device", absl::StrCat("gpu-", i)}, {"health", "Unhealthy"}}});
    }
    v1::Event event;
    for (int i = 0; i < kBurst; ++i) CHECK(stream->Read(&event) && event.lost() == 0);
  }
  state.counters["events_per_s"] =
      benchmark::Counter(static_cast<double>(state.iterations() * kBurst), benchmark::Counter::kIsRate);
  context.TryCancel();
}

BENCHMARK(StartToReady)
    ->Name("Daemon/StartToReady")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->ArgNames({"entries", "pods"})
    ->Args({0, 0})
    ->Args({100, 100})
    ->Args({1'000, 1'000})
    ->Args({10'000, 1'000})
    ->Args({10'000, 10'000});
BENCHMARK(WatchEvents)->Name("Daemon/WatchEvents")->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kubelet_cm
