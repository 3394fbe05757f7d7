#include "common/unixsocket/calls_in_flight.h"

#include <string>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// That calls in flight are cancelled for real is tested with a real server, in the tests of the clients.
namespace kubelet_cm {
namespace {

using Answer = grpc::Status (*)(grpc::ClientContext*, std::string*);

constexpr absl::Duration kLimit = absl::Seconds(10);

TEST(CallsInFlightTest, CallReturnsItsResponseOrItsError) {
  CallsInFlight calls;
  const Answer answer = [](grpc::ClientContext*, std::string* response) {
    *response = "hello";
    return grpc::Status::OK;
  };
  const Answer refuse = [](grpc::ClientContext*, std::string*) {
    return grpc::Status(grpc::StatusCode::NOT_FOUND, "no");
  };
  EXPECT_THAT(calls.Unary<std::string>(kLimit, answer), IsOkAndHolds("hello"));
  EXPECT_THAT(calls.Unary<std::string>(kLimit, refuse), StatusIs(absl::StatusCode::kNotFound, "no"));
}

TEST(CallsInFlightTest, EveryCallHasItsDeadline) {
  CallsInFlight calls;
  ASSERT_OK_AND_ASSIGN(const CallsInFlight::Context limited, calls.Begin(kLimit));
  ASSERT_OK_AND_ASSIGN(const CallsInFlight::Context unlimited, calls.Begin(absl::InfiniteDuration()));
  EXPECT_LT(gpr_time_cmp(limited->raw_deadline(), gpr_inf_future(GPR_CLOCK_MONOTONIC)), 0);
  EXPECT_EQ(gpr_time_cmp(unlimited->raw_deadline(), gpr_inf_future(GPR_CLOCK_MONOTONIC)), 0);
}

TEST(CallsInFlightTest, NothingBeginsAfterCancelAll) {
  CallsInFlight calls;
  calls.CancelAll();
  int made = 0;
  const auto call = [&](grpc::ClientContext*, std::string*) {
    ++made;
    return grpc::Status::OK;
  };
  EXPECT_THAT(calls.Unary<std::string>(kLimit, call), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_EQ(made, 0);
}

}  // namespace
}  // namespace kubelet_cm
