#include "common/status/grpc_status.h"

#include <array>
#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kubelet_cm {
namespace {

// gRPC-Go's names, by number.
constexpr std::array<absl::string_view, 17> kGoNames = {
    "OK",       "Canceled",       "Unknown",          "InvalidArgument",   "DeadlineExceeded",
    "NotFound", "AlreadyExists",  "PermissionDenied", "ResourceExhausted", "FailedPrecondition",
    "Aborted",  "OutOfRange",     "Unimplemented",    "Internal",          "Unavailable",
    "DataLoss", "Unauthenticated"};

// Both libraries number the codes as gRPC's wire protocol does.
static_assert(static_cast<int>(grpc::StatusCode::UNAUTHENTICATED) ==
              static_cast<int>(absl::StatusCode::kUnauthenticated));
static_assert(static_cast<int>(grpc::StatusCode::RESOURCE_EXHAUSTED) ==
              static_cast<int>(absl::StatusCode::kResourceExhausted));
static_assert(static_cast<size_t>(absl::StatusCode::kUnauthenticated) + 1 == kGoNames.size());

bool IsCode(int code) { return code >= 0 && code < static_cast<int>(kGoNames.size()); }

}  // namespace

absl::Status FromGrpcStatus(const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  const int code = status.error_code();
  return absl::Status(IsCode(code) ? static_cast<absl::StatusCode>(code) : absl::StatusCode::kUnknown,
                      status.error_message());
}

grpc::Status ToGrpcStatus(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), std::string(status.message()));
}

grpc::Status ToUnknownGrpcStatus(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return grpc::Status(grpc::StatusCode::UNKNOWN, std::string(status.message()));
}

std::string GoCodeName(absl::StatusCode code) { return std::string(kGoNames[static_cast<size_t>(code)]); }

std::string GoRpcErrorText(const absl::Status& status) {
  if (status.ok()) return "";
  return absl::StrCat("rpc error: code = ", GoCodeName(status.code()), " desc = ", status.message());
}

}  // namespace kubelet_cm
