// FakeFileData: the bytes of one file on a disk that may lose power.
//
// A power cut leaves what the last Sync made durable, plus a part of what was written after it:
//   - any prefix of those writes, in the order in which they were made, cut at a multiple of a block size inside each
//     write (nothing of them and all of them included); a change of the length is a write that arrives or does not;
//   - or, when the file has grown, the new length with zeros behind the durable bytes (the length reached the disk, the
//     blocks did not).
// Not modelled: later writes arriving without earlier ones, and damage to what is durable.
#ifndef KUBELET_CM_COMMON_FILESYSTEM_FAKE_FILE_DATA_H_
#define KUBELET_CM_COMMON_FILESYSTEM_FAKE_FILE_DATA_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kubelet_cm {

// A plain value; not thread-safe.
class FakeFileData {
 public:
  FakeFileData() = default;
  // Durable from the start.
  explicit FakeFileData(std::string bytes) : current_(bytes), durable_(std::move(bytes)) {}

  void Write(size_t offset, absl::string_view bytes);
  void Resize(size_t size);
  // True if that changed what a power cut may leave.
  bool Sync();

  // What the running system sees.
  const std::string& current() const { return current_; }

  // How many outcomes a power cut now has, and each of them: 0 is the durable bytes; outcomes may be equal to others.
  size_t CountOutcomes(size_t block) const;
  std::string Outcome(size_t index, size_t block) const;

 private:
  struct UnsyncedWrite {
    size_t offset;
    std::string bytes;
    bool resizes = false;  // the file to `offset`
  };
  static size_t Steps(const UnsyncedWrite& write, size_t block);
  size_t CountPrefixes(size_t block) const;

  std::string current_;
  std::string durable_;
  std::vector<UnsyncedWrite> unsynced_;  // in the order in which they were made
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_FAKE_FILE_DATA_H_
