#include "common/unixsocket/server.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/grpc_status.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/short_temp_dir.h"
#include "common/unixsocket/silent_socket.h"
#include "common/unixsocket/socket_path.h"
#include "common/unixsocket/testdata/echo_service.h"
#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class UnixSocketServerTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<UnixSocketServer>> Serve(UnixSocketServerOptions options) {
    if (options.path.empty()) options.path = path_;
    return UnixSocketServer::New(files_, {&echo_}, options);
  }

  // What the server at `path_`, or at another path, answers to `text`.
  absl::StatusOr<std::string> Say(const std::string& text) { return SayTo(path_, text); }
  static absl::StatusOr<std::string> SayTo(const std::string& path, const std::string& text) {
    absl::StatusOr<std::shared_ptr<grpc::Channel>> channel = DialUnixSocket(path);
    if (!channel.ok()) return channel.status();
    grpc::ClientContext context;
    testdata::EchoMessage request;
    request.set_text(text);
    testdata::EchoMessage response;
    const grpc::Status status = testdata::Echo::NewStub(*channel)->Say(&context, request, &response);
    if (!status.ok()) return FromGrpcStatus(status);
    return response.text();
  }

  uint32_t ModeOf(const std::string& path) {
    absl::StatusOr<FileStat> stat = files_.Stat(path);
    return stat.ok() ? stat->mode : 0;
  }

  const ShortTempDir folder_;
  const std::string path_ = folder_.File("kubelet.sock");
  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  testdata::EchoService echo_;
};

TEST_F(UnixSocketServerTest, AnswersOnItsSocket) {
  ASSERT_OK_AND_ASSIGN(const auto server, Serve({}));
  EXPECT_THAT(Say("hello"), IsOkAndHolds("hello"));
}

TEST_F(UnixSocketServerTest, AServerThatChecksItsPeersServesUsAndLeavesItsSocket) {
  ASSERT_OK_AND_ASSIGN(const auto server, Serve({.accept_with = &threads_, .own_user_only = true}));
  EXPECT_THAT(Say("hello"), IsOkAndHolds("hello"));
  EXPECT_EQ(ModeOf(path_), 0600u);
  server->Shutdown(absl::ZeroDuration());
  EXPECT_OK(files_.Lstat(path_));
}

TEST_F(UnixSocketServerTest, SocketHasTheWantedPermissions) {
  ASSERT_OK_AND_ASSIGN(auto server, Serve({}));
  EXPECT_EQ(ModeOf(path_), 0600u);
  server.reset();
  ASSERT_OK_AND_ASSIGN(server, Serve({.socket_permissions = 0660}));
  EXPECT_EQ(ModeOf(path_), 0660u);
}

TEST_F(UnixSocketServerTest, MissingFolderIsMade) {
  const std::string folder = folder_.File("a/device-plugins");
  ASSERT_OK_AND_ASSIGN(const auto server, Serve({.path = folder + "/kubelet.sock"}));
  EXPECT_EQ(ModeOf(folder), 0750u);
}

TEST_F(UnixSocketServerTest, FolderThatEverybodyMayWriteToIsRefused) {
  ASSERT_OK(files_.Chmod(folder_.path(), 0777));
  EXPECT_THAT(Serve({}), StatusIs(absl::StatusCode::kPermissionDenied, HasSubstr("0777")));
}

TEST_F(UnixSocketServerTest, StaleSocketIsReplaced) {
  { SilentSocket killed(path_); }
  ASSERT_OK_AND_ASSIGN(const auto server, Serve({}));
  EXPECT_THAT(Say("hello"), IsOkAndHolds("hello"));
}

TEST_F(UnixSocketServerTest, RegularFileIsRefusedAndStays) {
  ASSERT_OK(files_.Open(path_, OpenMode::kCreate));
  EXPECT_THAT(Serve({}), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(path_)));
  EXPECT_OK(files_.Stat(path_));
}

TEST_F(UnixSocketServerTest, TooLongPathIsRefusedBeforeAnythingIsMade) {
  const std::string folder = folder_.File("new");
  const std::string path = folder + "/" + std::string(kMaxSocketPath, 'x');
  EXPECT_THAT(Serve({.path = path}), StatusIs(absl::StatusCode::kInvalidArgument,
                                              AllOf(HasSubstr(path), HasSubstr(std::to_string(path.size())))));
  EXPECT_THAT(files_.Stat(folder), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(UnixSocketServerTest, OversizeRequestIsRefused) {
  ASSERT_OK_AND_ASSIGN(const auto server, Serve({.max_receive_bytes = 1000}));
  EXPECT_THAT(Say(std::string(2000, 'x')), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("1000")));
  EXPECT_OK(Say(std::string(900, 'x')));
}

TEST_F(UnixSocketServerTest, SocketStaysAfterShutdown) {
  ASSERT_OK_AND_ASSIGN(const auto server, Serve({}));
  server->Shutdown(absl::ZeroDuration());
  ASSERT_OK_AND_ASSIGN(const FileStat stat, files_.Lstat(path_));
  EXPECT_EQ(stat.kind, FileKind::kSocket);
}

TEST_F(UnixSocketServerTest, ShutdownLeavesTheSuccessorsSocketAlone) {
  ASSERT_OK_AND_ASSIGN(const auto predecessor, Serve({}));
  ASSERT_OK_AND_ASSIGN(const auto successor, Serve({}));
  predecessor->Shutdown(absl::ZeroDuration());
  EXPECT_THAT(Say("hello"), IsOkAndHolds("hello"));
}

TEST_F(UnixSocketServerTest, AtomicReplacementEndsUnderTheWantedNameOnly) {
  { SilentSocket killed(path_); }
  ASSERT_OK_AND_ASSIGN(const auto server, Serve({.socket_permissions = 0660, .replace_atomically = true}));
  EXPECT_THAT(Say("hello"), IsOkAndHolds("hello"));
  EXPECT_THAT(files_.List(folder_.path()), IsOkAndHolds(ElementsAre("kubelet.sock")));
  EXPECT_EQ(ModeOf(path_), 0660u);
}

// Remembers what it was told to remove.
class UnlinkRecorder : public PosixFileSystem {
 public:
  absl::Status Unlink(const std::string& path) override {
    unlinked.push_back(path);
    return PosixFileSystem::Unlink(path);
  }
  std::vector<std::string> unlinked;
};

// Does something else first when a file is about to get a second name.
class LinkWatcher : public PosixFileSystem {
 public:
  explicit LinkWatcher(std::function<void(const std::string& from)> before) : before_(std::move(before)) {}
  absl::Status Link(const std::string& from, const std::string& to) override {
    before_(from);
    return PosixFileSystem::Link(from, to);
  }

 private:
  const std::function<void(const std::string& from)> before_;
};

TEST_F(UnixSocketServerTest, ItIsServedBeforeItsNameIsThere) {
  { SilentSocket killed(path_); }
  for (Threads* accept_with : {static_cast<Threads*>(nullptr), static_cast<Threads*>(&threads_)}) {
    absl::StatusOr<std::string> answered = absl::UnknownError("it never got its name");
    LinkWatcher files([&](const std::string& from) {
      EXPECT_THAT(files_.Lstat(path_), StatusIs(absl::StatusCode::kNotFound));
      answered = SayTo(from, "hello");
    });
    ASSERT_OK_AND_ASSIGN(const auto server,
                         UnixSocketServer::New(files, {&echo_}, {.path = path_, .accept_with = accept_with}));
    EXPECT_THAT(answered, IsOkAndHolds("hello"));
    EXPECT_THAT(files_.List(folder_.path()), IsOkAndHolds(ElementsAre("kubelet.sock")));
    EXPECT_THAT(Say("hello"), IsOkAndHolds("hello"));
  }
}

TEST_F(UnixSocketServerTest, AtomicReplacementNeverRemovesTheOldSocket) {
  { SilentSocket killed(path_); }
  { SilentSocket killed_while_it_started(folder_.File(".kubelet.sock")); }
  UnlinkRecorder files;
  ASSERT_OK(UnixSocketServer::New(files, {&echo_}, {.path = path_, .replace_atomically = true}));
  EXPECT_THAT(files.unlinked, ElementsAre(folder_.File(".kubelet.sock")));
}

TEST_F(UnixSocketServerTest, AtomicReplacementRefusesARegularFile) {
  ASSERT_OK(files_.Open(path_, OpenMode::kCreate));
  EXPECT_THAT(Serve({.replace_atomically = true}), StatusIs(absl::StatusCode::kFailedPrecondition));
  ASSERT_OK_AND_ASSIGN(const FileStat stat, files_.Lstat(path_));
  EXPECT_EQ(stat.kind, FileKind::kRegular);
}

TEST_F(UnixSocketServerTest, ShutdownCutsCallsThatOutliveTheGrace) {
  ASSERT_OK_AND_ASSIGN(const auto server, Serve({}));
  ASSERT_OK_AND_ASSIGN(const auto channel, DialUnixSocket(path_));
  const auto stub = testdata::Echo::NewStub(channel);
  grpc::ClientContext context;
  const auto stream = stub->Chat(&context);
  testdata::EchoMessage message;
  ASSERT_TRUE(stream->Write(message));
  ASSERT_TRUE(stream->Read(&message));
  server->Shutdown(absl::Milliseconds(10));
  EXPECT_FALSE(stream->Read(&message));
  EXPECT_FALSE(stream->Finish().ok());
}

}  // namespace
}  // namespace kubelet_cm
