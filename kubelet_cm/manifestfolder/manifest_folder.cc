#include "kubelet_cm/manifestfolder/manifest_folder.h"

#include <utility>
#include <vector>

#include "absl/memory/memory.h"
#include "common/clock/clock.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

// Somebody who never stops writing does not keep everything else waiting.
constexpr int kMostPauses = 20;

}  // namespace

absl::StatusOr<std::unique_ptr<ManifestFolder>> ManifestFolder::New(Dependencies dependencies, Options options,
                                                                    ManifestFolderListener& listener) {
  ASSIGN_OR_RETURN(std::unique_ptr<FolderWatch> watch, dependencies.watches.New());
  return absl::WrapUnique(new ManifestFolder(dependencies, std::move(options), std::move(watch), listener));
}

ManifestFolder::ManifestFolder(Dependencies dependencies, Options options, std::unique_ptr<FolderWatch> watch,
                               ManifestFolderListener& listener)
    : deps_(dependencies),
      options_(std::move(options)),
      listener_(listener),
      watch_(std::move(watch)),
      reader_(deps_.files, options_.folder),
      thread_(deps_.threads.Start("manifests", [this] { Run(); })) {}

ManifestFolder::~ManifestFolder() {
  {
    MutexLock lock(&mu_);
    stopping_ = true;
  }
  watch_->Stop();
  thread_.reset();
}

bool ManifestFolder::stopping() {
  MutexLock lock(&mu_);
  return stopping_;
}

void ManifestFolder::Run() {
  EnsureWatched();
  Look({});
  for (Work work = AwaitWork(); !stopping(); work = AwaitWork()) {
    if (work.folder_vanished) watched_ = false;
    EnsureWatched();
    Look(work.touched);
  }
}

void ManifestFolder::EnsureWatched() {
  if (watched_) return;
  const absl::Status added = watch_->Add(options_.folder);
  watched_ = added.ok();
  Report(added);
}

ManifestFolder::Work ManifestFolder::AwaitWork() {
  const Clock& clock = deps_.threads.clock();
  Work work;
  std::vector<FolderEvent> events = watch_->WaitUntil(clock.MonotonicNow() + options_.rescan);
  for (int pauses = 0; !events.empty(); ++pauses) {
    AddEvents(events, &work);
    if (pauses == kMostPauses || options_.settle == absl::ZeroDuration()) break;
    events = watch_->WaitUntil(clock.MonotonicNow() + options_.settle);
  }
  return work;
}

void ManifestFolder::AddEvents(const std::vector<FolderEvent>& events, Work* work) const {
  for (const FolderEvent& event : events) {
    if (event.kind == FolderEvent::Kind::kLost) continue;  // everything is looked at in any case
    if (event.path == options_.folder) {
      work->folder_vanished = true;
    } else {
      work->touched.insert(NameOf(event.path));
    }
  }
}

void ManifestFolder::Look(const std::set<std::string>& touched) {
  absl::StatusOr<ManifestChanges> changes = reader_.Read(touched);
  if (!changes.ok()) {
    Report(changes.status());
    return listener_.OnLooked(changes.status());
  }
  if (watched_) Report(absl::OkStatus());
  if (reader_.left_out() != last_left_out_) {
    last_left_out_ = reader_.left_out();
    deps_.log.Error("Too many manifests in the folder, leaving some out",
                    {{"folder", options_.folder}, {"leftOut", last_left_out_}});
  }
  if (!told_ || !changes->empty()) listener_.OnFiles(*std::move(changes));
  told_ = true;
  listener_.OnLooked(absl::OkStatus());
}

void ManifestFolder::Report(const absl::Status& status) {
  if (status == last_error_) return;
  last_error_ = status;
  if (status.ok()) {
    deps_.log.Info("Following the folder of manifests", {{"folder", options_.folder}});
  } else {
    deps_.log.Error(status, "Could not follow the folder of manifests, will retry", {{"folder", options_.folder}});
  }
}

}  // namespace kubelet_cm
