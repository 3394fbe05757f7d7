// The DRA manager's state file with claims of one device each: from nothing, read and verified, and after a change of
// one claim.
#include <benchmark/benchmark.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "common/status/check.h"
#include "dra/checkpoint/claim_codec.h"
#include "dra/checkpoint/dra_checkpoint_text.h"
#include "dra/checkpoint/dra_reading.h"
#include "tools/bench/allocation_counter.h"

namespace kubelet_cm {
namespace {

using dra::ClaimDevice;
using dra::ClaimList;
using dra::ClaimState;

dra::StringList Strings(std::vector<std::string> strings) {
  dra::StringList list;
  list.Set(std::move(strings));
  return list;
}

ClaimState SampleClaim(size_t number) {
  ClaimState claim;
  claim.claim_uid = absl::StrFormat("6f9619ff-8b86-d011-b42d-%012d", number);
  claim.claim_name = absl::StrFormat("inference-%06d-gpu", number);
  claim.claim_namespace = "workloads";
  claim.pod_uids.emplace({absl::StrFormat("0e984725-c51c-4bf4-9960-%012d", number)});
  ClaimDevice device;
  device.pool_name = "node-17";
  device.device_name = absl::StrFormat("gpu-%d", number % 8);
  device.request_names = Strings({"gpu"});
  device.cdi_device_ids = Strings({absl::StrFormat("k8s.gpu.example.com/claim=%06d-gpu-%d", number, number % 8)});
  dra::DriverState driver;
  driver.devices.Set({std::move(device)});
  claim.driver_state.emplace({std::pair<const std::string, dra::DriverState>("gpu.example.com", std::move(driver))});
  return claim;
}

ClaimList SampleClaims(size_t count) {
  std::vector<ClaimState> claims;
  for (size_t i = 0; i < count; ++i) claims.push_back(SampleClaim(i));
  ClaimList list;
  list.Set(std::move(claims));
  return list;
}

size_t Claims(const benchmark::State& state) { return static_cast<size_t>(state.range(0)); }

void ReportAllocations(benchmark::State& state, const Allocations& allocations) {
  state.counters["allocs"] = static_cast<double>(allocations.count);
  state.counters["alloc_bytes"] = static_cast<double>(allocations.bytes);
}

void EncodeFromNothing(benchmark::State& state) {
  const ClaimList claims = SampleClaims(Claims(state));
  const auto encode = [&] { return dra::EncodeClaims(claims, DraFormat::k137); };
  size_t bytes = 0;
  ReportAllocations(state, CountAllocations([&] { bytes = encode().bytes.size(); }));
  for (auto _ : state) benchmark::DoNotOptimize(encode());
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
}

void DecodeAndVerify(benchmark::State& state) {
  const std::string text = dra::EncodeClaims(SampleClaims(Claims(state)), DraFormat::k137).bytes;
  const auto decode = [&] { CHECK(dra::ReadDraCheckpoint(text).valid()); };
  ReportAllocations(state, CountAllocations(decode));
  for (auto _ : state) decode();
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}

// Claims of a state file that changes, picked all over it.
class Changing {
 public:
  explicit Changing(size_t claims) : claims_(claims), text_(DraFormat::k137) {
    for (size_t i = 0; i < claims; ++i) text_.Set(SampleClaim(i));
    Render();
  }
  void Replace() {
    ClaimState claim = SampleClaim((turn_++ * 7919) % claims_);
    claim.pod_uids->insert("another");
    text_.Set(claim);
  }
  void Add() { text_.Set(SampleClaim(claims_)); }
  void TakeBack() { CHECK(text_.Remove(ClaimKey(SampleClaim(claims_)))); }
  void Render() { text_.Render(&out_); }

 private:
  const size_t claims_;
  size_t turn_ = 0;
  dra::DraCheckpointText text_;
  std::string out_;
};

void AfterReplacingOne(benchmark::State& state) {
  Changing checkpoint(Claims(state));
  const auto change = [&] {
    checkpoint.Replace();
    checkpoint.Render();
  };
  ReportAllocations(state, CountAllocations(change));
  for (auto _ : state) change();
}

void AfterAddingOne(benchmark::State& state) {
  Changing checkpoint(Claims(state));
  for (auto _ : state) {
    checkpoint.Add();
    checkpoint.Render();
    state.PauseTiming();
    checkpoint.TakeBack();
    checkpoint.Render();
    state.ResumeTiming();
  }
}

void AfterRemovingOne(benchmark::State& state) {
  Changing checkpoint(Claims(state));
  for (auto _ : state) {
    state.PauseTiming();
    checkpoint.Add();
    checkpoint.Render();
    state.ResumeTiming();
    checkpoint.TakeBack();
    checkpoint.Render();
  }
}

#define DRA_BENCHMARK(function)          \
  BENCHMARK(function)                    \
      ->Name("DraCheckpoint/" #function) \
      ->RangeMultiplier(10)              \
      ->Range(100, 100'000)              \
      ->Unit(benchmark::kMillisecond)

DRA_BENCHMARK(EncodeFromNothing);
DRA_BENCHMARK(DecodeAndVerify);
DRA_BENCHMARK(AfterReplacingOne);
DRA_BENCHMARK(AfterAddingOne);
DRA_BENCHMARK(AfterRemovingOne);

}  // namespace
}  // namespace kubelet_cm
