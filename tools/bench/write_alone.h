// WriteAlone: what a CheckpointWriter asks of the system for one state, and nothing else; for what bounds a manager.
#ifndef KUBELET_CM_TOOLS_BENCH_WRITE_ALONE_H_
#define KUBELET_CM_TOOLS_BENCH_WRITE_ALONE_H_

#include <benchmark/benchmark.h>

#include <string>

#include "checkpointmanager/checkpoint_manager.h"
#include "tools/bench/bench_machine.h"
#include "tools/bench/must.h"

namespace kubelet_cm {

// The states differ in one place in the middle and at the end, where a checksum is.
inline void WriteAlone(benchmark::State& state, BenchMachine& machine, std::string bytes) {
  const auto manager = Must(CheckpointManager::New(machine.files, machine.random, machine.folder.path()));
  const auto file = Must(manager->Replaced("alone"));
  for (auto _ : state) {
    ++bytes[bytes.size() / 2];
    ++bytes.back();
    Must(manager->Write(*file, bytes));
  }
}

}  // namespace kubelet_cm

#endif  // KUBELET_CM_TOOLS_BENCH_WRITE_ALONE_H_
