// ClaimWatch: the ResourceClaims of an API server as last heard: a list, then a watch from there on; a new list where
// the server has forgotten how it went (410 Gone), and again and again with growing pauses where it cannot be asked.
//
// Kubelets may usually get single claims and not list them. Where that is refused this is asked seldom, and there is no
// picture.
//
// Thread-safe. A thread of its own follows the server.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_CLAIM_WATCH_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_CLAIM_WATCH_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/log/logger.h"
#include "common/random/random.h"
#include "common/threads/mutex.h"
#include "common/threads/notification.h"
#include "common/threads/threads.h"
#include "dra/claim/claim_object.h"
#include "kubelet_cm/apiserver/claim_messages.h"
#include "kubelet_cm/apiserver/http_client.h"
#include "kubelet_cm/apiserver/resource_api.h"
#include "kubelet_cm/apiserver/retry_delay.h"

namespace kubelet_cm::apiserver {

class ClaimWatch {
 public:
  struct Dependencies {
    Threads& threads;
    Random& random;
    Logger& log;
    ResourceApi& api;
  };
  // More claims are not kept; there is no picture then.
  static constexpr size_t kMaxClaims = 100'000;
  static constexpr size_t kPageSize = 200;
  static constexpr size_t kMaxPageBytes = size_t{32} << 20;
  static constexpr size_t kMaxEventBytes = size_t{4} << 20;
  static constexpr absl::Duration kListTimeout = absl::Seconds(60);
  static constexpr absl::Duration kRefusedDelay = absl::Minutes(5);
  // No more often than this is anything begun, however well it goes.
  static constexpr absl::Duration kLeastStep = absl::Seconds(1);

  // Starts the thread. What is given outlives the object.
  explicit ClaimWatch(Dependencies dependencies);
  // A list that is under way is waited for: stop the HttpClient before.
  ~ClaimWatch();
  ClaimWatch(const ClaimWatch&) = delete;
  ClaimWatch& operator=(const ClaimWatch&) = delete;

  // Whether there is a picture: it may be old when the server cannot be reached.
  bool synced() const;
  // The claim in the picture; nothing when it is not there, or there is no picture.
  std::optional<dra::ClaimObject> Find(const std::string& key) const;
  size_t size() const;

 private:
  using Claims = absl::flat_hash_map<std::string, dra::ClaimObject>;  // by key

  void Run();
  // One list or one watch, as is due; an error when a pause is due.
  absl::Status Step();
  absl::Status List();
  absl::Status Watch();
  absl::Status ReadEvents(HttpStream& stream, dra::ClaimApi api);
  absl::Status Apply(const ClaimEvent& event);
  void Replace(Claims claims);
  // False when there are too many claims.
  bool Store(const ClaimEvent& event);
  // How long to wait after an error.
  absl::Duration DelayAfter(const absl::Status& error);
  void Report(const absl::Status& error, absl::Duration delay);
  // False when it is too late. With null: none is under way.
  bool SetStream(HttpStream* stream);

  const Dependencies deps_;
  Notification stopping_;
  // Of the thread.
  std::optional<std::string> version_;  // to watch from; nothing: list first
  RetryDelay retry_;
  std::string last_error_;

  mutable Mutex mu_;
  HttpStream* stream_ ABSL_GUARDED_BY(mu_) = nullptr;
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
  bool synced_ ABSL_GUARDED_BY(mu_) = false;
  Claims claims_ ABSL_GUARDED_BY(mu_);
  std::unique_ptr<Thread> thread_;  // last: it uses all of the above
};

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_CLAIM_WATCH_H_
