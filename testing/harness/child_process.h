// ChildProcess: a program that a test runs beside itself, with a limit to every wait and what it says kept.
//
//   ASSERT_OK_AND_ASSIGN(auto child, ChildProcess::Start(threads, {.program = kProgram, .arguments = {"--verbose"}}));
//   ASSERT_TRUE(child->AwaitOutput("ready"));
//   child->Signal(SIGKILL);
//   ASSERT_TRUE(child->AwaitExit());
//
// It is started with posix_spawn: a fork would copy gRPC's threads and locks. It leads a process group: signals go to
// all that it starts, and when it has ended those that still hold its output have a second to end, too, and what is
// left is killed. Only what has left the group lives on. Thread-safe.
#ifndef KUBELET_CM_TESTING_HARNESS_CHILD_PROCESS_H_
#define KUBELET_CM_TESTING_HARNESS_CHILD_PROCESS_H_

#include <poll.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "gtest/gtest.h"

namespace kubelet_cm::harness {

class ChildProcess {
 public:
  // Far longer than anything takes on a machine under load.
  static constexpr absl::Duration kPatience = absl::Seconds(60);

  struct Options {
    std::string program = {};
    std::vector<std::string> arguments = {};
    std::vector<std::string> environment = {};  // NAME=value; nothing of the caller's
  };

  // How it ended: by a signal, or with an exit code.
  struct End {
    int signal = 0;
    int code = 0;

    friend bool operator==(const End&, const End&) = default;
  };

  // `threads` is of a RealClock and outlives the process.
  static absl::StatusOr<std::unique_ptr<ChildProcess>> Start(Threads& threads, const Options& options);
  // It is killed if it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  // To it and to all that it has started. Nothing, for one that has ended.
  void Signal(int signal);
  // What it has written to standard output and standard error, in the order of its writes. The last megabytes are kept;
  // "(so many bytes are not kept)" is a line in place of what was before.
  std::string output() const;
  // The same beyond its first `from` bytes, which becomes the number of all that there are.
  std::string OutputFrom(uint64_t& from) const;
  // Nothing while it runs.
  std::optional<End> end() const;

  // Waits for a text in the output. A failure has all output.
  testing::AssertionResult AwaitOutput(const std::string& text, absl::Duration limit = kPatience) const;
  // Waits until it has ended and all it wrote has been read. Whoever else can write there is not waited for.
  testing::AssertionResult AwaitExit(absl::Duration limit = kPatience) const;

 private:
  ChildProcess(Threads& threads, pid_t pid, int output);

  // The thread that reads until the process has ended, and buries it.
  void Watch(int output);
  void ReadUntilItEnds(pollfd* output);
  // What is left, of those whom it leaves behind.
  void ReadTheRest(pollfd* output);
  // False when there is nothing more to come.
  bool ReadSome(int output);
  void Bury();
  testing::AssertionResult Failure(const std::string& what) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const Clock& clock_;
  const pid_t pid_;
  mutable Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  std::string output_ ABSL_GUARDED_BY(mu_);
  uint64_t not_kept_ ABSL_GUARDED_BY(mu_) = 0;  // bytes before these
  std::optional<End> end_ ABSL_GUARDED_BY(mu_);
  std::unique_ptr<Thread> watcher_;  // uses all of the above
};

}  // namespace kubelet_cm::harness

#endif  // KUBELET_CM_TESTING_HARNESS_CHILD_PROCESS_H_
