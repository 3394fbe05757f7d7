// The device checkpoint of DESIGN's shape (8 devices on 2 NUMA nodes an entry): from nothing, read and verified, and
// after a change of one entry.
#include <benchmark/benchmark.h>

#include <string>

#include "common/status/check.h"
#include "deviceplugin/checkpoint/device_checkpoint_text.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/device_reader.h"
#include "deviceplugin/checkpoint/sample_content.h"
#include "tools/bench/allocation_counter.h"

namespace kubelet_cm::deviceplugin {
namespace {

size_t Entries(const benchmark::State& state) { return static_cast<size_t>(state.range(0)); }

void ReportAllocations(benchmark::State& state, const Allocations& allocations) {
  state.counters["allocs"] = static_cast<double>(allocations.count);
  state.counters["alloc_bytes"] = static_cast<double>(allocations.bytes);
}

void EncodeFromNothing(benchmark::State& state) {
  const DeviceContent content = SampleContent(Entries(state));
  const auto encode = [&] { return EncodeDevices(content, DeviceLayout::kV2); };
  size_t bytes = 0;
  ReportAllocations(state, CountAllocations([&] { bytes = encode().size(); }));
  for (auto _ : state) benchmark::DoNotOptimize(encode());
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
}

void DecodeAndVerify(benchmark::State& state) {
  const std::string text = EncodeDevices(SampleContent(Entries(state)), DeviceLayout::kV2);
  const auto decode = [&] {
    const DeviceFile file = ReadDevices(text);
    CHECK(file.valid());
  };
  ReportAllocations(state, CountAllocations(decode));
  for (auto _ : state) decode();
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}

// Entries of a checkpoint that changes, picked all over it.
class Changing {
 public:
  explicit Changing(size_t entries) : entries_(entries), text_(SampleContent(entries)) { Render(); }

  void Replace() {
    DeviceEntry entry = SampleEntry(Next());
    entry.alloc_response = std::string(16 + turn_ % 32, 'r');
    text_.Set(std::move(entry));
  }
  void Add() { text_.Set(SampleEntry(entries_)); }
  void TakeBack() { CHECK(text_.Remove(KeyOf(SampleEntry(entries_)))); }
  void Remove() {
    const DeviceEntry entry = SampleEntry(removed_ = Next());
    CHECK(text_.Remove(KeyOf(entry)));
  }
  void PutBack() { text_.Set(SampleEntry(removed_)); }
  void Render() { text_.Render(&out_); }
  size_t bytes() const { return out_.size(); }

 private:
  size_t Next() { return (turn_++ * 7919) % entries_; }

  const size_t entries_;
  size_t turn_ = 0;
  size_t removed_ = 0;
  DeviceCheckpointText text_;
  std::string out_;
};

// After a start the first changes read more, until enough is known of what does not change.
constexpr int kWarmUp = 400;

void AfterReplacingOne(benchmark::State& state) {
  Changing checkpoint(Entries(state));
  const auto change = [&] {
    checkpoint.Replace();
    checkpoint.Render();
  };
  for (int i = 0; i < kWarmUp; ++i) change();
  ReportAllocations(state, CountAllocations(change));
  for (auto _ : state) change();
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * checkpoint.bytes()));
}

// What one iteration changes is put back outside of the measured time, so that the size stays.
void AfterAddingOne(benchmark::State& state) {
  Changing checkpoint(Entries(state));
  for (int i = 0; i < kWarmUp; ++i) {
    checkpoint.Replace();
    checkpoint.Render();
  }
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
  Changing checkpoint(Entries(state));
  for (int i = 0; i < kWarmUp; ++i) {
    checkpoint.Replace();
    checkpoint.Render();
  }
  for (auto _ : state) {
    checkpoint.Remove();
    checkpoint.Render();
    state.PauseTiming();
    checkpoint.PutBack();
    checkpoint.Render();
    state.ResumeTiming();
  }
}

#define DEVICE_BENCHMARK(function)          \
  BENCHMARK(function)                       \
      ->Name("DeviceCheckpoint/" #function) \
      ->RangeMultiplier(10)                 \
      ->Range(100, 100'000)                 \
      ->Unit(benchmark::kMillisecond)

DEVICE_BENCHMARK(EncodeFromNothing);
DEVICE_BENCHMARK(DecodeAndVerify);
DEVICE_BENCHMARK(AfterReplacingOne);
DEVICE_BENCHMARK(AfterAddingOne);
DEVICE_BENCHMARK(AfterRemovingOne);

}  // namespace
}  // namespace kubelet_cm::deviceplugin
