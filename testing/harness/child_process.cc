#include "testing/harness/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/check.h"
#include "common/status/errno_status.h"
#include "testing/harness/child_groups.h"

namespace kubelet_cm::harness {
namespace {

constexpr size_t kMostKept = size_t{4} << 20;
constexpr size_t kPiece = size_t{16} << 10;
constexpr absl::Duration kForTheRest = absl::Seconds(1);

// What posix_spawn takes: a list of words that ends with a null pointer.
std::vector<char*> WordsOf(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Output goes to `output`; signals are as a process has them that a shell starts, and so is its group.
absl::StatusOr<pid_t> Spawn(const ChildProcess::Options& options, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  CHECK(posix_spawn_file_actions_init(&actions) == 0 && posix_spawnattr_init(&attributes) == 0) << "out of memory";
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

  std::vector<std::string> arguments = {options.program};
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  std::vector<std::string> environment = options.environment;
  pid_t pid = 0;
  const int failed = posix_spawn(&pid, options.program.c_str(), &actions, &attributes, WordsOf(arguments).data(),
                                 WordsOf(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) return ErrnoStatus(failed, absl::StrCat("start ", options.program));
  return pid;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ChildProcess>> ChildProcess::Start(Threads& threads, const Options& options) {
  // Closed in whatever else is started meanwhile: its end would not be seen otherwise.
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return ErrnoStatus(errno, "make a pipe");
  const absl::StatusOr<pid_t> pid = Spawn(options, ends[1]);
  close(ends[1]);
  if (!pid.ok()) {
    close(ends[0]);
    return pid.status();
  }
  AddChildGroup(*pid);
  return std::unique_ptr<ChildProcess>(new ChildProcess(threads, *pid, ends[0]));
}

ChildProcess::ChildProcess(Threads& threads, pid_t pid, int output)
    : clock_(threads.clock()),
      pid_(pid),
      changed_(threads.NewCondition("a child process to say something or to end")),
      watcher_(threads.Start("child-output", [this, output] { Watch(output); })) {}

ChildProcess::~ChildProcess() {
  Signal(SIGKILL);
  watcher_.reset();
}

void ChildProcess::Watch(int output) {
  pollfd open = {.fd = output, .events = POLLIN, .revents = 0};
  ReadUntilItEnds(&open);
  ReadTheRest(&open);
  close(output);
  Bury();
}

void ChildProcess::ReadUntilItEnds(pollfd* output) {
  // <sys/pidfd.h> is not for C++ in every distribution.
  const int ends = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  CHECK(ends >= 0) << "process " << pid_ << ": errno " << errno;
  pollfd both[2] = {*output, {.fd = ends, .events = POLLIN, .revents = 0}};
  while (both[1].revents == 0) {
    if (poll(both, 2, -1) < 0) continue;
    if (both[0].revents != 0 && !ReadSome(both[0].fd)) both[0].fd = -1;  // poll looks at it no more
  }
  close(ends);
  *output = both[0];
}

void ChildProcess::ReadTheRest(pollfd* output) {
  const MonotonicTime deadline = clock_.MonotonicNow() + kForTheRest;
  while (output->fd >= 0) {
    const int64_t left = absl::ToInt64Milliseconds(deadline - clock_.MonotonicNow());
    if (left <= 0) break;
    if (poll(output, 1, static_cast<int>(left)) > 0 && !ReadSome(output->fd)) output->fd = -1;
  }
  // It is not buried yet: the group's number is still its own.
  kill(-pid_, SIGKILL);
  // What was written until now. Somebody who has left the group may go on writing for ever.
  if (output->fd < 0) return;
  fcntl(output->fd, F_SETFL, O_NONBLOCK);
  for (size_t read = 0; read < kMostKept && ReadSome(output->fd); read += kPiece) {
  }
}

bool ChildProcess::ReadSome(int output) {
  char bytes[kPiece];
  const ssize_t count = read(output, bytes, sizeof(bytes));
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;
  MutexLock lock(&mu_);
  if (output_.size() > kMostKept) {
    output_.erase(0, kMostKept / 2);
    not_kept_ += kMostKept / 2;
  }
  output_.append(bytes, static_cast<size_t>(count));
  changed_->NotifyAll();
  return true;
}

void ChildProcess::Bury() {
  // Taken away under the lock: until then its number cannot belong to another process.
  MutexLock lock(&mu_);
  RemoveChildGroup(pid_);
  int status = 0;
  CHECK(waitpid(pid_, &status, 0) == pid_) << "process " << pid_ << ": errno " << errno;
  end_ = WIFSIGNALED(status) ? End{.signal = WTERMSIG(status)} : End{.code = WEXITSTATUS(status)};
  changed_->NotifyAll();
}

void ChildProcess::Signal(int signal) {
  MutexLock lock(&mu_);
  if (end_.has_value()) return;
  kill(-pid_, signal);
  if (getpgid(pid_) != pid_) kill(pid_, signal);  // it has gone into another group itself
}

std::string ChildProcess::output() const {
  uint64_t from = 0;
  return OutputFrom(from);
}

std::string ChildProcess::OutputFrom(uint64_t& from) const {
  MutexLock lock(&mu_);
  const uint64_t began = std::exchange(from, not_kept_ + output_.size());
  if (began >= not_kept_) return output_.substr(began - not_kept_);
  return absl::StrCat(began > 0 ? "\n" : "", "(", not_kept_ - began, " bytes are not kept)\n", output_);
}

std::optional<ChildProcess::End> ChildProcess::end() const {
  MutexLock lock(&mu_);
  return end_;
}

testing::AssertionResult ChildProcess::AwaitOutput(const std::string& text, absl::Duration limit) const {
  const MonotonicTime deadline = clock_.MonotonicNow() + limit;
  MutexLock lock(&mu_);
  while (output_.find(text) == std::string::npos) {
    if (end_.has_value()) return Failure(absl::StrCat("it ended without saying \"", text, "\""));
    if (!changed_->WaitUntil(&mu_, deadline)) {
      return Failure(absl::StrCat("it did not say \"", text, "\" within ", absl::FormatDuration(limit)));
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult ChildProcess::AwaitExit(absl::Duration limit) const {
  const MonotonicTime deadline = clock_.MonotonicNow() + limit;
  MutexLock lock(&mu_);
  while (!end_.has_value()) {
    if (!changed_->WaitUntil(&mu_, deadline) && !end_.has_value()) {
      return Failure(absl::StrCat("it did not end within ", absl::FormatDuration(limit)));
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult ChildProcess::Failure(const std::string& what) const {
  return testing::AssertionFailure() << "process " << pid_ << ": " << what << "; its output:\n" << output_;
}

}  // namespace kubelet_cm::harness
