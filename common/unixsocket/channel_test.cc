#include "common/unixsocket/channel.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/grpc_status.h"
#include "common/status/status_matchers.h"
#include "common/unixsocket/deadline.h"
#include "common/unixsocket/server.h"
#include "common/unixsocket/short_temp_dir.h"
#include "common/unixsocket/silent_socket.h"
#include "common/unixsocket/testdata/echo_service.h"
#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using ChannelPtr = std::shared_ptr<grpc::Channel>;

class UnixSocketChannelTest : public ::testing::Test {
 protected:
  std::unique_ptr<UnixSocketServer> Serve(const std::string& path) {
    absl::StatusOr<std::unique_ptr<UnixSocketServer>> server = UnixSocketServer::New(files_, {&echo_}, {.path = path});
    EXPECT_OK(server);
    return server.ok() ? *std::move(server) : nullptr;
  }

  static absl::StatusOr<std::string> Authority(const ChannelPtr& channel, grpc::ClientContext& context) {
    testdata::EchoMessage response;
    const grpc::Status status = testdata::Echo::NewStub(channel)->Authority(&context, {}, &response);
    if (!status.ok()) return FromGrpcStatus(status);
    return response.text();
  }

  static absl::Status Say(const ChannelPtr& channel, const std::string& text) {
    grpc::ClientContext context;
    context.set_wait_for_ready(true);
    context.set_deadline(DeadlineIn(absl::Seconds(20)));
    testdata::EchoMessage request;
    request.set_text(text);
    testdata::EchoMessage response;
    return FromGrpcStatus(testdata::Echo::NewStub(channel)->Say(&context, request, &response));
  }

  const ShortTempDir folder_;
  const std::string path_ = folder_.File("plugin.sock");
  PosixFileSystem files_;
  testdata::EchoService echo_;
};

TEST_F(UnixSocketChannelTest, AuthorityIsLocalhost) {
  const auto server = Serve(path_);
  ASSERT_OK_AND_ASSIGN(const ChannelPtr channel, DialUnixSocket(path_));
  grpc::ClientContext context;
  EXPECT_THAT(Authority(channel, context), IsOkAndHolds("localhost"));
}

TEST_F(UnixSocketChannelTest, ServerTakesAnyAuthority) {
  const auto server = Serve(path_);
  ASSERT_OK_AND_ASSIGN(const ChannelPtr channel, DialUnixSocket(path_));
  for (const std::string authority :
       {"/var/lib/kubelet/device-plugins/kubelet.sock", "%2Fvar%2Flib%2Fkubelet%2Fdevice-plugins%2Fkubelet.sock", "a:1",
        "localhost:80"}) {
    grpc::ClientContext context;
    context.set_authority(authority);
    EXPECT_THAT(Authority(channel, context), IsOkAndHolds(authority));
  }
}

TEST_F(UnixSocketChannelTest, PathMayHaveAnyCharacter) {
  const std::string path = folder_.File("a b%41?#:\xc3\xa9.sock");
  const auto server = Serve(path);
  EXPECT_OK(files_.Lstat(path));
  ASSERT_OK_AND_ASSIGN(const ChannelPtr channel, DialUnixSocket(path));
  EXPECT_OK(Say(channel, "hello"));
}

TEST_F(UnixSocketChannelTest, TooLongPathIsRefused) {
  EXPECT_THAT(DialUnixSocket("/" + std::string(200, 'x')),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("201 bytes")));
}

TEST_F(UnixSocketChannelTest, DialGivesUpWhenNobodyAnswers) {
  const SilentSocket silent(path_);
  EXPECT_THAT(
      DialUnixSocket(path_, {.timeout = absl::Milliseconds(50)}),
      StatusIs(absl::StatusCode::kDeadlineExceeded, AllOf(HasSubstr(path_), HasSubstr("context deadline exceeded"))));
}

TEST_F(UnixSocketChannelTest, DialGivesUpWhenThereIsNoSocket) {
  EXPECT_THAT(DialUnixSocket(path_, {.timeout = absl::Milliseconds(50)}),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST_F(UnixSocketChannelTest, DeadSocketIsDialledUntilAServerIsThere) {
  { SilentSocket killed(path_); }
  ASSERT_OK_AND_ASSIGN(const ChannelPtr channel, UnixSocketChannel(path_));
  ASSERT_EQ(channel->GetState(/*try_to_connect=*/true), GRPC_CHANNEL_IDLE);
  const auto server = Serve(path_);
  EXPECT_OK(Say(channel, "hello"));
}

TEST_F(UnixSocketChannelTest, OversizeAnswerIsRefused) {
  const auto server = Serve(path_);
  ASSERT_OK_AND_ASSIGN(const ChannelPtr channel, DialUnixSocket(path_, {.max_receive_bytes = 1000}));
  EXPECT_THAT(Say(channel, std::string(2000, 'x')), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST_F(UnixSocketChannelTest, ConnectionIsMadeAgainToASocketThatIsMadeAgain) {
  auto server = Serve(path_);
  ASSERT_OK_AND_ASSIGN(const ChannelPtr channel, DialUnixSocket(path_));
  ASSERT_OK(Say(channel, "first"));
  server->Shutdown(absl::ZeroDuration());
  ASSERT_TRUE(channel->WaitForStateChange(GRPC_CHANNEL_READY, DeadlineIn(absl::Seconds(20))));
  server = Serve(path_);
  EXPECT_OK(Say(channel, "second"));
}

TEST_F(UnixSocketChannelTest, DialNeverReturnsThePredecessorsConnection) {
  const auto predecessor = Serve(path_);
  ASSERT_OK_AND_ASSIGN(const ChannelPtr old_channel, DialUnixSocket(path_));
  const auto successor = Serve(path_);
  ASSERT_OK_AND_ASSIGN(const ChannelPtr new_channel, DialUnixSocket(path_));
  predecessor->Shutdown(absl::ZeroDuration());
  EXPECT_EQ(new_channel->GetState(/*try_to_connect=*/false), GRPC_CHANNEL_READY);
  EXPECT_OK(Say(new_channel, "hello"));
}

}  // namespace
}  // namespace kubelet_cm
