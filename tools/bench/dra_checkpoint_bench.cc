// The DRA manager's state file with claims of one device each: from nothing, read and verified, and after a change of
// one claim.
#include <benchmark/benchmark.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/status/check.h"
#include "dra/checkpoint/claim_codec.h"
#include "dra/checkpoint/dra_checkpoint_text.h"
#include "dra/checkpoint/dra_reading.h"
#include "tools/bench/allocation_counter.h"
#include "tools/bench/sample_claims.h"
#include "tools/bench/state_file_bench.h"

namespace kubelet_cm::dra {
namespace {

void EncodeFromNothing(benchmark::State& state) {
  const ClaimList claims = SampleClaims(Entries(state));
  const auto encode = [&] { return EncodeClaims(claims, DraFormat::k137); };
  size_t bytes = 0;
  ReportAllocations(state, CountAllocations([&] { bytes = encode().bytes.size(); }));
  for (auto _ : state) benchmark::DoNotOptimize(encode());
  ReportBytes(state, bytes);
}

void DecodeAndVerify(benchmark::State& state) {
  const std::string text = EncodeClaims(SampleClaims(Entries(state)), DraFormat::k137).bytes;
  const auto decode = [&] { CHECK(ReadDraCheckpoint(text).valid()); };
  ReportAllocations(state, CountAllocations(decode));
  for (auto _ : state) decode();
  ReportBytes(state, text.size());
}

// A state file that changes, all over it.
class Changing {
 public:
  explicit Changing(size_t claims) : claims_(claims), text_(DraFormat::k137) {
    for (size_t i = 0; i < claims; ++i) text_.Set(SampleClaim(i));
    Render();
  }
  void Replace() {
    ClaimState claim = SampleClaim(Next());
    claim.pod_uids->insert("another");
    text_.Set(claim);
  }
  void Add() { text_.Set(SampleClaim(claims_)); }
  void TakeBack() { CHECK(text_.Remove(ClaimKey(SampleClaim(claims_)))); }
  void Remove() { CHECK(text_.Remove(ClaimKey(SampleClaim(removed_ = Next())))); }
  void PutBack() { text_.Set(SampleClaim(removed_)); }
  void Render() { text_.Render(&out_); }
  const std::string& bytes() const { return out_; }

 private:
  size_t Next() { return (turn_++ * 7919) % claims_; }

  const size_t claims_;
  size_t turn_ = 0;
  size_t removed_ = 0;
  DraCheckpointText text_;
  std::string out_;
};

STATE_FILE_BENCHMARK(DraCheckpoint, EncodeFromNothing);
STATE_FILE_BENCHMARK(DraCheckpoint, DecodeAndVerify);
STATE_FILE_CHANGE_BENCHMARKS(DraCheckpoint, Changing);

}  // namespace
}  // namespace kubelet_cm::dra
