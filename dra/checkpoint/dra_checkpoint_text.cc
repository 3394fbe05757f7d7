#include "dra/checkpoint/dra_checkpoint_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "checkpointmanager/checksum/crc32.h"
#include "common/gotext/nested_json.h"
#include "common/status/check.h"
#include "dra/checkpoint/claim_codec.h"

namespace kubelet_cm::dra {
namespace {

// A block is looked through and moved about when one of its claims changes, and combined with the others each time.
constexpr size_t kMaxPieces = 128;
constexpr size_t kRoomForBrackets = 16;  // and the checksum

}  // namespace

DraCheckpointText::DraCheckpointText(DraFormat format, ControlEscapes escapes) : format_(format), escapes_(escapes) {
  CHECK(format >= DraFormat::k131) << "a file of " << FormatName(format);
}

size_t DraCheckpointText::FindBlock(std::string_view key) const {
  const auto behind =
      std::upper_bound(blocks_.begin(), blocks_.end(), key,
                       [](std::string_view wanted, const Block& block) { return wanted < block.pieces.front().key; });
  return behind == blocks_.begin() ? 0 : static_cast<size_t>(behind - blocks_.begin()) - 1;
}

size_t DraCheckpointText::FindPiece(const Block& block, std::string_view key) {
  const auto at = std::lower_bound(block.pieces.begin(), block.pieces.end(), key,
                                   [](const Piece& piece, std::string_view wanted) { return piece.key < wanted; });
  return static_cast<size_t>(at - block.pieces.begin());
}

size_t DraCheckpointText::TextBefore(const Block& block, size_t piece) {
  size_t before = 0;
  for (size_t i = 0; i < piece; ++i) before += block.pieces[i].size;
  return before;
}

bool DraCheckpointText::Contains(std::string_view key) const {
  if (blocks_.empty()) return false;
  const Block& block = blocks_[FindBlock(key)];
  const size_t piece = FindPiece(block, key);
  return piece < block.pieces.size() && block.pieces[piece].key == key;
}

void DraCheckpointText::Set(const ClaimState& claim) {
  inner_.clear();
  AppendClaim(claim, format_, escapes_, &inner_);
  nested_.clear();
  AppendNestedJson(inner_, &nested_);
  nested_ += ',';

  std::string key = ClaimKey(claim);
  const size_t index = FindBlock(key);
  if (index == blocks_.size()) blocks_.emplace_back();
  Block& block = blocks_[index];
  const size_t piece = FindPiece(block, key);
  const size_t before = TextBefore(block, piece);
  const bool replaces = piece < block.pieces.size() && block.pieces[piece].key == key;
  block.text.replace(before, replaces ? block.pieces[piece].size : 0, nested_);
  if (!replaces) {
    block.pieces.emplace(block.pieces.begin() + static_cast<ptrdiff_t>(piece));
    ++size_;
  }
  block.pieces[piece] = {std::move(key), nested_.size(), inner_.size(), Crc32(inner_)};
  block.combined = false;
  if (block.pieces.size() > kMaxPieces) Split(index);
}

bool DraCheckpointText::Remove(std::string_view key) {
  if (!Contains(key)) return false;
  const size_t index = FindBlock(key);
  Block& block = blocks_[index];
  const size_t piece = FindPiece(block, key);
  block.text.erase(TextBefore(block, piece), block.pieces[piece].size);
  block.pieces.erase(block.pieces.begin() + static_cast<ptrdiff_t>(piece));
  --size_;
  block.combined = false;
  if (block.pieces.empty()) blocks_.erase(blocks_.begin() + static_cast<ptrdiff_t>(index));
  return true;
}

void DraCheckpointText::Combine(Block& block) {
  if (block.combined) return;
  block.combined = true;
  block.inner_size = block.pieces.size() - 1;  // commas
  block.checksum = 0;
  for (const Piece& piece : block.pieces) {
    if (&piece != &block.pieces.front()) block.checksum = Crc32(",", block.checksum);
    block.checksum = ConcatCrc32(block.checksum, piece.checksum, piece.inner_size);
    block.inner_size += piece.inner_size;
  }
}

void DraCheckpointText::Split(size_t block) {
  blocks_.emplace(blocks_.begin() + static_cast<ptrdiff_t>(block) + 1);
  Block& left = blocks_[block];
  Block& right = blocks_[block + 1];
  const size_t half = left.pieces.size() / 2;
  const size_t text = TextBefore(left, half);
  right.text = left.text.substr(text);
  left.text.erase(text);
  const auto middle = left.pieces.begin() + static_cast<ptrdiff_t>(half);
  right.pieces.assign(std::make_move_iterator(middle), std::make_move_iterator(left.pieces.end()));
  left.pieces.erase(middle, left.pieces.end());
}

uint32_t DraCheckpointText::Render(std::string* out) {
  size_t size = kFileHead.size() + kFileTail.size() + kRoomForBrackets;
  for (const Block& block : blocks_) size += block.text.size();
  out->clear();
  out->reserve(size);
  out->append(kFileHead);
  uint32_t checksum = Crc32(kInnerHead);
  std::string_view before = "[";
  for (Block& block : blocks_) {
    Combine(block);
    out->append(before).append(block.text, 0, block.text.size() - 1);
    checksum = ConcatCrc32(Crc32(before, checksum), block.checksum, block.inner_size);
    before = ",";
  }
  const std::string_view behind = blocks_.empty() ? "[]" : "]";
  out->append(behind).append(kFileTail);
  checksum = Crc32(kInnerTail, Crc32(behind, checksum));
  out->append(std::to_string(checksum)).append("}");
  return checksum;
}

}  // namespace kubelet_cm::dra
