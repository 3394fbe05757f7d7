// The text of a device checkpoint that changes by an entry at a time: what a writer keeps between two writes. Always
// the newest format, entries in the order of their keys.
//
// Entries stay rendered, and of their checksum so much is remembered (FnvSequence) that Render() after a change costs
// little more than copying the file's bytes. The outcome equals EncodeDevices(Content(), kV2).
//
// Owned and used by one thread at a time.
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_CHECKPOINT_TEXT_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_CHECKPOINT_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "checkpointmanager/checksum/fnv_sequence.h"
#include "deviceplugin/checkpoint/device_content.h"

namespace kubelet_cm::deviceplugin {

class DeviceCheckpointText {
 public:
  // Nothing allocated and nothing registered.
  DeviceCheckpointText();
  // What was read from a file. Of two entries with one key the later one counts.
  explicit DeviceCheckpointText(DeviceContent content);
  DeviceCheckpointText(const DeviceCheckpointText&) = delete;
  DeviceCheckpointText& operator=(const DeviceCheckpointText&) = delete;

  size_t entries() const { return entry_sums_.size(); }

  // Adds the entry, or replaces the one with its key.
  void Set(DeviceEntry entry);
  // False if there is none with that key.
  bool Remove(const DeviceEntryKey& key);
  void SetRegistered(RegisteredDevices registered);

  // Replaces `out` by the file's text. Best given the same string each time, for its memory.
  void Render(std::string* out);

  // For idle time: makes what the first changes after a start otherwise have to make, for about `bytes` of what stands
  // under the checksum (6 us a kilobyte); the first call hashes all of that (1 us a kilobyte). True while something
  // remains. Never needed: without it those changes take longer, in all about as much.
  bool Prepare(size_t bytes);

  // What the text says. No entries are nil, as kubelets write them.
  DeviceContent Content() const;

 private:
  struct Item {
    DeviceEntry entry;
    size_t bytes;  // of its JSON, with a comma behind it
  };
  // Neighbouring entries and their JSON, so that copying is done in large pieces.
  struct Block {
    std::vector<Item> items;
    std::string json;
  };
  struct Place {
    size_t block = 0;
    size_t item = 0;    // in the block
    size_t index = 0;   // in all
    size_t offset = 0;  // in the block's JSON
  };

  // Where the entry with that key is or belongs.
  Place Find(const DeviceEntryKey& key) const;
  bool IsAt(const Place& place, const DeviceEntryKey& key) const;
  void SplitIfLarge(size_t block);
  uint32_t Checksum();
  void PrintEntry(size_t index, std::string& text);
  void PrintResource(size_t index, std::string& text);
  const DeviceEntry& EntryAt(size_t index);

  std::vector<std::unique_ptr<Block>> blocks_;  // none is empty
  size_t json_bytes_ = 0;                       // of all blocks
  FnvSequence entry_sums_;
  RegisteredDevices registered_;
  std::vector<const RegisteredDevices::value_type*> resources_;  // of registered_, by index
  std::string registered_json_ = "{}";
  FnvSequence resource_sums_;
  bool hashed_ = false;  // once, so that of entries that did not change something is known
  std::string scratch_;
  // Where EntryAt was last, which is asked for neighbours.
  size_t last_block_ = 0;
  size_t last_block_start_ = 0;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_CHECKPOINT_TEXT_H_
