// gMock matchers for absl::Status and absl::StatusOr, with the names that newer Abseil releases give them.
//
//   EXPECT_OK(store.Create("key", text));
//   EXPECT_THAT(store.Get("key"), IsOkAndHolds("text"));
//   EXPECT_THAT(store.Get("../key"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("invalid key")));
//   ASSERT_OK_AND_ASSIGN(std::string text, store.Get("key"));
#ifndef KUBELET_CM_COMMON_STATUS_STATUS_MATCHERS_H_
#define KUBELET_CM_COMMON_STATUS_STATUS_MATCHERS_H_

#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {

namespace status_matchers_internal {

inline const absl::Status& StatusOf(const absl::Status& status) { return status; }
template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& status_or) {
  return status_or.status();
}

template <typename StatusOrType>
class IsOkAndHoldsMatcher : public ::testing::MatcherInterface<StatusOrType> {
 public:
  using Value = typename std::remove_reference_t<StatusOrType>::value_type;

  template <typename Inner>
  explicit IsOkAndHoldsMatcher(Inner&& inner) : inner_(::testing::SafeMatcherCast<const Value&>(inner)) {}

  void DescribeTo(std::ostream* os) const override {
    *os << "is OK and has a value that ";
    inner_.DescribeTo(os);
  }
  void DescribeNegationTo(std::ostream* os) const override {
    *os << "is an error, or has a value that ";
    inner_.DescribeNegationTo(os);
  }
  bool MatchAndExplain(StatusOrType actual, ::testing::MatchResultListener* listener) const override {
    if (!actual.ok()) {
      *listener << "which has status " << actual.status();
      return false;
    }
    return inner_.MatchAndExplain(*actual, listener);
  }

 private:
  const ::testing::Matcher<const Value&> inner_;
};

// Converts to a matcher of whichever StatusOr it is held against.
template <typename Inner>
class IsOkAndHolds {
 public:
  explicit IsOkAndHolds(Inner inner) : inner_(std::move(inner)) {}
  template <typename StatusOrType>
  operator ::testing::Matcher<StatusOrType>() const {  // NOLINT(google-explicit-constructor): how gMock composes
    return ::testing::Matcher<StatusOrType>(new IsOkAndHoldsMatcher<const StatusOrType&>(inner_));
  }

 private:
  const Inner inner_;
};

}  // namespace status_matchers_internal

MATCHER(IsOk, negation ? "is an error" : "is OK") {
  *result_listener << "which is " << status_matchers_internal::StatusOf(arg);
  return arg.ok();
}

MATCHER_P(HasStatusCode, code, absl::StatusCodeToString(code)) {
  *result_listener << "which is " << status_matchers_internal::StatusOf(arg);
  return status_matchers_internal::StatusOf(arg).code() == code;
}

MATCHER_P2(HasStatus, code, message,
           absl::StatusCodeToString(code) + " with a message that " +
               ::testing::DescribeMatcher<const std::string&>(message, negation)) {
  const absl::Status& status = status_matchers_internal::StatusOf(arg);
  *result_listener << "which is " << status;
  return status.code() == code &&
         ::testing::ExplainMatchResult(message, std::string(status.message()), result_listener);
}

inline auto StatusIs(absl::StatusCode code) { return HasStatusCode(code); }
template <typename MessageMatcher>
auto StatusIs(absl::StatusCode code, MessageMatcher message) {
  return HasStatus(code, ::testing::SafeMatcherCast<const std::string&>(message));
}

template <typename Inner>
auto IsOkAndHolds(Inner&& inner) {
  return status_matchers_internal::IsOkAndHolds<std::decay_t<Inner>>(std::forward<Inner>(inner));
}

}  // namespace kubelet_cm

#define EXPECT_OK(expr) EXPECT_THAT((expr), ::kubelet_cm::IsOk())
#define ASSERT_OK(expr) ASSERT_THAT((expr), ::kubelet_cm::IsOk())

// Fails the test when `expr`, an absl::StatusOr, is an error; otherwise assigns its value to `lhs`.
#define ASSERT_OK_AND_ASSIGN(lhs, expr) \
  KUBELET_CM_ASSERT_OK_AND_ASSIGN_(KUBELET_CM_TEST_CONCAT_(status_or_, __LINE__), lhs, expr)
#define KUBELET_CM_TEST_CONCAT_INNER_(a, b) a##b
#define KUBELET_CM_TEST_CONCAT_(a, b) KUBELET_CM_TEST_CONCAT_INNER_(a, b)
#define KUBELET_CM_ASSERT_OK_AND_ASSIGN_(result, lhs, expr)             \
  auto result = (expr);                                                 \
  ASSERT_TRUE(result.ok()) << #expr << " returned " << result.status(); \
  lhs = *std::move(result)

#endif  // KUBELET_CM_COMMON_STATUS_STATUS_MATCHERS_H_
