// FakeInode: a file, folder, link or socket on a FakeDisk.
#ifndef KUBELET_CM_COMMON_FILESYSTEM_FAKE_INODE_H_
#define KUBELET_CM_COMMON_FILESYSTEM_FAKE_INODE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "common/filesystem/fake_file_data.h"
#include "common/filesystem/file_system.h"

namespace kubelet_cm {

struct FakeInode;
// Names in a folder. An inode lives while a name, an open file or the directory log refers to it.
using FakeEntries = std::map<std::string, std::shared_ptr<FakeInode>>;

// A plain value, of which the part that belongs to its kind is used; guarded by whoever owns the disk.
struct FakeInode {
  FileKind kind = FileKind::kRegular;
  uint64_t number = 0;
  uint32_t mode = 0600;  // durable at once
  absl::Time modified;   // durable at once

  FakeFileData data;            // of a regular file
  std::string target;           // of a link
  FakeEntries entries;          // of a folder: what the running system sees
  FakeEntries durable_entries;  // of a folder: what certainly survives a power cut
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_FAKE_INODE_H_
