#include "kubelet_cm/http/http_server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/quote.h"
#include "common/status/status_macros.h"
#include "common/threads/mutex.h"
#include "kubelet_cm/config/loopback_address.h"

namespace kubelet_cm::http {
namespace {

constexpr int kBacklog = 64;

}  // namespace

// cpp-httplib's server with our threads, and our limits on each connection.
class HttpServer::Connections : public httplib::Server {
 public:
  Connections(Threads& threads, Logger& log, HttpPages pages, const HttpServerOptions& options)
      : threads_(threads), log_(log), pages_(std::move(pages)), options_(options) {
    new_task_queue = [this] { return new HttpWorkers(threads_, options_.workers); };
    // Its default lets a second daemon listen at the same port.
    set_socket_options([](socket_t socket) {
      const int on = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    });
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      Answer(request, response);
      return HandlerResponse::Handled;
    });
  }

  absl::StatusOr<int> Bind() {
    errno = 0;
    const int port = options_.port != 0 ? options_.port : bind_to_any_port(options_.address);
    if (port > 0 && (options_.port == 0 || bind_to_port(options_.address, port))) {
      ::listen(svr_sock_, kBacklog);  // it has five: a sixth connection would wait for a second
      return port;
    }
    const int error = errno;
    const std::string what = absl::StrCat("cannot listen on ", options_.address, ":", options_.port);
    if (error == 0) return absl::UnavailableError(what);
    return absl::UnavailableError(absl::ErrnoToStatus(error, what).message());
  }

  // Returns after Stop.
  void Serve() {
    if (!listen_after_bind()) log_.Error("HTTP server ended", {{"address", options_.address}, {"port", options_.port}});
  }

  // Serve ends, and nobody is waited for.
  void Stop() {
    {
      MutexLock lock(&mu_);
      stopping_ = true;
      for (const int socket : open_) shutdown(socket, SHUT_RDWR);
    }
    // Not closed before Serve has ended: another file could get its number.
    listening_ = svr_sock_.exchange(INVALID_SOCKET);
    if (listening_ != INVALID_SOCKET) shutdown(listening_, SHUT_RDWR);
  }

  // Serve has ended.
  void Close() {
    if (listening_ != INVALID_SOCKET) close(std::exchange(listening_, INVALID_SOCKET));
  }

 private:
  bool process_and_close_socket(socket_t socket) override {
    bool served = false;
    if (Open(socket)) {
      ConnectionStream stream(socket, threads_.clock(), options_.limits);
      bool closed = false;
      served = process_request(stream, /*close_connection=*/true, closed, [](httplib::Request& request) {
        // Ranges multiply what an answer costs, compression what it takes to make.
        request.ranges.clear();
        request.headers.erase("Accept-Encoding");
      });
    }
    MutexLock lock(&mu_);
    open_.erase(socket);
    shutdown(socket, SHUT_RDWR);
    close(socket);
    return served;
  }

  bool Open(int socket) {
    MutexLock lock(&mu_);
    if (stopping_) return false;
    open_.insert(socket);
    return true;
  }

  void Answer(const httplib::Request& request, httplib::Response& response) const {
    const HttpAnswer answer = AnswerOf(request);
    response.status = answer.status;
    response.set_header("X-Content-Type-Options", "nosniff");
    if (answer.status == 405) response.set_header("Allow", "GET, HEAD");
    response.set_content(answer.body, answer.content_type);
  }

  HttpAnswer AnswerOf(const httplib::Request& request) const {
    if (request.method != "GET" && request.method != "HEAD") return {.status = 405, .body = "Method Not Allowed\n"};
    auto page = pages_.find(request.path);
    if (page == pages_.end()) {
      // "/healthz/log" is below "/healthz/".
      page = pages_.find(request.path.substr(0, request.path.rfind('/') + 1));
    }
    if (page == pages_.end() || page->first == "/") return {.status = 404, .body = "404 page not found\n"};
    return page->second({.path = request.path, .parameters = request.params});
  }

  Threads& threads_;
  Logger& log_;
  const HttpPages pages_;
  const HttpServerOptions options_;
  socket_t listening_ = INVALID_SOCKET;  // from Stop to Close
  Mutex mu_;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  std::set<int> open_ ABSL_GUARDED_BY(mu_);
};

HttpServer::HttpServer(Threads& threads, std::unique_ptr<Connections> connections, int port)
    : threads_(threads), connections_(std::move(connections)), port_(port) {}

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::New(Threads& threads, Logger& log, HttpPages pages,
                                                            const HttpServerOptions& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<HttpServer> server, Bind(threads, log, std::move(pages), options));
  server->Serve();
  return server;
}

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Bind(Threads& threads, Logger& log, HttpPages pages,
                                                             const HttpServerOptions& options) {
  if (config::KindOfAddress(options.address) != config::AddressKind::kLoopback) {
    return absl::InvalidArgumentError(
        absl::StrCat("HTTP is served on the loopback interface only, not on ", GoQuote(options.address)));
  }
  auto connections = std::make_unique<Connections>(threads, log, std::move(pages), options);
  const auto port = connections->Bind();
  if (!port.ok()) return port.status();
  return std::unique_ptr<HttpServer>(new HttpServer(threads, std::move(connections), *port));
}

void HttpServer::Serve() {
  acceptor_ = threads_.Start("http accept", [serving = connections_.get()] { serving->Serve(); });
}

HttpServer::~HttpServer() { Shutdown(); }

void HttpServer::Shutdown() {
  connections_->Stop();
  acceptor_.reset();
  connections_->Close();
}

}  // namespace kubelet_cm::http
