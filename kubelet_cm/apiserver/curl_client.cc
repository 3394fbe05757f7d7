#include "kubelet_cm/apiserver/curl_client.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"
#include "curl/curl.h"

namespace kubelet_cm::apiserver {
namespace {

// A wake-up that got lost costs no more than this.
constexpr absl::Duration kLongestWait = absl::Seconds(1);

// Once in the process; libcurl wants it before anything else.
bool StartLibrary() {
  static const bool started = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return started;
}

}  // namespace

class CurlClient::Stream : public HttpStream {
 public:
  Stream(CurlClient& client, HttpRequest request)
      : client_(client), request_(std::move(request)), lane_(client.TakeLane()) {
    MutexLock lock(&client_.mu_);
    client_.streams_.insert(this);
    if (client_.stopped_) Cancel();
  }
  ~Stream() override {
    {
      MutexLock lock(&client_.mu_);
      client_.streams_.erase(this);
    }
    client_.GiveBack(std::move(lane_));
  }

  absl::StatusOr<int> Start() override {
    RETURN_IF_ERROR(lane_->Begin(request_, client_.access_));
    RETURN_IF_ERROR(PerformUntil([this] { return lane_->has_code(); }));
    if (!lane_->has_code()) return Outcome();
    return lane_->code();
  }

  absl::StatusOr<std::string> Read() override {
    RETURN_IF_ERROR(PerformUntil([this] { return lane_->has_body(); }));
    if (!lane_->has_body()) RETURN_IF_ERROR(*over_);
    return lane_->TakeBody();
  }

  void Cancel() override {
    MutexLock lock(&mu_);
    cancelled_ = true;
    lane_->Wake();
  }

 private:
  // Until `holds`, or the request is over.
  template <typename Holds>
  absl::Status PerformUntil(Holds holds) {
    while (!over_.has_value() && !holds()) {
      if (IsCancelled()) return absl::CancelledError(absl::StrCat(request_.method, " ", request_.url, ": cancelled"));
      over_ = lane_->Perform();
      if (!over_.has_value() && !holds()) lane_->Await(kLongestWait);
    }
    return absl::OkStatus();
  }

  // It is over, without a status from the server.
  absl::Status Outcome() const {
    if (!over_->ok()) return *over_;
    return absl::UnavailableError(absl::StrCat(request_.method, " ", request_.url, ": no answer"));
  }

  bool IsCancelled() {
    MutexLock lock(&mu_);
    return cancelled_;
  }

  CurlClient& client_;
  const HttpRequest request_;
  std::unique_ptr<CurlLane> lane_;
  std::optional<absl::Status> over_;
  Mutex mu_;  // after the client's
  bool cancelled_ ABSL_GUARDED_BY(mu_) = false;
};

CurlClient::CurlClient(ApiAccess access) : access_(std::move(access)) { CHECK(StartLibrary()); }

CurlClient::~CurlClient() {
  MutexLock lock(&mu_);
  CHECK(streams_.empty()) << streams_.size() << " stream(s) outlive their client";
}

std::unique_ptr<HttpStream> CurlClient::Open(const HttpRequest& request) {
  return std::make_unique<Stream>(*this, request);
}

absl::StatusOr<HttpAnswer> CurlClient::Call(const HttpRequest& request) {
  Stream stream(*this, request);
  HttpAnswer answer;
  ASSIGN_OR_RETURN(answer.code, stream.Start());
  while (true) {
    ASSIGN_OR_RETURN(const std::string bytes, stream.Read());
    if (bytes.empty()) return answer;
    if (answer.body.size() + bytes.size() > request.max_bytes) {
      return absl::ResourceExhaustedError(
          absl::StrCat(request.method, " ", request.url, ": an answer of more than ", request.max_bytes, " bytes"));
    }
    answer.body += bytes;
  }
}

void CurlClient::Stop() {
  MutexLock lock(&mu_);
  stopped_ = true;
  for (Stream* stream : streams_) stream->Cancel();
}

std::unique_ptr<CurlLane> CurlClient::TakeLane() {
  {
    MutexLock lock(&mu_);
    if (!idle_.empty()) {
      std::unique_ptr<CurlLane> lane = std::move(idle_.back());
      idle_.pop_back();
      return lane;
    }
  }
  return std::make_unique<CurlLane>();
}

void CurlClient::GiveBack(std::unique_ptr<CurlLane> lane) {
  lane->Drop();
  MutexLock lock(&mu_);
  if (idle_.size() < kMaxIdleLanes) idle_.push_back(std::move(lane));
}

}  // namespace kubelet_cm::apiserver
