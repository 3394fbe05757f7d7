#include "testing/harness/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "absl/strings/str_cat.h"
#include "common/status/check.h"
#include "common/status/errno_status.h"

namespace kubelet_cm::harness {
namespace {

constexpr size_t kMostKept = size_t{4} << 20;

// What posix_spawn takes: a list of words that ends with a null pointer.
std::vector<char*> WordsOf(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Output goes to `output`; signals are as a process has them that a shell starts.
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
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

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
  return std::unique_ptr<ChildProcess>(new ChildProcess(threads, *pid, ends[0]));
}

ChildProcess::ChildProcess(Threads& threads, pid_t pid, int output)
    : clock_(threads.clock()),
      pid_(pid),
      changed_(threads.NewCondition("a child process to say something or to end")),
      reader_(threads.Start("child-output", [this, output] { Read(output); })) {}

ChildProcess::~ChildProcess() {
  Signal(SIGKILL);
  reader_.reset();
}

void ChildProcess::Read(int output) {
  char bytes[16 << 10];
  while (true) {
    const ssize_t count = read(output, bytes, sizeof(bytes));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    MutexLock lock(&mu_);
    if (output_.size() > kMostKept) output_.erase(0, kMostKept / 2);
    output_.append(bytes, static_cast<size_t>(count));
    changed_->NotifyAll();
  }
  close(output);
  Bury();
}

void ChildProcess::Bury() {
  // Looked at first and taken away under the lock: until then its number cannot belong to another process.
  siginfo_t info = {};
  while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0) {
    CHECK(errno == EINTR) << "wait for process " << pid_ << ": errno " << errno;
  }
  MutexLock lock(&mu_);
  int status = 0;
  CHECK(waitpid(pid_, &status, 0) == pid_) << "process " << pid_ << ": errno " << errno;
  end_ = WIFSIGNALED(status) ? End{.signal = WTERMSIG(status)} : End{.code = WEXITSTATUS(status)};
  changed_->NotifyAll();
}

void ChildProcess::Signal(int signal) {
  MutexLock lock(&mu_);
  if (!end_.has_value()) kill(pid_, signal);
}

std::string ChildProcess::output() const {
  MutexLock lock(&mu_);
  return output_;
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
