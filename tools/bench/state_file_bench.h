// What the measurements of both state files have in common: their sizes, the new bytes after one entry was replaced,
// added or removed, and a copy of as many bytes beside them, which is their limit.
//
//   class Checkpoint { explicit Checkpoint(size_t entries); Replace(); Add(); TakeBack(); Remove(); PutBack();
//                      Render(); const std::string& bytes() const; };
//   STATE_FILE_BENCHMARK(DeviceCheckpoint, EncodeFromNothing);
//   STATE_FILE_CHANGE_BENCHMARKS(DeviceCheckpoint, Checkpoint);
#ifndef KUBELET_CM_TOOLS_BENCH_STATE_FILE_BENCH_H_
#define KUBELET_CM_TOOLS_BENCH_STATE_FILE_BENCH_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "tools/bench/allocation_counter.h"

namespace kubelet_cm {

inline size_t Entries(const benchmark::State& state) { return static_cast<size_t>(state.range(0)); }

inline void ReportAllocations(benchmark::State& state, const Allocations& allocations) {
  state.counters["allocs"] = static_cast<double>(allocations.count);
  state.counters["alloc_bytes"] = static_cast<double>(allocations.bytes);
}

inline void ReportBytes(benchmark::State& state, size_t bytes) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
}

template <typename Checkpoint>
void AfterReplacingOne(benchmark::State& state) {
  Checkpoint checkpoint(Entries(state));
  const auto change = [&] {
    checkpoint.Replace();
    checkpoint.Render();
  };
  change();  // the text may grow, once
  ReportAllocations(state, CountAllocations(change));
  for (auto _ : state) change();
  ReportBytes(state, checkpoint.bytes().size());
}

// What one iteration changes is put back outside of the measured time, so that the size stays.
template <typename Checkpoint>
void AfterAddingOne(benchmark::State& state) {
  Checkpoint checkpoint(Entries(state));
  const auto add = [&] {
    checkpoint.Add();
    checkpoint.Render();
  };
  const auto undo = [&] {
    checkpoint.TakeBack();
    checkpoint.Render();
  };
  add();  // the text grows, once
  undo();
  ReportAllocations(state, CountAllocations(add));
  undo();
  for (auto _ : state) {
    add();
    state.PauseTiming();
    undo();
    state.ResumeTiming();
  }
}

template <typename Checkpoint>
void AfterRemovingOne(benchmark::State& state) {
  Checkpoint checkpoint(Entries(state));
  const auto remove = [&] {
    checkpoint.Remove();
    checkpoint.Render();
  };
  const auto undo = [&] {
    checkpoint.PutBack();
    checkpoint.Render();
  };
  ReportAllocations(state, CountAllocations(remove));
  undo();
  for (auto _ : state) {
    remove();
    state.PauseTiming();
    undo();
    state.ResumeTiming();
  }
}

// One memcpy of the whole file into memory that is there.
template <typename Checkpoint>
void CopyOfTheBytes(benchmark::State& state) {
  const std::string bytes = Checkpoint(Entries(state)).bytes();
  std::string copy = bytes;
  for (auto _ : state) {
    copy.assign(bytes);
    benchmark::DoNotOptimize(copy.data());
    benchmark::ClobberMemory();
  }
  ReportBytes(state, bytes.size());
}

#define STATE_FILE_BENCHMARK(room, function) \
  BENCHMARK(function)                        \
      ->Name(#room "/" #function)            \
      ->RangeMultiplier(10)                  \
      ->Range(100, 100'000)                  \
      ->Unit(benchmark::kMillisecond)

#define STATE_FILE_BENCHMARK_OF(room, function, checkpoint) \
  BENCHMARK_TEMPLATE(function, checkpoint)                  \
      ->Name(#room "/" #function)                           \
      ->RangeMultiplier(10)                                 \
      ->Range(100, 100'000)                                 \
      ->Unit(benchmark::kMillisecond)

// All of the above.
#define STATE_FILE_CHANGE_BENCHMARKS(room, checkpoint)          \
  STATE_FILE_BENCHMARK_OF(room, AfterReplacingOne, checkpoint); \
  STATE_FILE_BENCHMARK_OF(room, AfterAddingOne, checkpoint);    \
  STATE_FILE_BENCHMARK_OF(room, AfterRemovingOne, checkpoint);  \
  STATE_FILE_BENCHMARK_OF(room, CopyOfTheBytes, checkpoint)

}  // namespace kubelet_cm

#endif  // KUBELET_CM_TOOLS_BENCH_STATE_FILE_BENCH_H_
