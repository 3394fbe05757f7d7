// ConnectionStream: one accepted connection, as cpp-httplib reads and writes it, with limits on everything that a
// client can draw out: how much a request has, how long it takes to arrive, how long an answer takes to be taken.
//
// Used by one thread at a time. The socket is the caller's to close.
#ifndef KUBELET_CM_KUBELET_CM_HTTP_CONNECTION_STREAM_H_
#define KUBELET_CM_KUBELET_CM_HTTP_CONNECTION_STREAM_H_

#include <cstddef>
#include <string>

#include "absl/time/time.h"
#include "common/clock/clock.h"
#include "common/clock/monotonic_time.h"
#include "httplib.h"

namespace kubelet_cm::http {

struct ConnectionLimits {
  size_t request_bytes = 16 << 10;
  absl::Duration request_time = absl::Seconds(5);  // all of the request
  absl::Duration answer_time = absl::Seconds(10);  // all of the answer, from its first byte on
};

class ConnectionStream : public httplib::Stream {
 public:
  // `clock` outlives the stream.
  ConnectionStream(int socket, const Clock& clock, const ConnectionLimits& limits);

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }

  // As read(2) and write(2); -1 when a limit is reached. A write takes all.
  ssize_t read(char* bytes, size_t size) override;
  ssize_t write(const char* bytes, size_t size) override;
  using httplib::Stream::write;

  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  // No number of a socket: cpp-httplib refuses those that select() could not wait for, which nothing here does.
  socket_t socket() const override { return 0; }

 private:
  // Waits until the socket is ready for `events`; false at the deadline.
  bool Await(short events, MonotonicTime deadline) const;
  bool Fill();

  const int socket_;
  const Clock& clock_;
  const ConnectionLimits limits_;
  const MonotonicTime request_deadline_;
  MonotonicTime answer_deadline_ = MonotonicTime::InfiniteFuture();  // known from the first write on
  size_t received_ = 0;
  std::string buffer_;  // received, and read up to next_
  size_t next_ = 0;
};

}  // namespace kubelet_cm::http

#endif  // KUBELET_CM_KUBELET_CM_HTTP_CONNECTION_STREAM_H_
