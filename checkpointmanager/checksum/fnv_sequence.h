// The FNV-1a of a long list of texts of which few change between two hashings: a checkpoint's entries.
//
// It keeps no text. Neighbouring texts make blocks of about 8 KiB, of which the states before and after are
// remembered. After a change, Hash() renders and hashes the blocks that changed, and passes the new state through
// the others by their ComposableFnv (a look-up each), made when it is first needed: 1 KiB for 8 KiB of text, so
// memory is about 13 % of the text at most. A change near the end reads next to nothing; hashing from nothing costs
// what plain FNV-1a costs.
//
//   FnvSequence entries(" ");
//   entries.Reset(10'000);
//   uint32_t state = entries.Hash(Fnv1a(head), render);    // everything
//   entries.Replace(17);
//   state = entries.Hash(Fnv1a(head), render);             // some 0.1 ms
//
// Owned and used by one thread at a time: whoever writes the file.
#ifndef KUBELET_CM_CHECKPOINTMANAGER_CHECKSUM_FNV_SEQUENCE_H_
#define KUBELET_CM_CHECKPOINTMANAGER_CHECKSUM_FNV_SEQUENCE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "checkpointmanager/checksum/composable_fnv.h"

namespace kubelet_cm {

class FnvSequence {
 public:
  // Appends the text of element `index` as it is now. Must give the same text again until that element is changed.
  using Render = absl::FunctionRef<void(size_t index, std::string& out)>;

  // What comes before the texts: always the same, or something that changes. Then the first block needs a map, too.
  enum class Ahead { kFixed, kChanging };

  // Between two neighbours stands the separator.
  explicit FnvSequence(std::string separator, Ahead ahead = Ahead::kFixed)
      : separator_(std::move(separator)), ahead_(ahead) {}

  size_t size() const { return size_; }

  // Forgets everything: `count` new elements.
  void Reset(size_t count);
  // A new element at `index` (size() appends); those from there on move up.
  void Insert(size_t index);
  // The text of the element at `index` is another one.
  void Replace(size_t index);
  void Remove(size_t index);

  // What the state `before` becomes by all texts and their separators, equal to hashing them in full.
  uint32_t Hash(uint32_t before, Render render);

  // For idle time: makes the ComposableFnv of blocks that have none, from the end, for about `bytes` of text.
  // True while any remain. Needs no call of its own: Hash() makes some each time.
  bool Prepare(size_t bytes, Render render);

  // Memory held for what is known of the texts.
  size_t MemoryBytes() const;

 private:
  struct Block {
    size_t elements = 0;
    bool hashed = false;  // what follows is known, and still true of the text
    size_t bytes = 0;     // of the text, a separator in front of each element
    uint32_t before = 0;  // one pair of states that belong together
    uint32_t after = 0;
    std::unique_ptr<const ComposableFnv> map = nullptr;
  };
  struct Place {
    size_t block;
    size_t first;  // index of the block's first element
  };

  Place Find(size_t index) const;
  void Forget(Block& block);
  // Hashes the start of an unhashed block; what is too much for one block goes to a new, unhashed one behind it.
  uint32_t HashAnew(Place place, uint32_t before, Render render);
  // Takes a state through the unchanged text of a hashed block.
  uint32_t PassThrough(Place place, uint32_t before, Render render);
  void RenderBlock(Place place, Render render);

  const std::string separator_;
  const Ahead ahead_;
  size_t size_ = 0;
  std::vector<Block> blocks_;  // none is without elements
  std::string text_;           // of the block at work
  size_t map_credit_ = 0;      // bytes of text for which this Hash() may still make maps
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_CHECKPOINTMANAGER_CHECKSUM_FNV_SEQUENCE_H_
