#include "kubelet_cm/apiserver/api_error.h"

#include <cstdint>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/json_decoder.h"

namespace kubelet_cm::apiserver {
namespace {

constexpr char kCodePayload[] = "kubelet_cm/http_code";
constexpr char kUnknownPathPayload[] = "kubelet_cm/unknown_path";
constexpr size_t kMaxMessage = 1024;
constexpr GoField kStatusFields[] = {{"kind"}, {"message"}, {"code"}};
constexpr GoStruct kStatus{"v1.Status", kStatusFields};

struct StatusObject {
  std::string kind;
  std::string message;
  int64_t code = 0;
};

StatusObject StatusOf(JsonValue json) {
  StatusObject status;
  JsonDecoder decoder;
  decoder.Struct(json, kStatus, [&](size_t field, JsonValue value) {
    if (field == 0) return decoder.String(value, "string", &status.kind);
    if (field == 1) return decoder.String(value, "string", &status.message);
    decoder.Int64(value, "int32", &status.code);
  });
  if (status.message.size() > kMaxMessage) status.message = status.message.substr(0, kMaxMessage) + "...";
  return status;
}

absl::StatusCode StatusCodeOf(int code) {
  switch (code) {
    case 400:
    case 422:
      return absl::StatusCode::kInvalidArgument;
    case 401:
      return absl::StatusCode::kUnauthenticated;
    case 403:
      return absl::StatusCode::kPermissionDenied;
    case 404:
      return absl::StatusCode::kNotFound;
    case 409:
      return absl::StatusCode::kAborted;
    case 410:
      return absl::StatusCode::kOutOfRange;
    case 429:
      return absl::StatusCode::kUnavailable;
    default:
      return code >= 500 ? absl::StatusCode::kUnavailable : absl::StatusCode::kUnknown;
  }
}

std::string_view UsualMessage(int code) {
  switch (code) {
    case 401:
      return "the server has asked for the client to provide credentials";
    case 403:
      return "the server does not allow this method on the requested resource";
    case 404:
      return "the server could not find the requested resource";
    case 410:
      return "the requested resource version is gone";
    case 429:
      return "the server has received too many requests and has asked us to try again later";
    case 503:
      return "the server is currently unable to handle the request";
    case 504:
      return "the server was unable to return a response in the time allotted, but may still be processing the request";
    default:
      return "an error on the server has prevented the request from succeeding";
  }
}

absl::Status WithCode(int code, std::string_view message) {
  absl::Status status(StatusCodeOf(code), std::string(message));
  status.SetPayload(kCodePayload, absl::Cord(absl::StrCat(code)));
  return status;
}

}  // namespace

absl::Status ApiError(std::string_view what, int code, std::string_view body) {
  const absl::StatusOr<JsonDocument> document = JsonDocument::Parse(body);
  if (document.ok()) {
    const StatusObject status = StatusOf(document->root());
    if (status.kind == "Status" && !status.message.empty()) return WithCode(code, status.message);
  }
  absl::Status status =
      WithCode(code, absl::StrCat(std::string(UsualMessage(code)), " (", std::string(what), ": HTTP ", code, ")"));
  if (code == 404) status.SetPayload(kUnknownPathPayload, absl::Cord("true"));
  return status;
}

absl::Status ApiError(JsonValue json) {
  const StatusObject status = StatusOf(json);
  const int code = status.code < 300 || status.code > 599 ? 500 : static_cast<int>(status.code);
  return WithCode(code, status.message.empty() ? UsualMessage(code) : status.message);
}

std::optional<int> HttpCodeOf(const absl::Status& error) {
  const auto payload = error.GetPayload(kCodePayload);
  int code = 0;
  if (!payload.has_value() || !absl::SimpleAtoi(std::string(*payload), &code)) return std::nullopt;
  return code;
}

bool IsUnknownPath(const absl::Status& error) { return error.GetPayload(kUnknownPathPayload).has_value(); }

}  // namespace kubelet_cm::apiserver
