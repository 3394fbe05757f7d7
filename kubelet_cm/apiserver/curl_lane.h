// CurlLane: what libcurl needs for one request at a time, kept for its connections. A request that comes after another
// one on the same lane uses the connection that is there.
//
// Used by one thread at a time, except for Wake.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_CURL_LANE_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_CURL_LANE_H_

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "curl/curl.h"
#include "kubelet_cm/apiserver/api_access.h"
#include "kubelet_cm/apiserver/http_client.h"

namespace kubelet_cm::apiserver {

class CurlLane {
 public:
  CurlLane();
  ~CurlLane();
  CurlLane(const CurlLane&) = delete;
  CurlLane& operator=(const CurlLane&) = delete;

  // Begins a request; what was left of another one is dropped. `access` outlives the request.
  absl::Status Begin(const HttpRequest& request, const ApiAccess& access);

  // Drops the request; a connection on which something is left to come is closed.
  void Drop();

  // Does what can be done now. Returns what became of the request once it is over.
  std::optional<absl::Status> Perform();
  // Waits until there is something to do, or for `limit`, or until Wake.
  void Await(absl::Duration limit);
  // Any thread.
  void Wake();

  // Whether the status and all headers have come; then code() is good.
  bool has_code() const { return has_code_; }
  int code() const;
  // What has come of the body since the last call.
  std::string TakeBody();
  bool has_body() const { return !body_.empty(); }

 private:
  struct CloseEasy {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
  };
  struct CloseMulti {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
  };
  struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };
  using List = std::unique_ptr<curl_slist, FreeList>;

  static size_t OnHeader(char* data, size_t size, size_t count, void* lane);
  static size_t OnBody(char* data, size_t size, size_t count, void* lane);
  absl::Status SetTarget(const HttpRequest& request, const ApiAccess& access);
  void SetTls(const ApiAccess& access);
  absl::Status ErrorOf(CURLcode result) const;
  static void Append(const std::string& text, List* list);

  // The order is that in which libcurl wants them closed: the transfer before the connections.
  std::unique_ptr<CURLM, CloseMulti> multi_;
  std::unique_ptr<CURL, CloseEasy> easy_;
  List headers_;
  List connect_to_;
  std::string what_;  // "GET https://...", for errors
  std::array<char, CURL_ERROR_SIZE> error_text_ = {};
  bool begun_ = false;
  bool has_code_ = false;
  std::string body_;
};

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_CURL_LANE_H_
