#include "kubelet_cm/apiserver/curl_client.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_api_server.h"

namespace kubelet_cm::apiserver {
namespace {

using fakes::ApiFault;
using fakes::FakeApiServer;
using testing::HasSubstr;

constexpr char kNode[] = "/api/v1/nodes/n1";

std::string TlsFile(const std::string& name) { return "kubelet_cm/apiserver/testdata/tls/" + name; }

class CurlClientTest : public testing::Test {
 protected:
  void Serve(FakeApiServer::Options options = {}) {
    ASSERT_OK_AND_ASSIGN(server_, FakeApiServer::New(threads_, std::move(options)));
    server_->PutNode("n1");
  }

  // Asks for the node.
  absl::StatusOr<HttpAnswer> Ask(HttpClient& client, absl::Duration timeout = absl::Seconds(20)) {
    return client.Call({.url = server_->url() + kNode, .timeout = timeout});
  }
  absl::StatusOr<HttpAnswer> AskAs(const ApiAccess& access) {
    CurlClient client(access);
    return Ask(client);
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  std::unique_ptr<FakeApiServer> server_;
};

TEST_F(CurlClientTest, GivesCodeAndBody) {
  Serve();
  CurlClient client({});
  ASSERT_OK_AND_ASSIGN(const HttpAnswer found, Ask(client));
  EXPECT_EQ(found.code, 200);
  EXPECT_THAT(found.body, HasSubstr("\"name\":\"n1\""));
  ASSERT_OK_AND_ASSIGN(const HttpAnswer missing, client.Call({.url = server_->url() + "/api/v1/nodes/n2"}));
  EXPECT_EQ(missing.code, 404);
  EXPECT_THAT(missing.body, HasSubstr("nodes \\\"n2\\\" not found"));
}

TEST_F(CurlClientTest, SendsMethodAndHeaders) {
  Serve({.token = "secret"});
  CurlClient client({});
  ASSERT_OK_AND_ASSIGN(const HttpAnswer answer,
                       client.Call({.method = "DELETE",
                                    .url = server_->url() + "/apis/resource.k8s.io/v1/resourceslices",
                                    .headers = {"Authorization: Bearer secret"}}));
  EXPECT_EQ(answer.code, 200);
  EXPECT_EQ(server_->Requests().back(), "DELETE /apis/resource.k8s.io/v1/resourceslices");
}

TEST_F(CurlClientTest, SaysThatNobodyIsThere) {
  Serve();
  const std::string url = server_->url();
  server_.reset();
  CurlClient client({});
  EXPECT_THAT(client.Call({.url = url + kNode}), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("GET " + url)));
}

TEST_F(CurlClientTest, GivesUpWhenTheTimeIsOver) {
  Serve();
  server_->Fail({.path = kNode, .how = ApiFault::How::kHang});
  CurlClient client({});
  EXPECT_THAT(Ask(client, absl::Milliseconds(100)), StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST_F(CurlClientTest, NoticesAnAnswerThatBreaksOff) {
  Serve();
  server_->Fail({.path = kNode, .how = ApiFault::How::kBreakOff});
  CurlClient client({});
  EXPECT_THAT(Ask(client), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_OK(Ask(client));
}

TEST_F(CurlClientTest, BoundsAnAnswerWithoutEnd) {
  Serve();
  server_->Fail({.path = kNode, .how = ApiFault::How::kEndless});
  CurlClient client({});
  EXPECT_THAT(client.Call({.url = server_->url() + kNode, .max_bytes = size_t{1} << 20}),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("more than 1048576 bytes")));
  EXPECT_OK(Ask(client));
}

TEST_F(CurlClientTest, BoundsHeaders) {
  Serve();
  server_->Fail({.path = kNode, .how = ApiFault::How::kHeaders, .code = 200});
  CurlClient client({});
  EXPECT_THAT(Ask(client), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_OK(Ask(client));
}

TEST_F(CurlClientTest, FollowsNoRedirects) {
  Serve();
  server_->Fail({.path = kNode, .code = 302});
  CurlClient client({});
  ASSERT_OK_AND_ASSIGN(const HttpAnswer answer, Ask(client));
  EXPECT_EQ(answer.code, 302);
}

TEST_F(CurlClientTest, SpeaksNothingButHttp) {
  CurlClient client({});
  EXPECT_THAT(client.Call({.url = "file:///etc/passwd"}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(client.Call({.url = "no url"}), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(CurlClientTest, ReadsAStreamAsItComes) {
  Serve();
  CurlClient client({});
  const auto stream =
      client.Open({.url = server_->url() + "/apis/resource.k8s.io/v1/resourceclaims?watch=1&resourceVersion=1",
                   .timeout = absl::Minutes(1)});
  server_->SayToWatches("before it began");
  // The status comes with the first line.
  server_->PutClaim({.id = {"default", "c", "u"}});
  ASSERT_THAT(stream->Start(), IsOkAndHolds(200));
  EXPECT_THAT(stream->Read(), IsOkAndHolds(HasSubstr("\"type\":\"ADDED\"")));
  server_->SayToWatches("more");
  EXPECT_THAT(stream->Read(), IsOkAndHolds("more\n"));
  server_->EndWatches();
  EXPECT_THAT(stream->Read(), IsOkAndHolds(""));
}

TEST_F(CurlClientTest, CancelsAStreamThatWaits) {
  Serve();
  CurlClient client({});
  server_->Fail({.path = kNode, .how = ApiFault::How::kHang});
  const auto stream = client.Open({.url = server_->url() + kNode, .timeout = absl::Minutes(5)});
  absl::Status ended;
  {
    const auto reader = threads_.Start("reader", [&] { ended = stream->Start().status(); });
    ASSERT_OK(server_->AwaitRequests(kNode, 1));
    stream->Cancel();
  }
  EXPECT_THAT(ended, StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(CurlClientTest, StopsEverythingForGood) {
  Serve();
  CurlClient client({});
  server_->Fail({.path = kNode, .how = ApiFault::How::kHang});
  absl::Status ended;
  {
    const auto caller = threads_.Start("caller", [&] { ended = Ask(client, absl::Minutes(5)).status(); });
    ASSERT_OK(server_->AwaitRequests(kNode, 1));
    client.Stop();
  }
  EXPECT_THAT(ended, StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(Ask(client), StatusIs(absl::StatusCode::kCancelled));
}

class TlsTest : public CurlClientTest {
 protected:
  void ServeAs(const std::string& name, const std::string& client_ca = "") {
    Serve({.certificate_file = TlsFile(name + ".pem"),
           .key_file = TlsFile(name + "_key.pem"),
           .client_ca_file = client_ca.empty() ? "" : TlsFile(client_ca)});
  }
  ApiAccess Trusting(const std::string& ca) const { return {.server = server_->url(), .ca = {.path = TlsFile(ca)}}; }
  std::string Text(const std::string& name) {
    PosixFileSystem files;
    return *ReadFile(files, TlsFile(name), 1 << 20);
  }
};

TEST_F(TlsTest, TrustsTheServersCertificateByItsCa) {
  ServeAs("server");
  EXPECT_OK(AskAs(Trusting("ca.pem")));
  EXPECT_OK(AskAs({.server = server_->url(), .ca = {.text = Text("ca.pem")}}));
}

TEST_F(TlsTest, TrustsNobodyElse) {
  ServeAs("server");
  EXPECT_THAT(AskAs(Trusting("other_ca.pem")), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(AskAs({.server = server_->url()}), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(AskAs(Trusting("missing.pem")), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_F(TlsTest, ChecksTheNameThatIsAskedFor) {
  ServeAs("kubernetes");
  EXPECT_THAT(AskAs(Trusting("ca.pem")), StatusIs(absl::StatusCode::kFailedPrecondition));
  ApiAccess access = Trusting("ca.pem");
  access.tls_server_name = "kubernetes.default";
  EXPECT_OK(AskAs(access));
}

TEST_F(TlsTest, ChecksNothingWhenToldSo) {
  ServeAs("kubernetes");
  EXPECT_OK(AskAs({.server = server_->url(), .insecure_skip_verify = true}));
}

TEST_F(TlsTest, ShowsItsCertificate) {
  ServeAs("server", "ca.pem");
  EXPECT_THAT(AskAs(Trusting("ca.pem")), StatusIs(absl::StatusCode::kUnavailable));
  ApiAccess access = Trusting("ca.pem");
  access.client_certificate.path = TlsFile("client.pem");
  access.client_key.path = TlsFile("client_key.pem");
  EXPECT_OK(AskAs(access));
  access.client_certificate = {.text = Text("client.pem")};
  access.client_key = {.text = Text("client_key.pem")};
  EXPECT_OK(AskAs(access));
  access.client_key = {.text = "not a key"};
  EXPECT_THAT(AskAs(access), StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace kubelet_cm::apiserver
