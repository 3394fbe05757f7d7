// The checksums alone, on 10 MiB: what bounds the rest.
#include <benchmark/benchmark.h>

#include <string>

#include "checkpointmanager/checksum/crc32.h"
#include "checkpointmanager/checksum/fnv1a.h"

namespace kubelet_cm {
namespace {

const std::string& Text() {
  static const std::string* const kText = new std::string(size_t{10} << 20, 'x');
  return *kText;
}

void Fnv(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Fnv1a(Text()));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * Text().size()));
}
BENCHMARK(Fnv)->Name("Checksum/Fnv1a")->Unit(benchmark::kMillisecond);

void Crc(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Crc32(Text()));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * Text().size()));
}
BENCHMARK(Crc)->Name("Checksum/Crc32")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kubelet_cm
