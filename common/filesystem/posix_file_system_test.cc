// What only the real file system has: signals, pipes, sockets, links, descriptors. The rest is in
// file_system_contract_test.cc.
#include "common/filesystem/posix_file_system.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "common/clock/fake_clock.h"
#include "common/filesystem/file_functions.h"
#include "common/status/errno_status.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

void DoNothing(int) {}

// While it lives, the signal interrupts system calls, and nothing else happens.
class InterruptingSignal {
 public:
  explicit InterruptingSignal(int number) : number_(number) {
    struct sigaction action = {};
    action.sa_handler = DoNothing;  // without SA_RESTART
    sigaction(number_, &action, &before_);
  }
  ~InterruptingSignal() { sigaction(number_, &before_, nullptr); }

 private:
  const int number_;
  struct sigaction before_ = {};
};

class PosixFileSystemTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = ::testing::TempDir() + "/posix.XXXXXX";
    ASSERT_NE(mkdtemp(root_.data()), nullptr);
  }
  std::string At(const std::string& name) const { return root_ + "/" + name; }

  PosixFileSystem fs_;
  std::string root_;
};

// Many times what a pipe holds, so that each write is cut short.
std::string ManyBytes() {
  std::string bytes(1 << 20, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
  return bytes;
}

TEST_F(PosixFileSystemTest, ReadsAndWritesGoOnAfterSignalsAndShortCounts) {
  const InterruptingSignal signal(SIGUSR1);
  FakeClock clock;
  RealThreads threads(clock);
  ASSERT_EQ(mkfifo(At("pipe").c_str(), 0600), 0);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> pipe, fs_.Open(At("pipe"), OpenMode::kReadWrite));
  const std::string sent = ManyBytes();
  std::atomic<bool> done = false;
  absl::Status written;
  std::unique_ptr<Thread> writer = threads.Start("writer", [&, reader = pthread_self()] {
    std::unique_ptr<Thread> disturber = threads.Start("disturber", [&, writer = pthread_self()] {
      while (!done) {
        pthread_kill(writer, SIGUSR1);
        pthread_kill(reader, SIGUSR1);
        threads.Yield();
      }
    });
    written = pipe->Write(sent);
  });
  const absl::StatusOr<std::string> received = pipe->Read(sent.size());
  done = true;
  writer.reset();
  EXPECT_OK(written);
  ASSERT_OK(received);
  EXPECT_TRUE(*received == sent);
}

TEST_F(PosixFileSystemTest, AWriteThatDoesNotFitReportsTheError) {
  struct rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const InterruptingSignal signal(SIGXFSZ);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs_.Open(At("a"), OpenMode::kCreate));
  const struct rlimit small = {.rlim_cur = 100, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const absl::Status written = file->Write(std::string(150, 'x'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(ErrnoOf(written), EFBIG);
  ASSERT_OK_AND_ASSIGN(const FileStat stat, fs_.Stat(At("a")));
  EXPECT_EQ(stat.size, 100u);
}

TEST_F(PosixFileSystemTest, APipeIsRefusedAsAFileWithoutWaitingForAWriter) {
  ASSERT_EQ(mkfifo(At("pipe").c_str(), 0600), 0);
  EXPECT_THAT(ReadFile(fs_, At("pipe"), 10),
              StatusIs(absl::StatusCode::kFailedPrecondition, ::testing::HasSubstr("not a regular file")));
}

TEST_F(PosixFileSystemTest, TellsLinksSocketsAndPipesApart) {
  ASSERT_EQ(symlink("socket", At("link").c_str()), 0);
  ASSERT_EQ(mkfifo(At("pipe").c_str(), 0600), 0);
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  // The temporary folder's path may be too long for a socket's address; the one through the open folder is not.
  const int folder = open(root_.c_str(), O_RDONLY | O_DIRECTORY);
  const std::string path = "/proc/self/fd/" + std::to_string(folder) + "/socket";
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  ASSERT_EQ(bind(listener, reinterpret_cast<const struct sockaddr*>(&address), sizeof(address)), 0);
  close(listener);
  close(folder);
  ASSERT_OK_AND_ASSIGN(const FileStat link, fs_.Lstat(At("link")));
  ASSERT_OK_AND_ASSIGN(const FileStat linked, fs_.Stat(At("link")));
  ASSERT_OK_AND_ASSIGN(const FileStat pipe, fs_.Stat(At("pipe")));
  EXPECT_EQ(link.kind, FileKind::kSymlink);
  EXPECT_EQ(linked.kind, FileKind::kSocket);
  EXPECT_EQ(pipe.kind, FileKind::kOther);
  EXPECT_EQ(ErrnoOf(fs_.Open(At("link"), OpenMode::kRead).status()), ENXIO);
}

TEST_F(PosixFileSystemTest, ExclusiveCreationDoesNotFollowALink) {
  ASSERT_EQ(symlink("elsewhere", At("link").c_str()), 0);
  EXPECT_EQ(ErrnoOf(fs_.Open(At("link"), OpenMode::kCreateExclusive).status()), EEXIST);
  EXPECT_EQ(ErrnoOf(fs_.Stat(At("elsewhere")).status()), ENOENT);
}

TEST_F(PosixFileSystemTest, OpeningWithoutLinksDoesNotFollowOne) {
  ASSERT_OK(fs_.Open(At("target"), OpenMode::kCreate).status());
  ASSERT_EQ(symlink("target", At("link").c_str()), 0);
  EXPECT_EQ(ErrnoOf(fs_.Open(At("link"), OpenMode::kReadWriteNoLink).status()), ELOOP);
  EXPECT_OK(fs_.Open(At("target"), OpenMode::kReadWriteNoLink).status());
}

TEST_F(PosixFileSystemTest, SecondNamesAreCounted) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs_.Open(At("a"), OpenMode::kCreate));
  ASSERT_EQ(link(At("a").c_str(), At("b").c_str()), 0);
  EXPECT_EQ(file->Stat()->links, 2u);
  EXPECT_EQ(file->Stat()->owner, getuid());
}

// The kernel's signal for it would end the process if it were the usual one.
TEST_F(PosixFileSystemTest, WhoOpensAFileThatIsTakenWaitsAndNobodyIsKilled) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<File> taken, fs_.Open(At("a"), OpenMode::kCreate));
  ASSERT_OK(taken->TakeAlone());
  EXPECT_EQ(open(At("a").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC), -1);
  EXPECT_EQ(errno, EWOULDBLOCK);
  FakeClock clock;
  RealThreads threads(clock);
  std::string read;
  std::unique_ptr<Thread> reader = threads.Start("reader", [&] {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs_.Open(At("a"), OpenMode::kRead));
    read = *file->Read(100);
  });
  EXPECT_OK(taken->WriteAt(0, "whole"));
  EXPECT_OK(taken->Close());
  reader.reset();
  EXPECT_EQ(read, "whole");
}

TEST_F(PosixFileSystemTest, AFileThatAChildProcessInheritsIsGivenBackByClosingIt) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<File> taken, fs_.Open(At("a"), OpenMode::kCreate));
  ASSERT_OK(taken->TakeAlone());
  // As between fork and exec: another descriptor of the same open file, which our own Close does not close.
  int inherited = -1;
  for (int fd = 3; fd < 100 && inherited < 0; ++fd) {
    if (fcntl(fd, F_GETLEASE) == F_WRLCK) inherited = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  }
  ASSERT_GE(inherited, 0);
  EXPECT_OK(taken->Close());
  EXPECT_EQ(fcntl(inherited, F_GETLEASE), F_UNLCK);
  EXPECT_OK(fs_.Open(At("a"), OpenMode::kRead).status());
  close(inherited);
}

TEST_F(PosixFileSystemTest, NewFilesHaveTheModeAskedFor) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs_.Open(At("a"), OpenMode::kCreateExclusive, 0600));
  ASSERT_OK_AND_ASSIGN(const FileStat stat, fs_.Stat(At("a")));
  EXPECT_EQ(stat.mode, 0600u);
}

TEST_F(PosixFileSystemTest, DescriptorsAreNotInheritedAndAreGivenBack) {
  const int next = open("/", O_RDONLY | O_CLOEXEC);
  close(next);
  {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs_.Open(At("a"), OpenMode::kCreate));
    EXPECT_EQ(fcntl(next, F_GETFD), FD_CLOEXEC);
  }
  EXPECT_EQ(fcntl(next, F_GETFD), -1);
}

}  // namespace
}  // namespace kubelet_cm
