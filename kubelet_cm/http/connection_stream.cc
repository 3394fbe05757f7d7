#include "kubelet_cm/http/connection_stream.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace kubelet_cm::http {
namespace {

constexpr size_t kChunk = 4096;

}  // namespace

ConnectionStream::ConnectionStream(int socket, const Clock& clock, const ConnectionLimits& limits)
    : socket_(socket), clock_(clock), limits_(limits), request_deadline_(clock.MonotonicNow() + limits.request_time) {}

ssize_t ConnectionStream::read(char* bytes, size_t size) {
  if (next_ == buffer_.size() && !Fill()) return -1;
  const size_t count = std::min(size, buffer_.size() - next_);
  std::memcpy(bytes, buffer_.data() + next_, count);
  next_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t ConnectionStream::write(const char* bytes, size_t size) {
  if (answer_deadline_ == MonotonicTime::InfiniteFuture())
    answer_deadline_ = clock_.MonotonicNow() + limits_.answer_time;
  for (size_t written = 0; written < size;) {
    const ssize_t count = send(socket_, bytes + written, size - written, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count >= 0) {
      written += static_cast<size_t>(count);
    } else if (errno == EAGAIN || errno == EINTR) {
      if (!Await(POLLOUT, answer_deadline_)) return -1;
    } else {
      return -1;
    }
  }
  return static_cast<ssize_t>(size);
}

void ConnectionStream::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

void ConnectionStream::get_local_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

bool ConnectionStream::Await(short events, MonotonicTime deadline) const {
  while (true) {
    const absl::Duration left = deadline - clock_.MonotonicNow();
    if (left <= absl::ZeroDuration()) return false;
    pollfd waiting = {.fd = socket_, .events = events, .revents = 0};
    const int ready = poll(&waiting, 1, static_cast<int>(absl::ToInt64Milliseconds(left)) + 1);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

bool ConnectionStream::Fill() {
  const size_t wanted = std::min(kChunk, limits_.request_bytes - received_);
  if (wanted == 0) return false;
  buffer_.resize(wanted);
  next_ = 0;
  ssize_t count = 0;
  do {
    if (!Await(POLLIN, request_deadline_)) {
      buffer_.clear();
      return false;
    }
    count = recv(socket_, buffer_.data(), wanted, MSG_DONTWAIT);
  } while (count < 0 && (errno == EAGAIN || errno == EINTR));
  buffer_.resize(count > 0 ? static_cast<size_t>(count) : 0);
  received_ += buffer_.size();
  return count > 0;
}

}  // namespace kubelet_cm::http
