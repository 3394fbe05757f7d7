#include "checkpointmanager/checksum/fnv_sequence.h"

#include <algorithm>

#include "checkpointmanager/checksum/fnv1a.h"
#include "common/status/check.h"

namespace kubelet_cm {
namespace {

// Larger blocks need less memory for their maps, smaller ones less time after a change.
constexpr size_t kBlockBytes = 8 * 1024;
// A block that shrank below this is joined with the next one.
constexpr size_t kSmallBlockBytes = kBlockBytes / 3;

// One Hash() makes maps for this much text, and for a part of what it had to read for want of a map: that at most
// doubles the time of the first calls, and some twenty later all maps exist.
constexpr size_t kMapCredit = 3 * kBlockBytes;
constexpr size_t kReadPerMapCredit = 16;

// Whether a block that has `done` of `count` elements in `bytes` of text is complete. Its rest must be worth a
// block, or the next change would join the two again.
bool IsComplete(size_t bytes, size_t done, size_t count) {
  if (bytes < kBlockBytes) return false;
  return bytes >= 2 * kBlockBytes || bytes / done * (count - done) >= kBlockBytes / 2;
}

}  // namespace

void FnvSequence::Reset(size_t count) {
  size_ = count;
  blocks_.clear();
  if (count != 0) blocks_.push_back({.elements = count});
}

void FnvSequence::Insert(size_t index) {
  CHECK(index <= size_) << "insertion at " << index << " of " << size_;
  if (blocks_.empty()) return Reset(1);
  Block& block = index == size_ ? blocks_.back() : blocks_[Find(index).block];
  Forget(block);
  ++block.elements;
  ++size_;
}

void FnvSequence::Replace(size_t index) { Forget(blocks_[Find(index).block]); }

void FnvSequence::Remove(size_t index) {
  const size_t at = Find(index).block;
  Forget(blocks_[at]);
  --blocks_[at].elements;
  --size_;
  if (blocks_[at].elements == 0) blocks_.erase(blocks_.begin() + at);
}

FnvSequence::Place FnvSequence::Find(size_t index) const {
  CHECK(index < size_) << "element " << index << " of " << size_;
  Place place{.block = 0, .first = 0};
  while (index >= place.first + blocks_[place.block].elements) place.first += blocks_[place.block++].elements;
  return place;
}

void FnvSequence::Forget(Block& block) {
  block.hashed = false;
  block.map = nullptr;
}

uint32_t FnvSequence::Hash(uint32_t before, Render render) {
  if (blocks_.empty()) return before;
  map_credit_ = kMapCredit;
  // Every element brings a separator along, the first one too: so the texts of blocks do not depend on their place.
  Fnv1a32 start(before);
  start.Undo(separator_);
  uint32_t state = start.Value();
  Place place{.block = 0, .first = 0};
  while (place.block < blocks_.size()) {
    const bool hashed = blocks_[place.block].hashed;
    state = hashed ? PassThrough(place, state, render) : HashAnew(place, state, render);
    place.first += blocks_[place.block++].elements;
  }
  return state;
}

uint32_t FnvSequence::HashAnew(Place place, uint32_t before, Render render) {
  text_.clear();
  size_t done = 0;
  size_t count = blocks_[place.block].elements;
  const size_t next = place.block + 1;
  while (done < count && !(done != 0 && IsComplete(text_.size(), done, count))) {
    text_ += separator_;
    render(place.first + done++, text_);
    if (done == count && text_.size() < kSmallBlockBytes && next < blocks_.size()) {
      count += blocks_[next].elements;
      blocks_.erase(blocks_.begin() + next);
    }
  }
  if (done < count) blocks_.insert(blocks_.begin() + next, Block{.elements = count - done});

  Block& block = blocks_[place.block];
  block.elements = done;
  block.hashed = true;
  block.bytes = text_.size();
  block.before = before;
  Fnv1a32 checksum(before);
  checksum.Update(text_);
  block.after = checksum.Value();
  return block.after;
}

uint32_t FnvSequence::PassThrough(Place place, uint32_t before, Render render) {
  Block& block = blocks_[place.block];
  if (block.before == before) return block.after;
  block.before = before;
  if (!block.map) {
    RenderBlock(place, render);
    if (map_credit_ < block.bytes) {
      map_credit_ += block.bytes / kReadPerMapCredit;
      Fnv1a32 checksum(before);
      checksum.Update(text_);
      return block.after = checksum.Value();
    }
    map_credit_ -= block.bytes;
    block.map = std::make_unique<const ComposableFnv>(text_);
  }
  return block.after = block.map->Apply(before);
}

bool FnvSequence::Prepare(size_t bytes, Render render) {
  size_t first = size_;
  // A change of the last block passes through no map, one of the first through all the others'.
  const size_t end = ahead_ == Ahead::kFixed ? 1 : 0;
  for (size_t at = blocks_.size(); at-- > end;) {
    Block& block = blocks_[at];
    first -= block.elements;
    if (!block.hashed || block.map) continue;
    if (bytes == 0) return true;
    RenderBlock({.block = at, .first = first}, render);
    block.map = std::make_unique<const ComposableFnv>(text_);
    bytes -= std::min(bytes, block.bytes);
  }
  return false;
}

void FnvSequence::RenderBlock(Place place, Render render) {
  const Block& block = blocks_[place.block];
  text_.clear();
  for (size_t i = 0; i < block.elements; ++i) {
    text_ += separator_;
    render(place.first + i, text_);
  }
  CHECK(text_.size() == block.bytes) << "elements from " << place.first << " on changed without notice";
}

size_t FnvSequence::MemoryBytes() const {
  size_t bytes = text_.capacity() + blocks_.capacity() * sizeof(Block);
  for (const Block& block : blocks_) bytes += block.map ? sizeof(ComposableFnv) : 0;
  return bytes;
}

}  // namespace kubelet_cm
