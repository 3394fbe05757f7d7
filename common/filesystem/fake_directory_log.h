// FakeDirectoryLog: what has happened to the names on a disk and is not certain to survive a power cut.
//
// An operation (creation, rename, removal) is one record of one or two name changes. Fsync of a folder makes all
// changes of names in that folder durable and takes them out of the log. What a power cut may make of the rest is up to
// the reader of the log (fake_disk_image.h).
#ifndef KUBELET_CM_COMMON_FILESYSTEM_FAKE_DIRECTORY_LOG_H_
#define KUBELET_CM_COMMON_FILESYSTEM_FAKE_DIRECTORY_LOG_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "common/filesystem/fake_inode.h"

namespace kubelet_cm {

// From now on `name` in `folder` is `inode`, or is not there when `inode` is null.
struct FakeNameChange {
  std::shared_ptr<FakeInode> folder;
  std::string name;
  std::shared_ptr<FakeInode> inode;
};
using FakeNameChanges = std::vector<FakeNameChange>;

// Applies `change` to what one folder holds.
void ApplyNameChange(const FakeNameChange& change, FakeEntries& entries);

// Not thread-safe.
class FakeDirectoryLog {
 public:
  // Carries out one operation: the running system sees it, and it is remembered as not durable yet.
  void Apply(FakeNameChanges changes);

  // Makes all changes of names in `folder` durable; false if there were none.
  bool SyncFolder(FakeInode& folder);

  // Makes everything durable.
  void SyncAll();

  // The records that are not durable yet, oldest first.
  const std::vector<FakeNameChanges>& pending() const { return pending_; }

 private:
  std::vector<FakeNameChanges> pending_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_FAKE_DIRECTORY_LOG_H_
