// The text of the DRA manager's state file, which changes by a claim at a time: what a writer keeps between two writes.
// Rendering costs one copy of the bytes, a change the text of that claim. The outcome equals EncodeClaims of all claims
// in the order of their keys.
//
//   DraCheckpointText text(DraFormat::k137);
//   text.Set(claim);         // new, or in place of the one of the same key
//   text.Remove("ns/name");
//   text.Render(&bytes);
//
// Claims are kept as the text that stands in the file, in blocks of some 32 KiB with the checksum of what they stand
// for; checksums of blocks are combined, so that there is nothing to prepare for the first changes after a start. Ten
// thousand claims take some 5 MB, as the file does.
//
// Used by one thread at a time: whoever changes the claims.
#ifndef KUBELET_CM_DRA_CHECKPOINT_DRA_CHECKPOINT_TEXT_H_
#define KUBELET_CM_DRA_CHECKPOINT_DRA_CHECKPOINT_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/gotext/json_string.h"
#include "common/personality/personality.h"
#include "dra/checkpoint/claim_state.h"

namespace kubelet_cm::dra {

class DraCheckpointText {
 public:
  // `format` is one of 1.31 on.
  explicit DraCheckpointText(DraFormat format, ControlEscapes escapes = ControlEscapes::kShort);

  size_t size() const { return size_; }
  bool Contains(std::string_view key) const;

  // Keys are those of ClaimKey.
  void Set(const ClaimState& claim);
  // False if there is none.
  bool Remove(std::string_view key);

  // Replaces `out` by the file's bytes and returns the checksum in them. Best given the same string each time, for its
  // memory. Without claims the list is empty and not nil, as kubelets write it after their last claim.
  uint32_t Render(std::string* out);

 private:
  struct Piece {
    std::string key;
    size_t size = 0;        // in the file, with a comma behind it
    size_t inner_size = 0;  // in the inner JSON, without
    uint32_t checksum = 0;  // of that
  };
  struct Block {
    std::vector<Piece> pieces;  // by key, never none
    std::string text;           // as in the file, a comma behind each piece
    // Of the inner JSON with commas between the pieces; not known after a change.
    bool combined = false;
    size_t inner_size = 0;
    uint32_t checksum = 0;
  };

  // The block where `key` is or would be; blocks_.size() if there are no blocks.
  size_t FindBlock(std::string_view key) const;
  static size_t FindPiece(const Block& block, std::string_view key);
  static size_t TextBefore(const Block& block, size_t piece);
  static void Combine(Block& block);
  void Split(size_t block);

  const DraFormat format_;
  const ControlEscapes escapes_;
  size_t size_ = 0;
  std::vector<Block> blocks_;
  std::string inner_;   // of the claim at work
  std::string nested_;  // the same, as it stands in the file
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CHECKPOINT_DRA_CHECKPOINT_TEXT_H_
