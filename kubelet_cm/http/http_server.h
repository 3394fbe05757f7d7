// HttpServer: pages for people and monitors on the loopback interface. Reading only: there is no page that changes
// anything, and no method but GET and HEAD.
//
// Each connection has one request. What a client can cost is bounded: connections, threads, bytes, time. Pages are
// called by the server's threads, several at once.
#ifndef KUBELET_CM_KUBELET_CM_HTTP_HTTP_SERVER_H_
#define KUBELET_CM_KUBELET_CM_HTTP_HTTP_SERVER_H_

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/container/btree_map.h"
#include "absl/status/statusor.h"
#include "common/log/logger.h"
#include "common/threads/threads.h"
#include "kubelet_cm/http/connection_stream.h"
#include "kubelet_cm/http/http_workers.h"

namespace kubelet_cm::http {

struct HttpRequest {
  std::string path = {};
  std::multimap<std::string, std::string> parameters = {};  // of the query

  bool Has(const std::string& parameter) const { return parameters.contains(parameter); }
};

struct HttpAnswer {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body = {};
};

// By path; one that ends with a slash is for all below it.
using HttpPages = absl::btree_map<std::string, std::function<HttpAnswer(const HttpRequest&)>>;

struct HttpServerOptions {
  std::string address = "127.0.0.1";  // of the loopback interface
  int port = 10248;                   // 0: one that is free
  HttpWorkers::Size workers = {};
  ConnectionLimits limits = {};
};

// Shutdown and destruction by one thread.
class HttpServer {
 public:
  // Serving when it returns. kInvalidArgument for an address that others could reach, kUnavailable when the port cannot
  // be had. `threads` and `log` outlive the server.
  static absl::StatusOr<std::unique_ptr<HttpServer>> New(Threads& threads, Logger& log, HttpPages pages,
                                                         const HttpServerOptions& options);
  // The same, but connections wait until Serve is called, once.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Bind(Threads& threads, Logger& log, HttpPages pages,
                                                          const HttpServerOptions& options);
  void Serve();

  // As Shutdown.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const { return port_; }

  // Takes no more connections, cuts those that there are, and returns when no page is running any more.
  void Shutdown();

 private:
  class Connections;

  HttpServer(Threads& threads, std::unique_ptr<Connections> connections, int port);

  Threads& threads_;
  const std::unique_ptr<Connections> connections_;
  const int port_;
  std::unique_ptr<Thread> acceptor_;  // null before Serve and after Shutdown
};

}  // namespace kubelet_cm::http

#endif  // KUBELET_CM_KUBELET_CM_HTTP_HTTP_SERVER_H_
