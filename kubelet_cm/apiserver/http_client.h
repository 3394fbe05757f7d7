// HttpClient: the seam between what speaks to an API server and HTTP itself. CurlClient (curl_client.h) is the real
// one; tests of what stands above run it against testing/fakes/fake_api_server.h.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_HTTP_CLIENT_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_HTTP_CLIENT_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace kubelet_cm::apiserver {

struct HttpRequest {
  std::string method = "GET";
  std::string url = {};
  std::vector<std::string> headers = {};  // "Name: value"
  std::string body = {};                  // empty: none is sent
  // From the first attempt to connect to the answer's last byte.
  absl::Duration timeout = absl::Seconds(10);
  // Of an answer that is taken as a whole.
  size_t max_bytes = size_t{4} << 20;
  // A connection that is there is not used: certificates and keys are read again.
  bool fresh_connection = false;
};

struct HttpAnswer {
  int code = 0;
  std::string body = {};
};

// An answer as it comes. Used by one thread; Cancel by any.
class HttpStream {
 public:
  HttpStream() = default;
  HttpStream(const HttpStream&) = delete;
  HttpStream& operator=(const HttpStream&) = delete;
  virtual ~HttpStream() = default;

  // Sends the request and waits for the status. Once, first of all.
  virtual absl::StatusOr<int> Start() = 0;
  // Waits for the next bytes of the body. Empty: the end.
  virtual absl::StatusOr<std::string> Read() = 0;
  // What waits here, and every later call, ends soon with kCancelled.
  virtual void Cancel() = 0;
};

// Thread-safe. Errors are of the transport: kUnavailable when the server cannot be reached or breaks off,
// kDeadlineExceeded when the time is over, kResourceExhausted for an answer that is too large, kFailedPrecondition when
// it is not known to be the right server, or our certificate cannot be used. Whatever the server answers, is none.
class HttpClient {
 public:
  HttpClient() = default;
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  virtual ~HttpClient() = default;

  virtual absl::StatusOr<HttpAnswer> Call(const HttpRequest& request) = 0;
  // Nothing happens before Start. The stream is destroyed before the client.
  virtual std::unique_ptr<HttpStream> Open(const HttpRequest& request) = 0;
  // For good: everything under way and all that is asked later ends soon with kCancelled.
  virtual void Stop() = 0;
};

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_HTTP_CLIENT_H_
