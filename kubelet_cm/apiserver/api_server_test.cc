#include "kubelet_cm/apiserver/api_server.h"

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/apiserver/api_scene.h"

namespace kubelet_cm::apiserver {
namespace {

using fakes::ApiFault;
using testing::HasSubstr;

constexpr char kNode[] = "/api/v1/nodes/n";

class ApiServerTest : public ApiScene {};

TEST_F(ApiServerTest, GivesTheBody) {
  server_->PutNode("n");
  EXPECT_THAT(api_server_->Get(kNode, Limits()), IsOkAndHolds(HasSubstr("\"kind\":\"Node\"")));
}

TEST_F(ApiServerTest, GivesTheServersWordsForARefusal) {
  EXPECT_THAT(api_server_->Get(kNode, Limits()), StatusIs(absl::StatusCode::kNotFound, "nodes \"n\" not found"));
  server_->Fail({.path = kNode, .code = 403, .body = R"({"kind":"Status","message":"nodes is forbidden"})"});
  EXPECT_THAT(api_server_->Get(kNode, Limits()), StatusIs(absl::StatusCode::kPermissionDenied, "nodes is forbidden"));
}

TEST_F(ApiServerTest, ShowsItsToken) {
  Serve({.token = "secret"}, {.token = "secret"});
  server_->PutNode("n");
  EXPECT_OK(api_server_->Get(kNode, Limits()));
  Serve({.token = "secret"}, {.token = "wrong"});
  EXPECT_THAT(api_server_->Get(kNode, Limits()), StatusIs(absl::StatusCode::kUnauthenticated, "Unauthorized"));
  EXPECT_EQ(server_->Requests().size(), 1);  // another attempt would fare no better
}

TEST_F(ApiServerTest, ReadsItsTokenAgainWhenItIsRefused) {
  PutFile("/token", "old\n");
  Serve({.token = "old"}, {.token_file = "/token"});
  server_->PutNode("n");
  EXPECT_OK(api_server_->Get(kNode, Limits()));
  server_->SetToken("new");
  PutFile("/token", "new\n");
  EXPECT_OK(api_server_->Get(kNode, Limits()));
  EXPECT_EQ(server_->CountRequests(kNode), 3);
}

TEST_F(ApiServerTest, RepeatsARefusedRequestOnlyOnce) {
  PutFile("/token", "old\n");
  Serve({.token = "right"}, {.token_file = "/token"});
  PutFile("/token", "wrong\n");
  EXPECT_THAT(api_server_->Get(kNode, Limits()), StatusIs(absl::StatusCode::kUnauthenticated));
  EXPECT_EQ(server_->CountRequests(kNode), 2);
}

TEST_F(ApiServerTest, DoesNotBeginWhenTheTimeIsOver) {
  EXPECT_THAT(api_server_->Get(kNode, {.deadline = clock_.MonotonicNow()}),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_EQ(server_->Requests().size(), 0);
}

TEST_F(ApiServerTest, GivesUpOnAnAnswerWithoutEnd) {
  server_->Fail({.path = kNode, .how = ApiFault::How::kEndless});
  EXPECT_THAT(api_server_->Get(kNode, Limits()), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST_F(ApiServerTest, SaysWhyAWatchIsRefused) {
  const std::string path = "/apis/resource.k8s.io/v1/resourceclaims?watch=1";
  server_->Fail({.path = path, .code = 403, .body = R"({"kind":"Status","message":"forbidden"})"});
  const auto stream = api_server_->OpenWatch(path, absl::Seconds(20));
  EXPECT_THAT(api_server_->StartWatch(*stream, path), StatusIs(absl::StatusCode::kPermissionDenied, "forbidden"));
}

}  // namespace
}  // namespace kubelet_cm::apiserver
