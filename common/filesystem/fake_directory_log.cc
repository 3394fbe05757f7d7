#include "common/filesystem/fake_directory_log.h"

#include <utility>

namespace kubelet_cm {

void ApplyNameChange(const FakeNameChange& change, FakeEntries& entries) {
  if (change.inode == nullptr) {
    entries.erase(change.name);
  } else {
    entries[change.name] = change.inode;
  }
}

void FakeDirectoryLog::Apply(FakeNameChanges changes) {
  for (const FakeNameChange& change : changes) ApplyNameChange(change, change.folder->entries);
  pending_.push_back(std::move(changes));
}

bool FakeDirectoryLog::SyncFolder(FakeInode& folder) {
  folder.durable_entries = folder.entries;
  size_t made_durable = 0;
  for (FakeNameChanges& record : pending_) {
    made_durable += std::erase_if(record, [&](const FakeNameChange& change) { return change.folder.get() == &folder; });
  }
  std::erase_if(pending_, [](const FakeNameChanges& record) { return record.empty(); });
  return made_durable > 0;
}

void FakeDirectoryLog::SyncAll() {
  while (!pending_.empty()) SyncFolder(*std::shared_ptr<FakeInode>(pending_.front().front().folder));
}

}  // namespace kubelet_cm
