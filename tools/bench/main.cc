// //tools/bench: the figures of docs/performance.md, with the machine's own speed measured in the same run.
//
//   ./bazelw run --config=release //tools/bench                              all
//   ./bazelw run --config=release //tools/bench -- --benchmark_filter=Dra    some
#include <benchmark/benchmark.h>

#include <iostream>

#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/unixsocket/short_temp_dir.h"
#include "tools/bench/machine_speed.h"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const kubelet_cm::RealClock clock;
  kubelet_cm::PosixFileSystem file_system;
  const kubelet_cm::ShortTempDir folder;
  const auto speed = kubelet_cm::MeasureMachine(clock, file_system, folder.path());
  if (!speed.ok()) {
    std::cerr << "cannot measure this machine: " << speed.status() << "\n";
    return 1;
  }
  benchmark::AddCustomContext("machine", speed->ToString());
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
