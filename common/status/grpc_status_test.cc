#include "common/status/grpc_status.h"

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "grpcpp/support/status.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::Eq;
using ::testing::IsEmpty;

constexpr int kLastCode = static_cast<int>(absl::StatusCode::kUnauthenticated);

TEST(GrpcStatusTest, EveryCodeAndMessageSurvivesTheRoundTrip) {
  for (int code = 0; code <= kLastCode; ++code) {
    const absl::Status status(static_cast<absl::StatusCode>(code), "why");
    EXPECT_EQ(FromGrpcStatus(ToGrpcStatus(status)), status);
  }
}

TEST(GrpcStatusTest, CodesKeepTheirMeaning) {
  EXPECT_EQ(ToGrpcStatus(absl::NotFoundError("x")).error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(ToGrpcStatus(absl::UnavailableError("x")).error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(FromGrpcStatus(grpc::Status(grpc::StatusCode::DATA_LOSS, "torn")),
              StatusIs(absl::StatusCode::kDataLoss, Eq("torn")));
}

TEST(GrpcStatusTest, PlainErrorOfAGoPeerIsUnknown) {
  EXPECT_THAT(FromGrpcStatus(grpc::Status(grpc::StatusCode::UNKNOWN, "no devices")),
              StatusIs(absl::StatusCode::kUnknown, Eq("no devices")));
}

TEST(GrpcStatusTest, NumberThatIsNoCodeIsUnknown) {
  for (int code : {-1, kLastCode + 1, 31}) {  // the type has room for no more than 31
    EXPECT_THAT(FromGrpcStatus(grpc::Status(static_cast<grpc::StatusCode>(code), "odd")),
                StatusIs(absl::StatusCode::kUnknown, Eq("odd")));
  }
}

TEST(GrpcStatusTest, UnknownAnswerCarriesThePlainText) {
  const grpc::Status status = ToUnknownGrpcStatus(absl::InvalidArgumentError("the ResourceName \"x\" is invalid"));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNKNOWN);
  EXPECT_EQ(status.error_message(), "the ResourceName \"x\" is invalid");
}

TEST(GrpcStatusTest, UnknownAnswerOfSuccessIsSuccess) { EXPECT_TRUE(ToUnknownGrpcStatus(absl::OkStatus()).ok()); }

TEST(GrpcStatusTest, ErrorReadsAsGoWordsIt) {
  EXPECT_EQ(GoRpcErrorText(absl::UnimplementedError("unknown service v1beta1.DevicePlugin")),
            "rpc error: code = Unimplemented desc = unknown service v1beta1.DevicePlugin");
  EXPECT_EQ(GoRpcErrorText(absl::CancelledError("")), "rpc error: code = Canceled desc = ");
  EXPECT_THAT(GoRpcErrorText(absl::OkStatus()), IsEmpty());
}

TEST(GrpcStatusTest, CodesHaveTheNamesThatGoGivesThem) {
  EXPECT_EQ(GoCodeName(absl::StatusCode::kOk), "OK");
  EXPECT_EQ(GoCodeName(absl::StatusCode::kCancelled), "Canceled");
  EXPECT_EQ(GoCodeName(absl::StatusCode::kDeadlineExceeded), "DeadlineExceeded");
}

}  // namespace
}  // namespace kubelet_cm
