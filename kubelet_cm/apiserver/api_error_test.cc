#include "kubelet_cm/apiserver/api_error.h"

#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::apiserver {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

TEST(ApiErrorTest, HasTheServersWords) {
  const absl::Status error =
      ApiError("GET /x", 404, R"({"kind":"Status","message":"nodes \"n\" not found","reason":"NotFound","code":404})");
  EXPECT_THAT(error, StatusIs(absl::StatusCode::kNotFound, "nodes \"n\" not found"));
  EXPECT_EQ(HttpCodeOf(error), 404);
  EXPECT_FALSE(IsUnknownPath(error));
}

TEST(ApiErrorTest, KnowsAPathThatTheServerDoesNotHave) {
  const absl::Status error = ApiError("GET /x", 404, "404 page not found\n");
  EXPECT_THAT(error, StatusIs(absl::StatusCode::kNotFound,
                              "the server could not find the requested resource (GET /x: HTTP 404)"));
  EXPECT_TRUE(IsUnknownPath(error));
}

TEST(ApiErrorTest, GivesEveryCodeItsMeaning) {
  for (const auto& [code, status] :
       std::initializer_list<std::pair<int, absl::StatusCode>>{{400, absl::StatusCode::kInvalidArgument},
                                                               {401, absl::StatusCode::kUnauthenticated},
                                                               {403, absl::StatusCode::kPermissionDenied},
                                                               {409, absl::StatusCode::kAborted},
                                                               {410, absl::StatusCode::kOutOfRange},
                                                               {418, absl::StatusCode::kUnknown},
                                                               {429, absl::StatusCode::kUnavailable},
                                                               {500, absl::StatusCode::kUnavailable},
                                                               {503, absl::StatusCode::kUnavailable},
                                                               {504, absl::StatusCode::kUnavailable}}) {
    EXPECT_EQ(ApiError("GET /x", code, "").code(), status) << code;
    EXPECT_EQ(HttpCodeOf(ApiError("GET /x", code, "")), code);
  }
}

TEST(ApiErrorTest, IsNotMisledByWhatIsNoStatus) {
  for (const char* body : {"", "{", "[]", "{}", R"({"kind":"Pod","message":"x"})", R"({"kind":"Status"})", "\xff"}) {
    EXPECT_THAT(ApiError("GET /x", 503, body),
                StatusIs(absl::StatusCode::kUnavailable, HasSubstr("unable to handle the request (GET /x: HTTP 503)")));
  }
}

TEST(ApiErrorTest, ShortensWhatIsTooLong) {
  const std::string body = R"({"kind":"Status","message":")" + std::string(5000, 'x') + "\"}";
  EXPECT_THAT(std::string(ApiError("GET /x", 500, body).message()), SizeIs(1027));
}

TEST(ApiErrorTest, ReadsTheErrorsOfAWatch) {
  const std::string text = R"json({"kind":"Status","code":410,"message":"too old resource version: 5 (7)"})json";
  ASSERT_OK_AND_ASSIGN(const JsonDocument document, JsonDocument::Parse(text));
  EXPECT_THAT(ApiError(document.root()), StatusIs(absl::StatusCode::kOutOfRange, "too old resource version: 5 (7)"));
  ASSERT_OK_AND_ASSIGN(const JsonDocument nonsense, JsonDocument::Parse(R"({"code":7})"));
  EXPECT_THAT(ApiError(nonsense.root()), StatusIs(absl::StatusCode::kUnavailable));
}

TEST(ApiErrorTest, TellsErrorsOfTheTransportApart) {
  EXPECT_EQ(HttpCodeOf(absl::UnavailableError("connection refused")), std::nullopt);
  EXPECT_FALSE(IsUnknownPath(absl::NotFoundError("x")));
}

}  // namespace
}  // namespace kubelet_cm::apiserver
