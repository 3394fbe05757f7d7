#include "common/folderwatch/inotify_watches.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/folderwatch/inotify_table.h"
#include "common/status/errno_status.h"
#include "common/threads/held_locks.h"

namespace kubelet_cm {
namespace {

// Room for some hundred events with long names; what does not fit is there at the next wait.
constexpr size_t kBufferSize = size_t{64} << 10;

// Closes it.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  const int fd_;
};

// How long to wait, as poll takes it: rounded up, so that it does not return just before the deadline.
timespec LimitOf(absl::Duration limit) {
  const absl::Duration bounded = std::clamp(limit, absl::ZeroDuration(), absl::Hours(24));
  return absl::ToTimespec(absl::Ceil(bounded, absl::Milliseconds(1)));
}

class InotifyWatch : public FolderWatch {
 public:
  InotifyWatch(const Clock& clock, int inotify, int stop) : clock_(clock), inotify_(inotify), stop_(stop) {}

  bool valid() const { return inotify_.get() >= 0 && stop_.get() >= 0; }

  absl::Status Add(const std::string& folder) override {
    const int watch = inotify_add_watch(inotify_.get(), folder.c_str(), InotifyTable::kMask);
    if (watch < 0) return AddError(errno, folder);
    table_.Added(watch, folder);
    return absl::OkStatus();
  }

  void Remove(const std::string& folder) override {
    if (const std::optional<int> watch = table_.Removed(folder); watch.has_value()) Finish(*watch);
  }

  std::vector<FolderEvent> WaitUntil(MonotonicTime deadline) override {
    threads_internal::CheckHoldsNoMutex();
    while (true) {
      // The second one stays readable once Stop has been called.
      std::array<pollfd, 2> ready = {pollfd{inotify_.get(), POLLIN, 0}, pollfd{stop_.get(), POLLIN, 0}};
      const timespec limit = LimitOf(deadline - clock_.MonotonicNow());
      const int count = ppoll(ready.data(), ready.size(), &limit, nullptr);
      if (count > 0 && ready[1].revents != 0) return {};
      if (count > 0) {
        if (std::vector<FolderEvent> events = Fetch(); !events.empty()) return events;
      }
      if (clock_.MonotonicNow() >= deadline) return {};
    }
  }

  void Stop() override {
    const uint64_t one = 1;
    // Fails only when it has been called 2^64 times.
    [[maybe_unused]] const ssize_t written = ::write(stop_.get(), &one, sizeof(one));
  }

 private:
  static absl::Status AddError(int error, const std::string& folder) {
    const std::string attempted = absl::StrCat("watch ", folder);
    if (error == ENOTDIR) return absl::FailedPreconditionError(absl::StrCat(attempted, ": it is no folder"));
    if (error == ENOSPC) {
      return absl::ResourceExhaustedError(
          absl::StrCat(attempted, ": the user watches too much (fs.inotify.max_user_watches)"));
    }
    return ErrnoStatus(error, attempted);
  }

  void Finish(int watch) {
    // It may be gone already, with its folder.
    inotify_rm_watch(inotify_.get(), watch);
  }

  std::vector<FolderEvent> Fetch() {
    const ssize_t size = ::read(inotify_.get(), buffer_.data(), buffer_.size());
    if (size <= 0) return {};
    InotifyTable::Heard heard = table_.Translate(std::string_view(buffer_.data(), static_cast<size_t>(size)));
    for (const int watch : heard.finished) Finish(watch);
    return std::move(heard.events);
  }

  const Clock& clock_;
  const Descriptor inotify_;
  const Descriptor stop_;
  InotifyTable table_;
  std::vector<char> buffer_ = std::vector<char>(kBufferSize);
};

}  // namespace

absl::StatusOr<std::unique_ptr<FolderWatch>> InotifyWatches::New() {
  const int inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (inotify < 0 && errno == EMFILE) {
    return absl::ResourceExhaustedError(
        "watch folders: too many open files, or watches of this user (fs.inotify.max_user_instances)");
  }
  if (inotify < 0) return ErrnoStatus(errno, "watch folders: inotify_init1");
  const int stop = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  const int error = errno;
  auto watch = std::make_unique<InotifyWatch>(clock_, inotify, stop);
  if (!watch->valid()) return ErrnoStatus(error, "watch folders: eventfd");
  return watch;
}

}  // namespace kubelet_cm
