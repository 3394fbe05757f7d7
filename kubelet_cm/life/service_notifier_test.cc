#include "kubelet_cm/life/service_notifier.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/status/status_matchers.h"
#include "common/unixsocket/short_temp_dir.h"
#include "gtest/gtest.h"

namespace kubelet_cm::life {
namespace {

// systemd's end: a datagram socket.
class Systemd {
 public:
  explicit Systemd(const std::string& name) : socket_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(bind(socket_, reinterpret_cast<const sockaddr*>(&address), length), 0);
  }
  ~Systemd() { close(socket_); }

  // What it was told next; nothing when it was not told anything.
  std::string Heard() {
    std::array<char, 256> bytes = {};
    const ssize_t count = recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    return count < 0 ? "" : std::string(bytes.data(), static_cast<size_t>(count));
  }

 private:
  const int socket_;
};

TEST(ServiceNotifierTest, SystemdHearsOfTheLife) {
  const ShortTempDir folder;
  Systemd systemd(folder.File("notify"));
  ASSERT_OK_AND_ASSIGN(const auto notifier, ServiceNotifier::New(folder.File("notify")));
  EXPECT_OK(notifier->Ready("serving /var/lib/kubelet"));
  EXPECT_EQ(systemd.Heard(), "READY=1\nSTATUS=serving /var/lib/kubelet");
  EXPECT_OK(notifier->Alive());
  EXPECT_EQ(systemd.Heard(), "WATCHDOG=1");
  EXPECT_OK(notifier->Stopping());
  EXPECT_EQ(systemd.Heard(), "STOPPING=1");
}

TEST(ServiceNotifierTest, AbstractNamesWork) {
  const std::string name = absl::StrCat("kubelet_cm-test-", getpid());
  Systemd systemd(std::string(1, '\0') + name);
  ASSERT_OK_AND_ASSIGN(const auto notifier, ServiceNotifier::New("@" + name));
  EXPECT_OK(notifier->Stopping());
  EXPECT_EQ(systemd.Heard(), "STOPPING=1");
}

TEST(ServiceNotifierTest, WithoutASocketNothingHappens) {
  ASSERT_OK_AND_ASSIGN(const auto notifier, ServiceNotifier::New(""));
  EXPECT_OK(notifier->Ready("x"));
}

TEST(ServiceNotifierTest, ASystemdThatIsGoneIsAnErrorThatSaysSo) {
  const ShortTempDir folder;
  ASSERT_OK_AND_ASSIGN(const auto notifier, ServiceNotifier::New(folder.File("notify")));
  EXPECT_THAT(notifier->Alive(), StatusIs(absl::StatusCode::kNotFound, "tell systemd: No such file or directory"));
}

TEST(ServiceNotifierTest, NamesThatAreNoneAreRefused) {
  for (const std::string& name : {std::string("notify"), std::string("@"), "/" + std::string(200, 'x')}) {
    EXPECT_THAT(ServiceNotifier::New(name), StatusIs(absl::StatusCode::kInvalidArgument)) << name;
  }
}

TEST(ServiceNotifierTest, TheWatchdogHearsTwiceInItsTime) {
  EXPECT_EQ(WatchdogInterval({.watchdog_usec = "30000000"}, 5), absl::Seconds(15));
  EXPECT_EQ(WatchdogInterval({.watchdog_usec = "30000000", .watchdog_pid = "5"}, 5), absl::Seconds(15));
  EXPECT_EQ(WatchdogInterval({.watchdog_usec = "30000000", .watchdog_pid = "6"}, 5), std::nullopt);
  EXPECT_EQ(WatchdogInterval({}, 5), std::nullopt);
  EXPECT_EQ(WatchdogInterval({.watchdog_usec = "0"}, 5), std::nullopt);
  EXPECT_EQ(WatchdogInterval({.watchdog_usec = "x"}, 5), std::nullopt);
}

}  // namespace
}  // namespace kubelet_cm::life
