#include "kubelet_cm/life/service_notifier.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/quote.h"
#include "common/status/errno_status.h"
#include "common/unixsocket/socket_path.h"

namespace kubelet_cm::life {

absl::StatusOr<std::unique_ptr<ServiceNotifier>> ServiceNotifier::New(const std::string& notify_socket) {
  if (notify_socket.empty()) return std::unique_ptr<ServiceNotifier>(new ServiceNotifier("", -1));
  std::string address = notify_socket;
  if (address.front() == '@') address.front() = '\0';
  if ((address.front() != '/' && address.front() != '\0') || address.size() < 2 || address.size() > kMaxSocketPath) {
    return absl::InvalidArgumentError(absl::StrCat("$NOTIFY_SOCKET names no socket: ", GoQuote(notify_socket)));
  }
  const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return ErrnoStatus(errno, "socket");
  return std::unique_ptr<ServiceNotifier>(new ServiceNotifier(std::move(address), descriptor));
}

ServiceNotifier::ServiceNotifier(std::string address, int socket) : address_(std::move(address)), socket_(socket) {}

ServiceNotifier::~ServiceNotifier() {
  if (socket_ >= 0) close(socket_);
}

absl::Status ServiceNotifier::Ready(std::string_view status) {
  return Send(absl::StrCat("READY=1\nSTATUS=", std::string(status)));
}

absl::Status ServiceNotifier::Stopping() { return Send("STOPPING=1"); }

absl::Status ServiceNotifier::Alive() { return Send("WATCHDOG=1"); }

absl::Status ServiceNotifier::Send(std::string_view message) {
  if (socket_ < 0) return absl::OkStatus();
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, address_.data(), address_.size());
  const socklen_t length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
  const ssize_t sent = sendto(socket_, message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
                              reinterpret_cast<const sockaddr*>(&address), length);
  return sent < 0 ? ErrnoStatus(errno, "tell systemd") : absl::OkStatus();
}

std::optional<absl::Duration> WatchdogInterval(const ServiceEnvironment& environment, int process_id) {
  int64_t microseconds = 0;
  if (!absl::SimpleAtoi(environment.watchdog_usec, &microseconds) || microseconds <= 0) return std::nullopt;
  int wanted = 0;
  if (!environment.watchdog_pid.empty() &&
      (!absl::SimpleAtoi(environment.watchdog_pid, &wanted) || wanted != process_id)) {
    return std::nullopt;
  }
  // Twice as often as would just do, as systemd recommends.
  return absl::Microseconds(microseconds) / 2;
}

}  // namespace kubelet_cm::life
