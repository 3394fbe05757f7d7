// ServiceNotifier: what systemd is told of this process (sd_notify(3)): a datagram to the socket that it names. Without
// one there is nobody to tell, and nothing happens.
#ifndef KUBELET_CM_KUBELET_CM_LIFE_SERVICE_NOTIFIER_H_
#define KUBELET_CM_KUBELET_CM_LIFE_SERVICE_NOTIFIER_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace kubelet_cm::life {

// Of the environment; main reads it.
struct ServiceEnvironment {
  std::string notify_socket = {};  // $NOTIFY_SOCKET
  std::string watchdog_usec = {};  // $WATCHDOG_USEC
  std::string watchdog_pid = {};   // $WATCHDOG_PID
};

// Thread-safe. Never waits: what systemd does not take at once is lost, and said so.
class ServiceNotifier {
 public:
  // kInvalidArgument for a socket's name that is neither absolute nor abstract ("@...").
  static absl::StatusOr<std::unique_ptr<ServiceNotifier>> New(const std::string& notify_socket);
  ~ServiceNotifier();
  ServiceNotifier(const ServiceNotifier&) = delete;
  ServiceNotifier& operator=(const ServiceNotifier&) = delete;

  // READY=1, with a line for `systemctl status`.
  absl::Status Ready(std::string_view status);
  // STOPPING=1.
  absl::Status Stopping();
  // WATCHDOG=1.
  absl::Status Alive();

 private:
  ServiceNotifier(std::string address, int socket);

  absl::Status Send(std::string_view message);

  const std::string address_;  // as the kernel has it: an abstract one begins with a NUL
  const int socket_;           // -1: nobody to tell
};

// How often systemd wants to hear that the process `process_id` is alive; nothing when it does not.
std::optional<absl::Duration> WatchdogInterval(const ServiceEnvironment& environment, int process_id);

}  // namespace kubelet_cm::life

#endif  // KUBELET_CM_KUBELET_CM_LIFE_SERVICE_NOTIFIER_H_
