#include "testing/fakes/fake_api_server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/http/http_workers.h"

namespace kubelet_cm::fakes {
namespace {

constexpr char kJson[] = "application/json";
constexpr absl::Duration kPatience = absl::Seconds(30);
// Each connection that a client keeps has one of them.
constexpr http::HttpWorkers::Size kWorkers = {.threads = 16, .waiting = 64};

// cpp-httplib's server, of either kind, that can be stopped before it has begun.
template <typename Server>
class Stoppable : public Server {
 public:
  using Server::Server;

  void StopListening() {
    const int socket = this->svr_sock_.exchange(INVALID_SOCKET);
    if (socket == INVALID_SOCKET) return;
    shutdown(socket, SHUT_RDWR);
    close(socket);
  }
};

void AnswerStatus(int code, const std::string& reason, const std::string& message, httplib::Response& response) {
  response.status = code;
  response.set_content(ApiStatus(code, reason, message), kJson);
}

void AnswerNoPage(httplib::Response& response) {
  response.status = 404;
  response.set_content("404 page not found\n", "text/plain; charset=utf-8");
}

void AnswerWith(const ApiAnswer& answer, httplib::Response& response) {
  response.status = answer.code;
  response.set_content(answer.body, kJson);
}

// Requests that bring something; it is there only when they are routed.
bool HasBody(const httplib::Request& request) { return request.method == "POST" || request.method == "PUT"; }

}  // namespace

absl::StatusOr<std::unique_ptr<FakeApiServer>> FakeApiServer::New(Threads& threads, Options options) {
  auto server = absl::WrapUnique(new FakeApiServer(threads, std::move(options)));
  RETURN_IF_ERROR(server->Listen());
  return server;
}

FakeApiServer::FakeApiServer(Threads& threads, Options options)
    : threads_(threads),
      options_(std::move(options)),
      changed_(threads.NewCondition("something at the API server")),
      versions_(options_.versions),
      token_(options_.token) {}

absl::Status FakeApiServer::Listen() {
  if (options_.certificate_file.empty()) {
    auto server = std::make_unique<Stoppable<httplib::Server>>();
    stop_listening_ = [raw = server.get()] { raw->StopListening(); };
    server_ = std::move(server);
  } else {
    auto server = std::make_unique<Stoppable<httplib::SSLServer>>(
        options_.certificate_file.c_str(), options_.key_file.c_str(),
        options_.client_ca_file.empty() ? nullptr : options_.client_ca_file.c_str());
    stop_listening_ = [raw = server.get()] { raw->StopListening(); };
    server_ = std::move(server);
  }
  if (!server_->is_valid()) return absl::InvalidArgumentError("the server's certificate or key cannot be used");
  server_->new_task_queue = [this] { return new http::HttpWorkers(threads_, kWorkers); };
  server_->set_keep_alive_timeout(1);
  server_->set_keep_alive_max_count(1'000'000);
  server_->set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    if (HasBody(request)) return httplib::Server::HandlerResponse::Unhandled;
    Handle(request, response);
    return httplib::Server::HandlerResponse::Handled;
  });
  const auto handle = [this](const httplib::Request& request, httplib::Response& response) {
    Handle(request, response);
  };
  server_->Post(".*", handle);
  server_->Put(".*", handle);
  port_ = server_->bind_to_any_port("127.0.0.1");
  if (port_ <= 0) return absl::UnavailableError("no port on the loopback interface");
  acceptor_ = threads_.Start("api server", [this] { server_->listen_after_bind(); });
  return absl::OkStatus();
}

FakeApiServer::~FakeApiServer() {
  {
    MutexLock lock(&mu_);
    stopping_ = true;
  }
  changed_->NotifyAll();
  if (stop_listening_ != nullptr) stop_listening_();
  acceptor_.reset();
}

std::string FakeApiServer::url() const {
  return absl::StrCat(options_.certificate_file.empty() ? "http" : "https", "://127.0.0.1:", port_);
}

void FakeApiServer::Handle(const httplib::Request& request, httplib::Response& response) {
  uint64_t releases = 0;
  {
    MutexLock lock(&mu_);
    requests_.push_back(absl::StrCat(request.method, " ", request.target));
    releases = releases_;  // whoever has seen the request may release it
  }
  changed_->NotifyAll();
  if (HandleFault(request, releases, response)) return;
  MutexLock lock(&mu_);
  if (!token_.empty() && request.get_header_value("Authorization") != "Bearer " + token_) {
    return AnswerStatus(401, "Unauthorized", "Unauthorized", response);
  }
  Route(request, response);
}

bool FakeApiServer::HandleFault(const httplib::Request& request, uint64_t releases, httplib::Response& response) {
  ApiFault fault;
  {
    MutexLock lock(&mu_);
    const auto found = std::find_if(faults_.begin(), faults_.end(), [&](const ApiFault& one) {
      return request.target.find(one.path) != std::string::npos;
    });
    if (found == faults_.end()) return false;
    fault = *found;
    if (--found->times == 0) faults_.erase(found);
    if (fault.how == ApiFault::How::kHang) {
      while (!stopping_ && releases_ == releases) changed_->Wait(&mu_);
      return false;
    }
  }
  if (fault.how == ApiFault::How::kBreakOff) {
    response.set_content_provider(1000, kJson, [](size_t, size_t, httplib::DataSink& sink) {
      sink.write("{\"kind\":", 8);
      return false;
    });
  } else if (fault.how == ApiFault::How::kEndless) {
    response.set_chunked_content_provider(kJson, [](size_t, httplib::DataSink& sink) {
      static const std::string block(size_t{64} << 10, 'x');
      return sink.write(block.data(), block.size());
    });
  } else {
    response.status = fault.code;
    response.set_content(fault.body, kJson);
    const int headers = fault.how == ApiFault::How::kHeaders ? 32 : 0;
    for (int i = 0; i < headers; ++i) response.set_header(absl::StrCat("X-", i), std::string(size_t{16} << 10, 'x'));
  }
  return true;
}

void FakeApiServer::Route(const httplib::Request& request, httplib::Response& response) {
  const std::vector<std::string> parts = absl::StrSplit(request.path.substr(1), absl::MaxSplits('/', 3));
  if (parts.size() == 4 && parts[0] == "api" && parts[2] == "nodes") {
    if (!objects_.nodes.contains(parts[3])) {
      return AnswerStatus(404, "NotFound", absl::StrCat("nodes \"", parts[3], "\" not found"), response);
    }
    return response.set_content(absl::StrCat(R"({"kind":"Node","apiVersion":"v1","metadata":{"name":")", parts[3],
                                             R"(","uid":"uid of )", parts[3], R"("}})"),
                                kJson);
  }
  if (parts.size() < 2 || parts[0] != "apis" || parts[1] != "resource.k8s.io" || versions_.empty()) {
    return AnswerNoPage(response);
  }
  if (parts.size() == 2) {
    std::string list;
    for (const std::string& version : versions_) {
      absl::StrAppend(&list, list.empty() ? "" : ",", R"({"groupVersion":"resource.k8s.io/)", version,
                      R"(","version":")", version, R"("})");
    }
    return response.set_content(
        absl::StrCat(R"({"kind":"APIGroup","apiVersion":"v1","name":"resource.k8s.io","versions":[)", list, "]}"),
        kJson);
  }
  if (std::find(versions_.begin(), versions_.end(), parts[2]) == versions_.end()) return AnswerNoPage(response);
  RouteResource(parts[2], parts.size() == 4 ? parts[3] : "", request, response);
}

void FakeApiServer::RouteResource(const std::string& version, const std::string& rest, const httplib::Request& request,
                                  httplib::Response& response) {
  const std::string api = "resource.k8s.io/" + version;
  const std::pair<std::string, std::string> kind = absl::StrSplit(rest, absl::MaxSplits('/', 1));
  if (kind.first == "resourceslices") return RouteSlices(version, kind.second, request, response);
  if (rest == "resourceclaims") {
    if (request.get_param_value("watch") == "1") return BeginWatch(api, request, response);
    const int limit = std::atoi(request.get_param_value("limit").c_str());
    return response.set_content(objects_.ClaimList(api, limit <= 0 ? SIZE_MAX : static_cast<size_t>(limit),
                                                   request.get_param_value("continue")),
                                kJson);
  }
  const std::vector<std::string> parts = absl::StrSplit(rest, '/');
  if (parts.size() != 4 || parts[0] != "namespaces" || parts[2] != "resourceclaims") return AnswerNoPage(response);
  if (const auto claim = objects_.Claim(parts[1], parts[3], api)) return response.set_content(*claim, kJson);
  AnswerStatus(404, "NotFound", absl::StrCat("resourceclaims.resource.k8s.io \"", parts[3], "\" not found"), response);
}

void FakeApiServer::RouteSlices(const std::string& version, const std::string& name, const httplib::Request& request,
                                httplib::Response& response) {
  changed_->NotifyAll();  // they see what becomes of it when the lock is free
  const std::string selector = request.get_param_value("fieldSelector");
  const std::string what = absl::StrCat(request.method, name.empty() ? "" : " one");
  if (what == "DELETE") return AnswerWith(objects_.slices.DeleteSelected(version, selector), response);
  if (version != "v1alpha2") return AnswerNoPage(response);
  if (what == "GET") return AnswerWith(objects_.slices.List(version, selector), response);
  if (what == "POST") return AnswerWith(objects_.slices.Create(request.body), response);
  if (what == "PUT one") return AnswerWith(objects_.slices.Replace(name, request.body), response);
  if (what == "DELETE one") return AnswerWith(objects_.slices.Delete(name), response);
  AnswerNoPage(response);
}

void FakeApiServer::BeginWatch(const std::string& api, const httplib::Request& request, httplib::Response& response) {
  auto watch = std::make_shared<Watch>();
  watch->api = api;
  watch->version = std::atoll(request.get_param_value("resourceVersion").c_str());
  watch->too_old = !objects_.Remembers(watch->version);
  watch->told = words_.size();
  watch->ends = watch_ends_;
  ++watches_begun_;
  changed_->NotifyAll();
  response.set_chunked_content_provider(
      kJson, [this, watch](size_t, httplib::DataSink& sink) { return ServeWatch(*watch, sink); });
}

bool FakeApiServer::ServeWatch(Watch& watch, httplib::DataSink& sink) {
  std::optional<std::string> news;
  bool end = false;
  {
    MutexLock lock(&mu_);
    while (!end && !(news = NewsFor(watch)).has_value()) {
      end = stopping_ || watch_ends_ != watch.ends;
      if (!end) changed_->Wait(&mu_);
    }
  }
  if (news.has_value()) return sink.write(news->data(), news->size());
  sink.done();
  return true;
}

std::optional<std::string> FakeApiServer::NewsFor(Watch& watch) const {
  if (std::exchange(watch.too_old, false)) {
    return absl::StrCat(R"({"type":"ERROR","object":)",
                        ApiStatus(410, "Expired", absl::StrCat("too old resource version: ", watch.version)), "}\n");
  }
  std::string news = objects_.EventsAfter(&watch.version, watch.api);
  for (; watch.told < words_.size(); ++watch.told) absl::StrAppend(&news, words_[watch.told]);
  if (news.empty()) return std::nullopt;
  return news;
}

void FakeApiServer::PutClaim(const dra::ClaimObject& claim) {
  MutexLock lock(&mu_);
  objects_.PutClaim(claim);
  changed_->NotifyAll();
}

void FakeApiServer::DeleteClaim(const std::string& namespace_name, const std::string& name) {
  MutexLock lock(&mu_);
  objects_.DeleteClaim(namespace_name, name);
  changed_->NotifyAll();
}

void FakeApiServer::PutNode(const std::string& name) {
  MutexLock lock(&mu_);
  objects_.nodes.insert(name);
}

void FakeApiServer::PutSlice(const std::string& name, const ApiSlice& slice) {
  MutexLock lock(&mu_);
  objects_.slices.Put(name, slice);
}

std::set<std::string> FakeApiServer::Slices() const {
  MutexLock lock(&mu_);
  return objects_.slices.Names();
}

absl::Status FakeApiServer::AwaitSlices(const std::string& driver, const std::vector<std::string>& resources) const {
  const MonotonicTime deadline = threads_.clock().MonotonicNow() + kPatience;
  MutexLock lock(&mu_);
  while (objects_.slices.ResourcesOf(driver) != resources) {
    if (!changed_->WaitUntil(&mu_, deadline)) return absl::DeadlineExceededError("other slices: " + driver);
  }
  return absl::OkStatus();
}

void FakeApiServer::SetVersions(std::vector<std::string> versions) {
  MutexLock lock(&mu_);
  versions_ = std::move(versions);
}

void FakeApiServer::SetToken(const std::string& token) {
  MutexLock lock(&mu_);
  token_ = token;
}

void FakeApiServer::Fail(const ApiFault& fault) {
  MutexLock lock(&mu_);
  faults_.push_back(fault);
}

void FakeApiServer::Release() {
  MutexLock lock(&mu_);
  ++releases_;
  changed_->NotifyAll();
}

void FakeApiServer::Compact() {
  MutexLock lock(&mu_);
  objects_.Compact();
}

void FakeApiServer::EndWatches() {
  MutexLock lock(&mu_);
  ++watch_ends_;
  changed_->NotifyAll();
}

void FakeApiServer::Bookmark() {
  int64_t version = 0;
  {
    MutexLock lock(&mu_);
    version = objects_.version();
  }
  SayToWatches(absl::StrCat(R"({"type":"BOOKMARK","object":{"kind":"ResourceClaim","metadata":{"resourceVersion":")",
                            version, R"("}}})"));
}

void FakeApiServer::SayToWatches(const std::string& line) {
  MutexLock lock(&mu_);
  words_.push_back(line + "\n");
  changed_->NotifyAll();
}

std::vector<std::string> FakeApiServer::Requests() const {
  MutexLock lock(&mu_);
  return requests_;
}

size_t FakeApiServer::CountRequests(const std::string& part) const {
  MutexLock lock(&mu_);
  return CountLocked(part);
}

size_t FakeApiServer::CountLocked(const std::string& part) const {
  return static_cast<size_t>(std::count_if(requests_.begin(), requests_.end(), [&](const std::string& request) {
    return request.find(part) != std::string::npos;
  }));
}

absl::Status FakeApiServer::AwaitRequests(const std::string& part, size_t count) const {
  const MonotonicTime deadline = threads_.clock().MonotonicNow() + kPatience;
  MutexLock lock(&mu_);
  while (CountLocked(part) < count) {
    if (!changed_->WaitUntil(&mu_, deadline)) return absl::DeadlineExceededError("no such requests: " + part);
  }
  return absl::OkStatus();
}

absl::Status FakeApiServer::AwaitWatches(size_t count) const {
  const MonotonicTime deadline = threads_.clock().MonotonicNow() + kPatience;
  MutexLock lock(&mu_);
  while (watches_begun_ < count) {
    if (!changed_->WaitUntil(&mu_, deadline)) return absl::DeadlineExceededError("no such number of watches");
  }
  return absl::OkStatus();
}

}  // namespace kubelet_cm::fakes
