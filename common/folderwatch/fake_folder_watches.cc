#include "common/folderwatch/fake_folder_watches.h"

#include <algorithm>
#include <utility>

#include "common/filesystem/path.h"
#include "common/status/check.h"

namespace kubelet_cm {

// Its state is the maker's, under the maker's lock.
class FakeFolderWatches::Watch : public FolderWatch {
 public:
  explicit Watch(FakeFolderWatches& maker) : maker_(maker) {
    MutexLock lock(&maker_.mu_);
    maker_.watches_.insert(this);
  }
  ~Watch() override {
    MutexLock lock(&maker_.mu_);
    maker_.watches_.erase(this);
  }

  absl::Status Add(const std::string& folder) override {
    MutexLock lock(&maker_.mu_);
    if (!maker_.add_error_.ok()) return maker_.add_error_;
    folders.insert(folder);
    maker_.changed_->NotifyAll();
    return absl::OkStatus();
  }

  void Remove(const std::string& folder) override {
    MutexLock lock(&maker_.mu_);
    folders.erase(folder);
  }

  std::vector<FolderEvent> WaitUntil(MonotonicTime deadline) override {
    MutexLock lock(&maker_.mu_);
    waiting = true;
    maker_.changed_->NotifyAll();
    while (events.empty() && !stopped && maker_.changed_->WaitUntil(&maker_.mu_, deadline)) {
    }
    waiting = false;
    if (stopped) return {};
    return std::exchange(events, {});
  }

  void Stop() override {
    MutexLock lock(&maker_.mu_);
    stopped = true;
    maker_.changed_->NotifyAll();
  }

  // Guarded by the maker's lock.
  std::set<std::string> folders;
  std::vector<FolderEvent> events;
  bool waiting = false;
  bool stopped = false;

 private:
  FakeFolderWatches& maker_;
};

FakeFolderWatches::FakeFolderWatches(Threads& threads)
    : clock_(threads.clock()), changed_(threads.NewCondition("something in a folder")) {}

FakeFolderWatches::~FakeFolderWatches() {
  MutexLock lock(&mu_);
  CHECK(watches_.empty()) << watches_.size() << " watch(es) outlive what made them";
}

absl::StatusOr<std::unique_ptr<FolderWatch>> FakeFolderWatches::New() { return std::make_unique<Watch>(*this); }

void FakeFolderWatches::Push(const FolderEvent& event) {
  MutexLock lock(&mu_);
  for (Watch* watch : watches_) {
    const bool was_watched = event.kind == FolderEvent::Kind::kVanished && watch->folders.erase(event.path) > 0;
    if (was_watched || event.kind == FolderEvent::Kind::kLost || watch->folders.contains(FolderOf(event.path))) {
      watch->events.push_back(event);
    }
  }
  changed_->NotifyAll();
}

void FakeFolderWatches::FailAdds(const absl::Status& error) {
  MutexLock lock(&mu_);
  add_error_ = error;
}

std::vector<std::string> FakeFolderWatches::Watched() const {
  MutexLock lock(&mu_);
  std::set<std::string> watched;
  for (const Watch* watch : watches_) watched.insert(watch->folders.begin(), watch->folders.end());
  return {watched.begin(), watched.end()};
}

absl::Status FakeFolderWatches::AwaitIdle(absl::Duration limit) const {
  const MonotonicTime deadline = clock_.MonotonicNow() + limit;
  MutexLock lock(&mu_);
  const auto is_idle = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return !watches_.empty() && std::all_of(watches_.begin(), watches_.end(),
                                            [](const Watch* watch) { return watch->waiting && watch->events.empty(); });
  };
  while (!is_idle() && changed_->WaitUntil(&mu_, deadline)) {
  }
  if (is_idle()) return absl::OkStatus();
  return absl::DeadlineExceededError("the watches' events are not fetched");
}

}  // namespace kubelet_cm
