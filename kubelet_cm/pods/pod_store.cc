#include "kubelet_cm/pods/pod_store.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/filesystem/atomic_write.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/pods/pod_uid.h"

namespace kubelet_cm {
namespace {

constexpr char kSetAside[] = ".corrupt-";

// A file takes some five microseconds, most of it the kernel's: what a node usually has is read before a thread starts.
constexpr size_t kFilesAReader = 500;
constexpr size_t kMaxReaders = 4;

}  // namespace

absl::StatusOr<std::unique_ptr<PodStore>> PodStore::New(FileSystem& files, Random& random, Options options) {
  RETURN_IF_ERROR(files.MakeFolders(options.folder, 0750));  // the manager's are 0755
  ASSIGN_OR_RETURN(std::unique_ptr<CheckpointManager> manager, CheckpointManager::New(files, random, options.folder));
  return absl::WrapUnique(new PodStore(files, std::move(options), std::move(manager)));
}

absl::StatusOr<StoredRecord> PodStore::Read(const std::string& name) {
  if (!ValidatePodUid(name).ok()) return absl::FailedPreconditionError("no pod has this name");
  ASSIGN_OR_RETURN(const std::string bytes, manager_->Read(name));
  ASSIGN_OR_RETURN(StoredRecord stored, DecodePodRecord(bytes));
  if (stored.record.pod->uid != name) return absl::DataLossError("it is the file of another pod");
  return stored;
}

std::vector<absl::StatusOr<StoredRecord>> PodStore::ReadAll(const std::vector<std::string>& names, Threads& threads) {
  std::vector<absl::StatusOr<StoredRecord>> read(names.size());
  const size_t readers = std::min(kMaxReaders, names.size() / kFilesAReader + 1);
  const auto read_share = [&](size_t reader) {
    for (size_t i = reader; i < names.size(); i += readers) read[i] = Read(names[i]);
  };
  std::vector<std::unique_ptr<Thread>> others;
  for (size_t reader = 1; reader < readers; ++reader) {
    others.push_back(threads.Start("pods", [&read_share, reader] { read_share(reader); }));
  }
  read_share(0);
  others.clear();  // when they have read theirs
  return read;
}

absl::StatusOr<PodStore::Loaded> PodStore::Load(Threads& threads) {
  Loaded loaded;
  // Of thousands of names, once.
  ASSIGN_OR_RETURN(std::vector<std::string> names, files_.List(options_.folder));
  RETURN_IF_ERROR(SweepTempFiles(files_, options_.folder, names).status());
  std::erase_if(names,
                [](const std::string& name) { return name.front() == '.' || absl::StrContains(name, kSetAside); });
  std::vector<absl::StatusOr<StoredRecord>> read = ReadAll(names, threads);
  loaded.records.reserve(names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    absl::StatusOr<StoredRecord>& stored = read[i];
    if (stored.ok()) {
      loaded.records.push_back(*std::move(stored));
    } else if (absl::IsFailedPrecondition(stored.status())) {
      loaded.strays.push_back(name);
    } else if (!absl::IsDataLoss(stored.status())) {
      // Only what the file itself says is a reason to put it away: a disk that fails may give it back.
      return stored.status();
    } else if (options_.recover == RecoverPolicy::kStrict) {
      return absl::DataLossError(absl::StrCat(options_.folder, "/", name, ": ", stored.status().message()));
    } else {
      loaded.damaged.push_back({.file = name, .error = stored.status()});
    }
  }
  return loaded;
}

absl::StatusOr<std::string> PodStore::SetAside(const std::string& file, absl::Time now) {
  return kubelet_cm::SetAside(files_, options_.folder, file, now);
}

absl::Status PodStore::Save(const PodRecord& record) {
  return manager_->Write(record.pod->uid, EncodePodRecord(record, options_.boot_id));
}

absl::Status PodStore::Remove(const std::string& uid) { return manager_->Remove(uid); }

}  // namespace kubelet_cm
