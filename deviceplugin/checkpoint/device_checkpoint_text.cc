#include "deviceplugin/checkpoint/device_checkpoint_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "checkpointmanager/checksum/fnv1a.h"
#include "checkpointmanager/checksum/go_dump.h"
#include "common/gotext/json_writer.h"
#include "deviceplugin/checkpoint/device_checksum.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/device_layout.h"

namespace kubelet_cm::deviceplugin {
namespace {

// Enough for copying in pieces of some 16 KiB.
constexpr size_t kMaxBlockEntries = 64;
// What stands around entries and registered devices.
constexpr size_t kFrameBytes = 128;

void RenderEntry(const DeviceEntry& entry, std::string* json) {
  json->clear();
  JsonWriter writer(json);
  WriteDeviceEntry(entry, DeviceLayout::kV2, &writer);
  json->push_back(',');
}

// In the order of their keys; of equal ones the later comes later. Files of this project are in it already.
std::vector<DeviceEntry*> Sorted(std::vector<DeviceEntry>& entries) {
  std::vector<DeviceEntry*> sorted;
  sorted.reserve(entries.size());
  for (DeviceEntry& entry : entries) sorted.push_back(&entry);
  const auto in_order = [](const DeviceEntry* a, const DeviceEntry* b) { return KeyOf(*a) < KeyOf(*b); };
  if (!std::is_sorted(sorted.begin(), sorted.end(), in_order)) {
    std::stable_sort(sorted.begin(), sorted.end(), in_order);
  }
  return sorted;
}

uint32_t HashOn(uint32_t state, std::string_view text) {
  Fnv1a32 hash(state);
  hash.Update(text);
  return hash.Value();
}

}  // namespace

DeviceCheckpointText::DeviceCheckpointText() : entry_sums_(" "), resource_sums_(" ", FnvSequence::Ahead::kChanging) {}

DeviceCheckpointText::DeviceCheckpointText(DeviceContent content) : DeviceCheckpointText() {
  if (content.registered.has_value()) SetRegistered(*std::move(content.registered));
  if (!content.entries.has_value()) return;
  std::vector<DeviceEntry>& entries = *content.entries;
  const std::vector<DeviceEntry*> sorted = Sorted(entries);
  blocks_.reserve(sorted.size() / kMaxBlockEntries + 1);
  size_t count = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    DeviceEntry& entry = *sorted[i];
    if (i + 1 < sorted.size() && KeyOf(entry) == KeyOf(*sorted[i + 1])) continue;
    if (count++ % kMaxBlockEntries == 0) {
      blocks_.push_back(std::make_unique<Block>());
      blocks_.back()->items.reserve(std::min(kMaxBlockEntries, sorted.size() - i));
    }
    RenderEntry(entry, &scratch_);
    blocks_.back()->json += scratch_;
    blocks_.back()->items.push_back({std::move(entry), scratch_.size()});
    json_bytes_ += scratch_.size();
  }
  entry_sums_.Reset(count);
}

void DeviceCheckpointText::Set(DeviceEntry entry) {
  RenderEntry(entry, &scratch_);
  const Place place = Find(KeyOf(entry));
  if (IsAt(place, KeyOf(entry))) {
    Block& block = *blocks_[place.block];
    Item& item = block.items[place.item];
    if (item.entry == entry) return;
    block.json.replace(place.offset, item.bytes, scratch_);
    json_bytes_ += scratch_.size() - item.bytes;
    item = {std::move(entry), scratch_.size()};
    return entry_sums_.Replace(place.index);
  }
  if (blocks_.empty()) blocks_.push_back(std::make_unique<Block>());
  Block& block = *blocks_[place.block];
  block.json.insert(place.offset, scratch_);
  json_bytes_ += scratch_.size();
  block.items.insert(block.items.begin() + static_cast<ptrdiff_t>(place.item), {std::move(entry), scratch_.size()});
  entry_sums_.Insert(place.index);
  SplitIfLarge(place.block);
}

bool DeviceCheckpointText::Remove(const DeviceEntryKey& key) {
  const Place place = Find(key);
  if (!IsAt(place, key)) return false;
  Block& block = *blocks_[place.block];
  const auto item = block.items.begin() + static_cast<ptrdiff_t>(place.item);
  block.json.erase(place.offset, item->bytes);
  json_bytes_ -= item->bytes;
  block.items.erase(item);
  if (block.items.empty()) blocks_.erase(blocks_.begin() + static_cast<ptrdiff_t>(place.block));
  entry_sums_.Remove(place.index);
  return true;
}

void DeviceCheckpointText::SetRegistered(RegisteredDevices registered) {
  if (registered == registered_) return;
  registered_ = std::move(registered);
  resources_.clear();
  for (const auto& resource : registered_) resources_.push_back(&resource);
  resource_sums_.Reset(resources_.size());
  registered_json_.clear();
  JsonWriter writer(&registered_json_);
  WriteRegistered(registered_, &writer);
}

void DeviceCheckpointText::Render(std::string* out) {
  out->clear();
  out->reserve(json_bytes_ + registered_json_.size() + kFrameBytes);
  absl::StrAppend(out, "{\"Data\":{\"PodDeviceEntries\":", blocks_.empty() ? "null" : "[");
  for (const auto& block : blocks_) *out += block->json;
  if (!blocks_.empty()) out->back() = ']';
  absl::StrAppend(out, ",\"RegisteredDevices\":", registered_json_, "},\"Checksum\":", Checksum(), "}");
}

DeviceContent DeviceCheckpointText::Content() const {
  DeviceContent content{.entries = std::nullopt, .registered = registered_};
  if (blocks_.empty()) return content;
  content.entries.emplace();
  for (const auto& block : blocks_) {
    for (const Item& item : block->items) content.entries->push_back(item.entry);
  }
  return content;
}

DeviceCheckpointText::Place DeviceCheckpointText::Find(const DeviceEntryKey& key) const {
  Place place;
  if (blocks_.empty()) return place;
  const auto behind = std::upper_bound(
      blocks_.begin(), blocks_.end(), key,
      [](const DeviceEntryKey& wanted, const auto& block) { return wanted < KeyOf(block->items.front().entry); });
  if (behind != blocks_.begin()) place.block = static_cast<size_t>(behind - blocks_.begin()) - 1;
  for (size_t i = 0; i < place.block; ++i) place.index += blocks_[i]->items.size();
  for (const Item& item : blocks_[place.block]->items) {
    if (KeyOf(item.entry) >= key) break;
    ++place.item;
    ++place.index;
    place.offset += item.bytes;
  }
  return place;
}

bool DeviceCheckpointText::IsAt(const Place& place, const DeviceEntryKey& key) const {
  if (blocks_.empty()) return false;
  const std::vector<Item>& items = blocks_[place.block]->items;
  return place.item < items.size() && KeyOf(items[place.item].entry) == key;
}

void DeviceCheckpointText::SplitIfLarge(size_t block) {
  Block& left = *blocks_[block];
  if (left.items.size() <= kMaxBlockEntries) return;
  auto right = std::make_unique<Block>();
  const auto middle = left.items.begin() + kMaxBlockEntries / 2;
  size_t offset = 0;
  for (auto item = left.items.begin(); item != middle; ++item) offset += item->bytes;
  right->items.assign(std::make_move_iterator(middle), std::make_move_iterator(left.items.end()));
  left.items.erase(middle, left.items.end());
  right->json = left.json.substr(offset);
  left.json.resize(offset);
  blocks_.insert(blocks_.begin() + static_cast<ptrdiff_t>(block) + 1, std::move(right));
}

const DeviceEntry& DeviceCheckpointText::EntryAt(size_t index) {
  while (index < last_block_start_) last_block_start_ -= blocks_[--last_block_]->items.size();
  while (index >= last_block_start_ + blocks_[last_block_]->items.size()) {
    last_block_start_ += blocks_[last_block_++]->items.size();
  }
  return blocks_[last_block_]->items[index - last_block_start_].entry;
}

void DeviceCheckpointText::PrintEntry(size_t index, std::string& text) {
  AppendGoDump([&](GoDump& dump) { PrintDeviceEntry(EntryAt(index), DeviceLayout::kV2, dump); }, text);
}

void DeviceCheckpointText::PrintResource(size_t index, std::string& text) {
  AppendGoDump([&](GoDump& dump) { PrintRegistered(*resources_[index], dump); }, text);
}

bool DeviceCheckpointText::Prepare(size_t bytes) {
  if (!hashed_) {
    Checksum();
    return !blocks_.empty();
  }
  last_block_ = last_block_start_ = 0;
  return resource_sums_.Prepare(bytes, [this](size_t index, std::string& text) { PrintResource(index, text); }) ||
         entry_sums_.Prepare(bytes, [this](size_t index, std::string& text) { PrintEntry(index, text); });
}

uint32_t DeviceCheckpointText::Checksum() {
  hashed_ = true;
  last_block_ = last_block_start_ = 0;
  uint32_t state = Fnv1a(blocks_.empty() ? kDumpWithoutEntries : kDumpBeforeEntries);
  state = entry_sums_.Hash(state, [this](size_t index, std::string& text) { PrintEntry(index, text); });
  if (!blocks_.empty()) state = HashOn(state, kDumpAfterEntries);
  state = HashOn(state, kDumpBeforeRegistered);
  state = resource_sums_.Hash(state, [this](size_t index, std::string& text) { PrintResource(index, text); });
  return HashOn(state, kDumpAfterRegistered);
}

}  // namespace kubelet_cm::deviceplugin
