// CheckpointWriter on the real disk: how many durable changes a second from 1, 8 and 64 callers at once.
#include <benchmark/benchmark.h>

#include <cstddef>

#include "checkpointmanager/checkpoint_manager.h"
#include "checkpointmanager/checkpoint_writer.h"
#include "checkpointmanager/numbered_state.h"
#include "testing/harness/real_machine.h"
#include "tools/bench/callers_at_once.h"
#include "tools/bench/must.h"

namespace kubelet_cm {
namespace {

constexpr int kChangesPerCaller = 20;

void DurableChanges(benchmark::State& state) {
  harness::RealMachine machine;
  const auto manager = Must(CheckpointManager::New(machine.files, machine.random, machine.folder.path()));
  NumberedState numbered;
  CheckpointWriter writer(*manager, machine.threads, numbered, {.key = "state"});
  const auto callers = static_cast<size_t>(state.range(0));
  for (auto _ : state) {
    CallersAtOnce(machine.threads, callers, [&](size_t /*caller*/) {
      for (int change = 0; change < kChangesPerCaller; ++change) Must(writer.WaitDurable(numbered.Change()));
    });
  }
  const CheckpointWriterCounts counts = writer.counts();
  state.SetItemsProcessed(static_cast<int64_t>(numbered.number()));
  state.counters["changes_per_write"] = static_cast<double>(numbered.number()) / static_cast<double>(counts.writes);
}

BENCHMARK(DurableChanges)
    ->Name("CheckpointWriter/DurableChanges")
    ->ArgName("callers")
    ->Arg(1)
    ->Arg(8)
    ->Arg(64)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kubelet_cm
