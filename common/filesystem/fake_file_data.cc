#include "common/filesystem/fake_file_data.h"

#include <algorithm>

#include "common/status/check.h"

namespace kubelet_cm {
namespace {

void Overwrite(std::string& target, size_t offset, absl::string_view bytes) {
  if (bytes.empty()) return;
  if (target.size() < offset + bytes.size()) target.resize(offset + bytes.size());
  target.replace(offset, bytes.size(), bytes.data(), bytes.size());
}

size_t BlocksOf(size_t bytes, size_t block) { return (bytes + block - 1) / block; }

}  // namespace

void FakeFileData::Write(size_t offset, absl::string_view bytes) {
  Overwrite(current_, offset, bytes);
  unsynced_.push_back({.offset = offset, .bytes = std::string(bytes)});
}

void FakeFileData::Resize(size_t size) {
  current_.resize(size);
  unsynced_.push_back({.offset = size, .bytes = {}, .resizes = true});
}

bool FakeFileData::Sync() {
  const bool had_unsynced = !unsynced_.empty();
  durable_ = current_;
  unsynced_.clear();
  return had_unsynced;
}

size_t FakeFileData::Steps(const UnsyncedWrite& write, size_t block) {
  return write.resizes ? 1 : BlocksOf(write.bytes.size(), block);
}

size_t FakeFileData::CountPrefixes(size_t block) const {
  size_t count = 1;  // none of the writes
  for (const UnsyncedWrite& write : unsynced_) count += Steps(write, block);
  return count;
}

size_t FakeFileData::CountOutcomes(size_t block) const {
  return CountPrefixes(block) + (current_.size() > durable_.size() ? 1 : 0);
}

std::string FakeFileData::Outcome(size_t index, size_t block) const {
  CHECK(index < CountOutcomes(block)) << "outcome " << index;
  std::string outcome = durable_;
  if (index == CountPrefixes(block)) {
    outcome.resize(current_.size());
    return outcome;
  }
  for (const UnsyncedWrite& write : unsynced_) {
    const size_t steps = std::min(index, Steps(write, block));
    if (write.resizes && steps > 0) outcome.resize(write.offset);
    Overwrite(outcome, write.offset, absl::string_view(write.bytes).substr(0, steps * block));
    index -= steps;
  }
  return outcome;
}

}  // namespace kubelet_cm
