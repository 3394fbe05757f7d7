#include "kubelet_cm/apiserver/api_server.h"

#include <algorithm>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/apiserver/api_error.h"

namespace kubelet_cm::apiserver {
namespace {

// Of the text of a refusal.
constexpr size_t kMaxErrorBytes = size_t{64} << 10;

std::string BasicOf(const ApiAccess& access) {
  if (access.username.empty()) return "";
  return absl::Base64Escape(absl::StrCat(access.username, ":", access.password));
}

}  // namespace

ApiServer::ApiServer(Dependencies dependencies, const ApiAccess& access)
    : deps_(dependencies),
      server_(access.server),
      basic_(BasicOf(access)),
      has_certificate_file_(!access.client_certificate.path.empty()),
      token_(deps_.files, deps_.clock, access.token, access.token_file) {}

HttpRequest ApiServer::RequestFor(const std::string& method, const std::string& path, const std::string& token) const {
  HttpRequest request{.method = method, .url = server_ + path, .headers = {"Accept: application/json"}};
  if (!token.empty()) {
    request.headers.push_back("Authorization: Bearer " + token);
  } else if (!basic_.empty()) {
    request.headers.push_back("Authorization: Basic " + basic_);
  }
  return request;
}

bool ApiServer::MayRetry(const std::string& refused_token) {
  return token_.Renew(refused_token) || has_certificate_file_;
}

absl::StatusOr<std::string> ApiServer::Call(const std::string& method, const std::string& path,
                                            const CallLimits& limits, const std::string& body) {
  for (const bool last : {false, true}) {
    const std::string token = token_.Get();
    HttpRequest request = RequestFor(method, path, token);
    request.timeout = limits.deadline - deps_.clock.MonotonicNow();
    request.max_bytes = limits.max_bytes;
    request.fresh_connection = last;
    request.body = body;
    if (!body.empty()) request.headers.emplace_back("Content-Type: application/json");
    if (request.timeout <= absl::ZeroDuration()) break;
    ASSIGN_OR_RETURN(HttpAnswer answer, deps_.http.Call(request));
    if (answer.code >= 200 && answer.code < 300) return std::move(answer.body);
    if (answer.code == 401 && !last && MayRetry(token)) continue;
    return ApiError(absl::StrCat(method, " ", path), answer.code, answer.body);
  }
  return absl::DeadlineExceededError(absl::StrCat(method, " ", path, ": the time is over"));
}

absl::StatusOr<std::string> ApiServer::Get(const std::string& path, const CallLimits& limits) {
  return Call("GET", path, limits);
}

absl::Status ApiServer::Delete(const std::string& path, const CallLimits& limits) {
  return Call("DELETE", path, limits).status();
}

absl::Status ApiServer::Post(const std::string& path, const std::string& body, const CallLimits& limits) {
  return Call("POST", path, limits, body).status();
}

absl::Status ApiServer::Put(const std::string& path, const std::string& body, const CallLimits& limits) {
  return Call("PUT", path, limits, body).status();
}

std::unique_ptr<HttpStream> ApiServer::OpenWatch(const std::string& path, absl::Duration lifetime) {
  HttpRequest request = RequestFor("GET", path, token_.Get());
  request.timeout = lifetime;
  return deps_.http.Open(request);
}

absl::Status ApiServer::StartWatch(HttpStream& stream, const std::string& path) {
  ASSIGN_OR_RETURN(const int code, stream.Start());
  if (code == 200) return absl::OkStatus();
  if (code == 401) static_cast<void>(token_.Renew(""));  // for the next attempt
  std::string body;
  while (body.size() < kMaxErrorBytes) {
    const absl::StatusOr<std::string> bytes = stream.Read();
    if (!bytes.ok() || bytes->empty()) break;
    body += *bytes;
  }
  return ApiError("GET " + path, code, body);
}

}  // namespace kubelet_cm::apiserver
