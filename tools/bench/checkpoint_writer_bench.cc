// CheckpointWriter on the real disk: how many durable changes a second from 1, 8 and 64 callers at once.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "checkpointmanager/checkpoint_manager.h"
#include "checkpointmanager/checkpoint_writer.h"
#include "checkpointmanager/numbered_state.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/random/real_random.h"
#include "common/status/check.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/short_temp_dir.h"

namespace kubelet_cm {
namespace {

constexpr int kChangesPerCaller = 20;

void DurableChanges(benchmark::State& state) {
  RealClock clock;
  RealThreads threads(clock);
  PosixFileSystem file_system;
  RealRandom random;
  const ShortTempDir folder;
  const auto manager = CheckpointManager::New(file_system, random, folder.path());
  CHECK(manager.ok());
  NumberedState numbered;
  CheckpointWriter writer(**manager, threads, numbered, {.key = "state"});
  const auto callers = static_cast<size_t>(state.range(0));
  for (auto _ : state) {
    std::vector<std::unique_ptr<Thread>> running;
    for (size_t i = 0; i < callers; ++i) {
      running.push_back(threads.Start("caller", [&] {
        for (int change = 0; change < kChangesPerCaller; ++change) CHECK(writer.WaitDurable(numbered.Change()).ok());
      }));
    }
    running.clear();
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
