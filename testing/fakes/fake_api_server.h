// FakeApiServer: a Kubernetes API server on the loopback interface, as far as a kubelet's DRA manager uses one: real
// HTTP (or HTTPS), the real paths, lists in pages, watch streams.
//
//   ASSERT_OK_AND_ASSIGN(auto server, FakeApiServer::New(threads, {.token = "secret"}));
//   server->PutClaim(claim);
//   ... a client of server->url() ...
//   server->Fail({.path = "/resourceclaims/", .code = 503});     // the next request whose URL has that in it
//   server->Compact();                                           // watches from before: 410 Gone
//
// Thread-safe. Clients of it are stopped before it is.
#ifndef KUBELET_CM_TESTING_FAKES_FAKE_API_SERVER_H_
#define KUBELET_CM_TESTING_FAKES_FAKE_API_SERVER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "dra/claim/claim_object.h"
#include "httplib.h"
#include "testing/fakes/api_objects.h"
#include "testing/fakes/api_slices.h"

namespace kubelet_cm::fakes {

// What goes wrong with requests whose URL has `path` in it.
struct ApiFault {
  enum class How {
    kAnswer,    // with `code` and `body`
    kHang,      // until Release, or the end
    kBreakOff,  // the connection ends in the middle of the answer
    kEndless,   // an answer without end
    kHeaders,   // half a megabyte of headers
  };
  std::string path = {};
  How how = How::kAnswer;
  int code = 500;
  std::string body = {};
  int times = 1;
};

class FakeApiServer {
 public:
  struct Options {
    std::vector<std::string> versions = {"v1", "v1beta2", "v1beta1"};  // of resource.k8s.io
    std::string token = {};                                            // empty: everybody is answered
    // HTTPS where there is a certificate; with a CA, only those who show a certificate of it are answered.
    std::string certificate_file = {};
    std::string key_file = {};
    std::string client_ca_file = {};
  };

  // Serving when it returns. `threads`, which are real ones, outlive it.
  static absl::StatusOr<std::unique_ptr<FakeApiServer>> New(Threads& threads, Options options);
  // Everybody who waits is let go.
  ~FakeApiServer();
  FakeApiServer(const FakeApiServer&) = delete;
  FakeApiServer& operator=(const FakeApiServer&) = delete;

  // "http://127.0.0.1:12345".
  std::string url() const;

  // New, or in place of the one of that name.
  void PutClaim(const dra::ClaimObject& claim);
  void DeleteClaim(const std::string& namespace_name, const std::string& name);
  void PutNode(const std::string& name);
  void PutSlice(const std::string& name, const ApiSlice& slice);
  // The names of those that there are.
  std::set<std::string> Slices() const;
  // Waits until the driver's slices, by their names, have these "namedResources".
  absl::Status AwaitSlices(const std::string& driver, const std::vector<std::string>& resources) const;

  void SetVersions(std::vector<std::string> versions);
  void SetToken(const std::string& token);
  void Fail(const ApiFault& fault);
  // Requests that hang go on as usual.
  void Release();

  // Watches that begin with an older version than that of now are told 410 Gone, those under way go on.
  void Compact();
  // The watches under way end.
  void EndWatches();
  // They are told the version of now.
  void Bookmark();
  // They are told this line.
  void SayToWatches(const std::string& line);

  // "GET /path?query", in the order in which they came; failed ones included.
  std::vector<std::string> Requests() const;
  size_t CountRequests(const std::string& part) const;
  // Waits until so many requests have come that have `part` in them, or so many watches have begun.
  absl::Status AwaitRequests(const std::string& part, size_t count) const;
  absl::Status AwaitWatches(size_t count) const;

 private:
  // A watch under way.
  struct Watch {
    std::string api;
    int64_t version = 0;
    bool too_old = false;  // which is told first
    size_t told = 0;       // of words_
    uint64_t ends = 0;     // as watch_ends_ was when it began
  };

  FakeApiServer(Threads& threads, Options options);
  absl::Status Listen();
  void Handle(const httplib::Request& request, httplib::Response& response);
  // Whether the request was dealt with.
  bool HandleFault(const httplib::Request& request, uint64_t releases, httplib::Response& response);
  void Route(const httplib::Request& request, httplib::Response& response) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void RouteResource(const std::string& version, const std::string& rest, const httplib::Request& request,
                     httplib::Response& response) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // `name` is empty for all of them.
  void RouteSlices(const std::string& version, const std::string& name, const httplib::Request& request,
                   httplib::Response& response) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void BeginWatch(const std::string& api, const httplib::Request& request, httplib::Response& response)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool ServeWatch(Watch& watch, httplib::DataSink& sink);
  size_t CountLocked(const std::string& part) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // What the watch has to be told now; nothing: wait.
  std::optional<std::string> NewsFor(Watch& watch) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  Threads& threads_;
  const Options options_;
  std::unique_ptr<httplib::Server> server_;
  std::function<void()> stop_listening_;
  int port_ = 0;

  mutable Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  ApiObjects objects_ ABSL_GUARDED_BY(mu_);
  std::vector<std::string> versions_ ABSL_GUARDED_BY(mu_);
  std::string token_ ABSL_GUARDED_BY(mu_);
  std::vector<ApiFault> faults_ ABSL_GUARDED_BY(mu_);
  uint64_t releases_ ABSL_GUARDED_BY(mu_) = 0;
  uint64_t watch_ends_ ABSL_GUARDED_BY(mu_) = 0;
  std::vector<std::string> words_ ABSL_GUARDED_BY(mu_);  // lines for watches that are no changes
  size_t watches_begun_ ABSL_GUARDED_BY(mu_) = 0;
  std::vector<std::string> requests_ ABSL_GUARDED_BY(mu_);
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  std::unique_ptr<Thread> acceptor_;
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_FAKE_API_SERVER_H_
