#include "common/unixsocket/connection_listener.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "common/status/check.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/socket_path.h"

namespace kubelet_cm {
namespace {

constexpr int kBacklog = 256;
// How long a connection waits that could not even be refused.
constexpr int kPauseMilliseconds = 100;

int OpenSpare() { return eventfd(0, EFD_CLOEXEC); }

// The smallest number that is free is the next descriptor's, so it says how many there are.
int64_t MostDescriptors(int percent) {
  rlimit limit = {};
  CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0) << "errno " << errno;
  return static_cast<int64_t>(limit.rlim_cur / 100 * static_cast<rlim_t>(percent));
}

bool IsOutOfDescriptors(int error) { return error == EMFILE || error == ENFILE; }

// A peer that the system does not name is nobody.
std::optional<uid_t> UserOf(int connection) {
  ucred peer = {};
  socklen_t size = sizeof(peer);
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
  return peer.uid;
}

}  // namespace

bool IsUserAllowed(uid_t peer, uid_t own) { return peer == own || peer == 0; }

absl::StatusOr<std::unique_ptr<ConnectionListener>> ConnectionListener::New(Threads& threads, Options options) {
  const std::string& path = options.path;
  RETURN_IF_ERROR(CheckSocketPath(path));
  const int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listening < 0) return ErrnoStatus(errno, "socket");
  absl::Cleanup close_listening = [listening] { close(listening); };
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  if (bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    return ErrnoStatus(errno, absl::StrCat("bind ", path));
  }
  if (listen(listening, kBacklog) != 0) return ErrnoStatus(errno, absl::StrCat("listen ", path));
  const int ending = eventfd(0, EFD_CLOEXEC);
  if (ending < 0) return ErrnoStatus(errno, "eventfd");
  std::move(close_listening).Cancel();
  std::unique_ptr<ConnectionListener> listener(
      new ConnectionListener(listening, ending, OpenSpare(), std::move(options)));
  listener->thread_ = threads.Start("accept", [it = listener.get()] { it->Listen(); });
  return listener;
}

ConnectionListener::ConnectionListener(int socket, int ending, int spare, Options options)
    : socket_(socket), ending_(ending), spare_(spare), options_(std::move(options)) {}

ConnectionListener::~ConnectionListener() {
  const uint64_t one = 1;
  CHECK(write(ending_, &one, sizeof(one)) == sizeof(one)) << "the listener cannot be woken";
  thread_.reset();
  close(socket_);
  close(ending_);
  if (spare_ >= 0) close(spare_);
}

void ConnectionListener::Listen() {
  while (true) {
    std::array<pollfd, 2> waiting = {
        {{.fd = ending_, .events = POLLIN, .revents = 0}, {.fd = socket_, .events = POLLIN, .revents = 0}}};
    if (poll(waiting.data(), waiting.size(), -1) < 0) continue;  // interrupted
    if (waiting[0].revents != 0) return;
    AcceptOne();
  }
}

void ConnectionListener::AcceptOne() {
  const int connection = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (connection < 0) {
    if (IsOutOfDescriptors(errno)) {
      RefuseOne();
    } else if (errno != EAGAIN && errno != ECONNABORTED && errno != EINTR) {
      Pause();  // the system is short of something
    }
    return;
  }
  if (IsWelcome(connection)) {
    options_.accepted(connection);
  } else {
    close(connection);
  }
}

bool ConnectionListener::IsWelcome(int connection) const {
  if (connection > MostDescriptors(options_.descriptors_percent)) return false;
  if (options_.admits == nullptr) return true;
  const std::optional<uid_t> user = UserOf(connection);
  return user.has_value() && options_.admits(*user);
}

void ConnectionListener::RefuseOne() {
  if (spare_ >= 0) close(std::exchange(spare_, -1));
  const int connection = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection >= 0) close(connection);
  spare_ = OpenSpare();
  if (connection < 0) Pause();  // another thread was faster
}

// There is no event for what the system has again.
void ConnectionListener::Pause() const {
  pollfd ending = {.fd = ending_, .events = POLLIN, .revents = 0};
  poll(&ending, 1, kPauseMilliseconds);
}

}  // namespace kubelet_cm
