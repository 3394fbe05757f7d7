// The device checkpoint of a usual shape (8 devices on 2 NUMA nodes an entry): from nothing, read and verified, and
// after a change of one entry.
#include <benchmark/benchmark.h>

#include <string>
#include <utility>

#include "common/status/check.h"
#include "deviceplugin/checkpoint/device_checkpoint_text.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/device_reader.h"
#include "deviceplugin/checkpoint/sample_content.h"
#include "tools/bench/allocation_counter.h"
#include "tools/bench/state_file_bench.h"

namespace kubelet_cm::deviceplugin {
namespace {

void EncodeFromNothing(benchmark::State& state) {
  const DeviceContent content = SampleContent(Entries(state));
  const auto encode = [&] { return EncodeDevices(content, DeviceLayout::kV2); };
  size_t bytes = 0;
  ReportAllocations(state, CountAllocations([&] { bytes = encode().size(); }));
  for (auto _ : state) benchmark::DoNotOptimize(encode());
  ReportBytes(state, bytes);
}

void DecodeAndVerify(benchmark::State& state) {
  const std::string text = EncodeDevices(SampleContent(Entries(state)), DeviceLayout::kV2);
  const auto decode = [&] {
    const DeviceFile file = ReadDevices(text);
    CHECK(file.valid());
  };
  ReportAllocations(state, CountAllocations(decode));
  for (auto _ : state) decode();
  ReportBytes(state, text.size());
}

// A checkpoint that changes, all over it. After a start the first changes read more, until enough is known of what does
// not change; that is a measurement of its own, and done with here.
class Changing {
 public:
  explicit Changing(size_t entries, bool prepared = true) : entries_(entries), text_(SampleContent(entries)) {
    Render();
    while (prepared && text_.Prepare(kPrepareBytes)) {
    }
  }

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
  const std::string& bytes() const { return out_; }

 private:
  static constexpr size_t kPrepareBytes = size_t{1} << 20;

  size_t Next() { return (turn_++ * 7919) % entries_; }

  const size_t entries_;
  size_t turn_ = 0;
  size_t removed_ = 0;
  DeviceCheckpointText text_;
  std::string out_;
};

// The first change after a start, of an entry at the front, behind which all the rest has to be hashed.
void FirstChange(benchmark::State& state, bool prepared) {
  for (auto _ : state) {
    state.PauseTiming();
    Changing checkpoint(Entries(state), prepared);
    state.ResumeTiming();
    checkpoint.Replace();
    checkpoint.Render();
  }
}
void FirstChangeAfterAStart(benchmark::State& state) { FirstChange(state, false); }
void FirstChangeWhenPrepared(benchmark::State& state) { FirstChange(state, true); }

// What being prepared takes, all at once.
void Prepare(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    DeviceCheckpointText text(SampleContent(Entries(state)));
    std::string out;
    text.Render(&out);
    state.ResumeTiming();
    CHECK(!text.Prepare(2 * kMaxDeviceFileBytes));
  }
}

STATE_FILE_BENCHMARK(DeviceCheckpoint, EncodeFromNothing);
STATE_FILE_BENCHMARK(DeviceCheckpoint, DecodeAndVerify);
STATE_FILE_CHANGE_BENCHMARKS(DeviceCheckpoint, Changing);
STATE_FILE_BENCHMARK(DeviceCheckpoint, FirstChangeAfterAStart)->Iterations(5);
STATE_FILE_BENCHMARK(DeviceCheckpoint, FirstChangeWhenPrepared)->Iterations(5);
STATE_FILE_BENCHMARK(DeviceCheckpoint, Prepare)->Iterations(5);

}  // namespace
}  // namespace kubelet_cm::deviceplugin
