// The DRA manager at work, over real sockets and on the real disk: prepares and unprepares with what bounds them (the
// call to the driver and the durable writes, each alone), and its start.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "dra/checkpoint/claim_codec.h"
#include "tools/bench/callers_at_once.h"
#include "tools/bench/dra_bench_node.h"
#include "tools/bench/must.h"
#include "tools/bench/sample_claims.h"
#include "tools/bench/write_alone.h"

namespace kubelet_cm {
namespace {

constexpr size_t kPodsPerCaller = 4;

size_t Claims(const benchmark::State& state) { return static_cast<size_t>(state.range(0)); }

// Prepares and unprepares a pod, of which one is measured.
enum class Measured { kPrepare, kUnprepare };

void Turns(benchmark::State& state, DraBenchNode& node, size_t claims, Measured measured) {
  for (auto _ : state) {
    state.PauseTiming();
    const Pod pod = node.NewPod(claims);
    if (measured == Measured::kPrepare) state.ResumeTiming();
    node.Prepare(pod);
    measured == Measured::kPrepare ? state.PauseTiming() : state.ResumeTiming();
    node.Unprepare(pod);
    if (measured == Measured::kPrepare) state.ResumeTiming();
  }
}

// A pod with one claim, where so many are prepared already.
void PrepareOneClaim(benchmark::State& state) {
  DraBenchNode node(Claims(state));
  node.StartStack(1);
  Turns(state, node, 1, Measured::kPrepare);
}
void UnprepareOneClaim(benchmark::State& state) {
  DraBenchNode node(Claims(state));
  node.StartStack(1);
  Turns(state, node, 1, Measured::kUnprepare);
}

void PrepareEightClaimsOfFourDrivers(benchmark::State& state) {
  DraBenchNode node(Claims(state));
  node.StartStack(4);
  Turns(state, node, 8, Measured::kPrepare);
}

// What bounds a prepare: one call to the driver, ...
void PrepareCallAlone(benchmark::State& state) {
  DraBenchNode node(0);
  node.StartStack(1);
  const auto client = Must(node.stack().drivers().Find("gpu-0.example.com"));
  const std::vector<dra::ClaimRef> claims = {{.id = {"ns", "claim", "uid"}}};
  for (auto _ : state) Must(client->Prepare(claims, absl::Seconds(10)));
}

// ... and two durable writes of a file with as many claims; this is one.
void DurableWriteAlone(benchmark::State& state) {
  DraBenchNode node(0);
  WriteAlone(state, node.machine(), EncodeClaims(dra::SampleClaims(Claims(state) + 1), DraFormat::k137).bytes);
}

// Pods with a claim each, from so many callers.
void PreparesAtOnce(benchmark::State& state) {
  const auto callers = static_cast<size_t>(state.range(0));
  DraBenchNode node(0);
  node.StartStack(1);
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<Pod> pods;
    for (size_t i = 0; i < callers * kPodsPerCaller; ++i) pods.push_back(node.NewPod(1));
    state.ResumeTiming();
    CallersAtOnce(node.machine().threads, callers, [&](size_t caller) {
      for (size_t i = 0; i < kPodsPerCaller; ++i) node.Prepare(pods[caller * kPodsPerCaller + i]);
    });
    state.PauseTiming();
    for (const Pod& pod : pods) node.Unprepare(pod);
    state.ResumeTiming();
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * callers * kPodsPerCaller));
}

void Start(benchmark::State& state) {
  DraBenchNode node(Claims(state));
  for (auto _ : state) {
    std::unique_ptr<dra::DraManager> manager = node.NewManager();
    state.PauseTiming();
    manager.reset();
    state.ResumeTiming();
  }
}

#define DRA_MANAGER_BENCHMARK(function) \
  BENCHMARK(function)->Name("DraManager/" #function)->UseRealTime()->Unit(benchmark::kMillisecond)
#define DRA_MANAGER_BENCHMARK_BY_CLAIMS(function) \
  DRA_MANAGER_BENCHMARK(function)->ArgName("claims")->Arg(0)->Arg(1'000)->Arg(10'000)

DRA_MANAGER_BENCHMARK_BY_CLAIMS(PrepareOneClaim)->Iterations(100);
DRA_MANAGER_BENCHMARK_BY_CLAIMS(UnprepareOneClaim)->Iterations(100);
DRA_MANAGER_BENCHMARK(PrepareEightClaimsOfFourDrivers)->ArgName("claims")->Arg(0)->Arg(1'000)->Iterations(100);
DRA_MANAGER_BENCHMARK(PrepareCallAlone);
DRA_MANAGER_BENCHMARK_BY_CLAIMS(DurableWriteAlone);
DRA_MANAGER_BENCHMARK(PreparesAtOnce)->ArgName("callers")->Arg(1)->Arg(8)->Arg(64);
DRA_MANAGER_BENCHMARK(Start)->ArgName("claims")->Arg(1'000)->Arg(10'000)->Arg(100'000);

}  // namespace
}  // namespace kubelet_cm
