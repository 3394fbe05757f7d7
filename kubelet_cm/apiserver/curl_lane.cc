#include "kubelet_cm/apiserver/curl_lane.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::apiserver {
namespace {

constexpr absl::Duration kConnectTimeout = absl::Seconds(10);
constexpr absl::Duration kKeepAlive = absl::Seconds(30);

struct CloseUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

absl::StatusOr<std::string> UrlPart(CURLU* url, CURLUPart part, unsigned int flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, flags) != CURLUE_OK) return absl::InvalidArgumentError("not a URL");
  std::string copy = text;
  curl_free(text);
  return copy;
}

curl_blob BlobOf(const std::string& text) {
  // libcurl copies the bytes; its type has no const.
  return {.data = const_cast<char*>(text.data()), .len = text.size(), .flags = CURL_BLOB_COPY};  // NOLINT
}

// Sets an option that takes a text or a file.
void SetPem(CURL* easy, const Pem& pem, CURLoption text_option, CURLoption path_option) {
  if (!pem.text.empty()) {
    curl_blob blob = BlobOf(pem.text);
    curl_easy_setopt(easy, text_option, &blob);
  } else if (!pem.path.empty()) {
    curl_easy_setopt(easy, path_option, pem.path.c_str());
  }
}

bool IsAboutTrust(CURLcode result) {
  constexpr CURLcode kTrust[] = {CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE,
                                 CURLE_SSL_ISSUER_ERROR,         CURLE_SSL_CIPHER,      CURLE_SSL_INVALIDCERTSTATUS};
  return std::find(std::begin(kTrust), std::end(kTrust), result) != std::end(kTrust);
}

}  // namespace

CurlLane::CurlLane() : multi_(curl_multi_init()), easy_(curl_easy_init()) {
  CHECK(multi_ != nullptr && easy_ != nullptr);
}

CurlLane::~CurlLane() { Drop(); }

void CurlLane::Drop() {
  if (begun_) curl_multi_remove_handle(multi_.get(), easy_.get());
  begun_ = false;
  has_code_ = false;
  body_.clear();
  error_text_.front() = '\0';
}

void CurlLane::Append(const std::string& text, List* list) {
  curl_slist* grown = curl_slist_append(list->get(), text.c_str());
  CHECK(grown != nullptr);
  static_cast<void>(list->release());
  list->reset(grown);
}

absl::Status CurlLane::Begin(const HttpRequest& request, const ApiAccess& access) {
  Drop();
  CURL* easy = easy_.get();
  curl_easy_reset(easy);  // connections stay
  what_ = absl::StrCat(request.method, " ", request.url);
  headers_.reset();
  connect_to_.reset();
  for (const std::string& header : request.headers) Append(header, &headers_);
  RETURN_IF_ERROR(SetTarget(request, access));
  SetTls(access);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers_.get());
  if (!request.body.empty()) {
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, request.body.c_str());
  }
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, request.fresh_connection ? 1L : 0L);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, std::max<long>(absl::ToInt64Milliseconds(request.timeout), 1));
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(absl::ToInt64Milliseconds(kConnectTimeout)));
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, static_cast<long>(absl::ToInt64Seconds(kKeepAlive)));
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPINTVL, 10L);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "kubelet_cm");
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error_text_.data());
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &CurlLane::OnHeader);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &CurlLane::OnBody);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
  if (!access.proxy_url.empty()) curl_easy_setopt(easy, CURLOPT_PROXY, access.proxy_url.c_str());
  if (curl_multi_add_handle(multi_.get(), easy) != CURLM_OK) return absl::InternalError(what_ + ": cannot be begun");
  begun_ = true;
  return absl::OkStatus();
}

absl::Status CurlLane::SetTarget(const HttpRequest& request, const ApiAccess& access) {
  const std::unique_ptr<CURLU, CloseUrl> url(curl_url());
  if (url == nullptr || curl_url_set(url.get(), CURLUPART_URL, request.url.c_str(), 0) != CURLUE_OK) {
    return absl::InvalidArgumentError(what_ + ": not a URL");
  }
  if (!access.tls_server_name.empty()) {
    // The certificate is checked against the URL's host: so that is the wanted name, and the connection goes where the
    // host was.
    ASSIGN_OR_RETURN(const std::string host, UrlPart(url.get(), CURLUPART_HOST));
    ASSIGN_OR_RETURN(const std::string port, UrlPart(url.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT));
    if (curl_url_set(url.get(), CURLUPART_HOST, access.tls_server_name.c_str(), 0) != CURLUE_OK) {
      return absl::InvalidArgumentError(what_ + ": the TLS server name is no name of a host");
    }
    Append(absl::StrCat(access.tls_server_name, ":", port, ":", host, ":", port), &connect_to_);
    curl_easy_setopt(easy_.get(), CURLOPT_CONNECT_TO, connect_to_.get());
    Append(absl::StrCat("Host: ", host, ":", port), &headers_);
  }
  ASSIGN_OR_RETURN(const std::string target, UrlPart(url.get(), CURLUPART_URL));
  curl_easy_setopt(easy_.get(), CURLOPT_URL, target.c_str());  // copied
  return absl::OkStatus();
}

void CurlLane::SetTls(const ApiAccess& access) {
  CURL* easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (!access.ca.empty()) {
    // Nobody else's certificates count any more.
    curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);
    curl_easy_setopt(easy, CURLOPT_CAINFO, nullptr);
    SetPem(easy, access.ca, CURLOPT_CAINFO_BLOB, CURLOPT_CAINFO);
  }
  if (access.insecure_skip_verify) {
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
  }
  SetPem(easy, access.client_certificate, CURLOPT_SSLCERT_BLOB, CURLOPT_SSLCERT);
  SetPem(easy, access.client_key, CURLOPT_SSLKEY_BLOB, CURLOPT_SSLKEY);
}

std::optional<absl::Status> CurlLane::Perform() {
  int running = 0;
  if (curl_multi_perform(multi_.get(), &running) != CURLM_OK) return absl::InternalError(what_ + ": cannot go on");
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg == CURLMSG_DONE) return ErrorOf(message->data.result);
  }
  return std::nullopt;
}

void CurlLane::Await(absl::Duration limit) {
  curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(absl::ToInt64Milliseconds(limit)), nullptr);
}

void CurlLane::Wake() { curl_multi_wakeup(multi_.get()); }

int CurlLane::code() const {
  long code = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &code);
  return static_cast<int>(code);
}

std::string CurlLane::TakeBody() { return std::exchange(body_, {}); }

absl::Status CurlLane::ErrorOf(CURLcode result) const {
  if (result == CURLE_OK) return absl::OkStatus();
  const std::string_view detail = error_text_.front() == '\0' ? curl_easy_strerror(result) : error_text_.data();
  const std::string message = absl::StrCat(what_, ": ", std::string(detail));
  if (result == CURLE_OPERATION_TIMEDOUT) return absl::DeadlineExceededError(message);
  if (IsAboutTrust(result)) return absl::FailedPreconditionError(message);
  if (result == CURLE_URL_MALFORMAT || result == CURLE_UNSUPPORTED_PROTOCOL) return absl::InvalidArgumentError(message);
  if (result == CURLE_OUT_OF_MEMORY) return absl::ResourceExhaustedError(message);
  return absl::UnavailableError(message);
}

size_t CurlLane::OnHeader(char* data, size_t size, size_t count, void* lane) {
  const std::string_view line(data, size * count);
  auto* self = static_cast<CurlLane*>(lane);
  // An empty line ends the headers: of an interim answer (1xx) first, perhaps.
  if ((line == "\r\n" || line == "\n") && self->code() >= 200) self->has_code_ = true;
  return line.size();
}

size_t CurlLane::OnBody(char* data, size_t size, size_t count, void* lane) {
  static_cast<CurlLane*>(lane)->body_.append(data, size * count);
  return size * count;
}

}  // namespace kubelet_cm::apiserver
