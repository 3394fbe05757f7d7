// WriteAlone: what a CheckpointWriter asks of the system for one state, and nothing else; for what bounds a manager.
#ifndef KUBELET_CM_TOOLS_BENCH_WRITE_ALONE_H_
#define KUBELET_CM_TOOLS_BENCH_WRITE_ALONE_H_

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <utility>

#include "checkpointmanager/checkpoint_manager.h"
#include "common/filesystem/file_system.h"
#include "common/filesystem/late_close.h"
#include "tools/bench/bench_machine.h"
#include "tools/bench/must.h"

namespace kubelet_cm {

inline void WriteAlone(benchmark::State& state, BenchMachine& machine, const std::string& bytes) {
  const auto manager = Must(CheckpointManager::New(machine.files, machine.random, machine.folder.path()));
  LateClose late_close(machine.threads);
  for (auto _ : state) {
    // As a CheckpointWriter does with large files.
    std::unique_ptr<File> replaced = bytes.size() >= 64 << 10 ? manager->Hold("alone") : nullptr;
    Must(manager->Write("alone", bytes));
    if (replaced != nullptr) late_close.Close(std::move(replaced));
  }
}

}  // namespace kubelet_cm

#endif  // KUBELET_CM_TOOLS_BENCH_WRITE_ALONE_H_
