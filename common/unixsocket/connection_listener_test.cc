#include "common/unixsocket/connection_listener.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/short_temp_dir.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

// A connection to `path`; -1 when there is none.
int Connect(const std::string& path) {
  const int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) return connection;
  close(connection);
  return -1;
}

// Whether the other side has closed the connection without a word; waits for either.
bool IsRefused(int connection) {
  char byte = 0;
  return read(connection, &byte, 1) <= 0;
}

class ConnectionListenerTest : public ::testing::Test {
 protected:
  // Says "y" to each connection that is passed on.
  void Listen(ConnectionListener::Options options = {.admits = [](uid_t peer) { return peer == geteuid(); },
                                                     .descriptors_percent = 100}) {
    options.path = path_;
    options.accepted = [](int connection) {
      EXPECT_EQ(write(connection, "y", 1), 1);
      close(connection);
    };
    ASSERT_OK_AND_ASSIGN(listener_, ConnectionListener::New(threads_, options));
  }

  const ShortTempDir folder_;
  const std::string path_ = folder_.File("s");
  RealClock clock_;
  RealThreads threads_{clock_};
  std::unique_ptr<ConnectionListener> listener_;
};

TEST_F(ConnectionListenerTest, OurOwnUserIsServed) {
  Listen();
  const int connection = Connect(path_);
  EXPECT_FALSE(IsRefused(connection));
  close(connection);
}

TEST_F(ConnectionListenerTest, AUserWhoIsNotAdmittedIsRefused) {
  Listen({.admits = [](uid_t peer) { return peer != geteuid(); }, .descriptors_percent = 100});
  const int connection = Connect(path_);
  EXPECT_TRUE(IsRefused(connection));
  close(connection);
}

TEST(IsUserAllowedTest, TheOwnUserAndRootAre) {
  EXPECT_TRUE(IsUserAllowed(1000, 1000));
  EXPECT_TRUE(IsUserAllowed(0, 1000));
  EXPECT_TRUE(IsUserAllowed(0, 0));
  EXPECT_FALSE(IsUserAllowed(1001, 1000));
  EXPECT_FALSE(IsUserAllowed(1000, 0));
}

TEST_F(ConnectionListenerTest, AConnectionForWhichNoDescriptorIsLeftIsRefusedAndLaterOnesAreServed) {
  Listen();
  const int connection = Connect(path_);
  ASSERT_FALSE(IsRefused(connection));  // the listener is at work
  close(connection);
  const int early = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::vector<int> taken;
  for (int fd = dup(early); fd >= 0; fd = dup(early)) taken.push_back(fd);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path_.data(), path_.size());
  EXPECT_EQ(connect(early, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_TRUE(IsRefused(early));
  for (const int fd : taken) close(fd);
  close(early);
  const int later = Connect(path_);
  EXPECT_FALSE(IsRefused(later));
  close(later);
}

TEST_F(ConnectionListenerTest, SomeDescriptorsAreLeftForOthers) {
  Listen({.descriptors_percent = 0});
  const int connection = Connect(path_);
  EXPECT_TRUE(IsRefused(connection));
  close(connection);
}

TEST_F(ConnectionListenerTest, APathThatIsTakenIsAnError) {
  Listen();
  EXPECT_THAT(ConnectionListener::New(threads_, {.path = path_}), StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace kubelet_cm
