#include "kubelet_cm/pods/pod_store.h"

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

}  // namespace

absl::StatusOr<std::unique_ptr<PodStore>> PodStore::New(FileSystem& files, Random& random, Options options) {
  RETURN_IF_ERROR(files.MakeFolders(options.folder, 0750));  // the manager's are 0755
  ASSIGN_OR_RETURN(std::unique_ptr<CheckpointManager> manager, CheckpointManager::New(files, random, options.folder));
  return absl::WrapUnique(new PodStore(files, std::move(options), std::move(manager)));
}

absl::StatusOr<StoredRecord> PodStore::Read(const std::string& uid) {
  ASSIGN_OR_RETURN(const std::string bytes, manager_->Read(uid));
  ASSIGN_OR_RETURN(StoredRecord stored, DecodePodRecord(bytes));
  if (stored.record.pod->uid != uid) return absl::DataLossError("it is the file of another pod");
  return stored;
}

absl::StatusOr<PodStore::Loaded> PodStore::Load() {
  Loaded loaded;
  RETURN_IF_ERROR(SweepTempFiles(files_, options_.folder).status());
  ASSIGN_OR_RETURN(const std::vector<std::string> names, manager_->List());
  for (const std::string& name : names) {
    if (absl::StrContains(name, kSetAside)) continue;
    absl::StatusOr<StoredRecord> stored =
        ValidatePodUid(name).ok() ? Read(name) : absl::FailedPreconditionError("no pod has this name");
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
