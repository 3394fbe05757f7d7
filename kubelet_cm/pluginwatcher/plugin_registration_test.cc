#include "kubelet_cm/pluginwatcher/plugin_registration.h"

#include <memory>
#include <string>

#include "common/clock/fake_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "kubelet_cm/pluginwatcher/fake_registration_clients.h"
#include "kubelet_cm/pluginwatcher/recording_plugin_handler.h"

namespace kubelet_cm::pluginwatcher {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kPath[] = "/r/a.sock";

// Says yes, and remembers.
class RecordingHolds : public PluginHolds {
 public:
  absl::Status Take(const std::string&, const PluginInfo&) override {
    held = take_error.ok();
    return take_error;
  }
  bool BeginRelease(const std::string&, bool registered) override { return registered || inherited; }
  void Release(const std::string&) override { held = false; }

  bool held = false;
  bool inherited = false;
  absl::Status take_error = {};
};

class PluginRegistrationTest : public ::testing::Test {
 protected:
  void Serve(FakeRegistrationClients::Plugin plugin) { plugins_.Serve(kPath, std::move(plugin)); }
  RegistrationOutcome Register() { return RegisterPlugin(deps_, kPath, *plugins_.Maker()(kPath)); }
  static PluginInfo Info() { return {.type = "T", .name = "n", .endpoint = "/e", .versions = {"v1"}}; }

  FakeClock clock_;
  RealThreads threads_{clock_};
  FakeRegistrationClients plugins_{threads_};
  FakeFileSystem files_;
  RecordingPluginHandler handler_;
  const PluginHandlers handlers_ = {{"T", &handler_}};
  RecordingHolds holds_;
  RegistrationDependencies deps_{.files = files_, .handlers = handlers_, .holds = holds_};
};

TEST_F(PluginRegistrationTest, APluginIsValidatedRegisteredAndTold) {
  Serve({.info = Info()});
  const RegistrationOutcome outcome = Register();
  EXPECT_OK(outcome.status);
  EXPECT_EQ(outcome.plugin, Info());
  EXPECT_THAT(handler_.Calls(), ElementsAre("validate n /e", "register n /e"));
  EXPECT_THAT(plugins_.Told(kPath), ElementsAre("registered"));
  EXPECT_TRUE(holds_.held);
}

TEST_F(PluginRegistrationTest, WithoutAnEndpointItIsTheRegistrationSocket) {
  Serve({.info = {.type = "T", .name = "n"}});
  EXPECT_EQ(Register().plugin.endpoint, kPath);
  EXPECT_THAT(handler_.Calls(), ElementsAre("validate n /r/a.sock", "register n /r/a.sock"));
}

TEST_F(PluginRegistrationTest, ASocketOnWhichNobodyAnswersIsAnErrorAfterTenSeconds) {
  RegistrationOutcome outcome;
  auto thread = threads_.Start("registers", [&] { outcome = Register(); });
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  clock_.Advance(absl::Seconds(10));
  thread.reset();
  EXPECT_THAT(outcome.status, StatusIs(absl::StatusCode::kDeadlineExceeded,
                                       "RegisterPlugin error -- dial failed at socket /r/a.sock, err: failed to dial "
                                       "socket /r/a.sock, err: context deadline exceeded"));
  EXPECT_THAT(plugins_.Told(kPath), IsEmpty());
}

TEST_F(PluginRegistrationTest, APluginThatDoesNotSayWhatItIsIsNotTold) {
  Serve({.info_error = absl::UnimplementedError("unknown service pluginregistration.Registration")});
  EXPECT_THAT(Register().status,
              StatusIs(absl::StatusCode::kUnimplemented,
                       "RegisterPlugin error -- failed to get plugin info using RPC GetInfo at socket /r/a.sock, err: "
                       "rpc error: code = Unimplemented desc = unknown service pluginregistration.Registration"));
  EXPECT_THAT(plugins_.Told(kPath), IsEmpty());
}

TEST_F(PluginRegistrationTest, ATypeThatNobodyHandlesIsRefused) {
  Serve({.info = {.type = "CSIPlugin", .name = "n"}});
  const RegistrationOutcome outcome = Register();
  EXPECT_EQ(outcome.reason,
            "RegisterPlugin error -- no handler registered for plugin type: CSIPlugin at socket /r/a.sock");
  EXPECT_THAT(outcome.status,
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "RegisterPlugin error -- failed to send error at socket /r/a.sock, err: " + outcome.reason));
  EXPECT_THAT(plugins_.Told(kPath), ElementsAre(outcome.reason));
}

TEST_F(PluginRegistrationTest, APluginThatIsNotValidIsNotRegistered) {
  Serve({.info = Info()});
  handler_.FailValidations(absl::InvalidArgumentError("bad name"));
  EXPECT_FALSE(Register().status.ok());
  EXPECT_THAT(plugins_.Told(kPath), ElementsAre("RegisterPlugin error -- plugin validation failed with err: bad name"));
  EXPECT_THAT(handler_.Calls(), ElementsAre("validate n /e"));
}

TEST_F(PluginRegistrationTest, AnswersOfAnyLengthReachNoHandler) {
  Serve({.info = {.type = "T", .name = std::string(1000, 'n'), .endpoint = "/e"}});
  const RegistrationOutcome outcome = Register();
  EXPECT_THAT(outcome.reason, HasSubstr("name has 1000 bytes"));
  EXPECT_EQ(outcome.plugin, PluginInfo());
  EXPECT_THAT(plugins_.Told(kPath), ElementsAre(outcome.reason));
  EXPECT_THAT(handler_.Calls(), IsEmpty());
}

TEST_F(PluginRegistrationTest, AnEndpointThatMustNotBeReachesNoHandler) {
  deps_.confine_endpoints_to = "/root";
  Serve({.info = Info()});
  EXPECT_THAT(Register().reason, HasSubstr("plugin validation failed with err: the endpoint /e is outside"));
  EXPECT_THAT(handler_.Calls(), IsEmpty());
}

TEST_F(PluginRegistrationTest, ARegistrationThatFailsIsNotHeld) {
  Serve({.info = Info()});
  handler_.FailRegistrations(absl::UnavailableError("no answer"));
  EXPECT_THAT(Register().status, StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_FALSE(holds_.held);
  EXPECT_THAT(handler_.Calls(), ElementsAre("validate n /e", "register n /e"));
  EXPECT_THAT(plugins_.Told(kPath),
              ElementsAre("RegisterPlugin error -- plugin registration failed with err: no answer"));
}

TEST_F(PluginRegistrationTest, ARegistrationThatFailsDeregistersWhatItTookOver) {
  Serve({.info = Info()});
  holds_.inherited = true;
  handler_.FailRegistrations(absl::UnavailableError("no answer"));
  EXPECT_FALSE(Register().status.ok());
  EXPECT_THAT(handler_.Calls(), ElementsAre("validate n /e", "register n /e", "deregister n /e"));
}

TEST_F(PluginRegistrationTest, AHoldThatIsNotGivenIsAFailure) {
  Serve({.info = Info()});
  holds_.take_error = absl::DeadlineExceededError("still there");
  EXPECT_THAT(Register().reason, HasSubstr("plugin registration failed with err: still there"));
  EXPECT_THAT(handler_.Calls(), ElementsAre("validate n /e"));
}

TEST_F(PluginRegistrationTest, APluginThatCannotBeToldOfSuccessIsDeregistered) {
  Serve({.info = Info(), .notify_error = absl::UnavailableError("gone")});
  EXPECT_THAT(Register().status,
              StatusIs(absl::StatusCode::kUnavailable,
                       "RegisterPlugin error -- failed to send registration status at socket /r/a.sock, err: rpc "
                       "error: code = Unavailable desc = gone"));
  EXPECT_THAT(handler_.Calls(), ElementsAre("validate n /e", "register n /e", "deregister n /e"));
  EXPECT_FALSE(holds_.held);
}

TEST_F(PluginRegistrationTest, APluginThatCannotBeToldOfFailureAddsWhy) {
  Serve({.info = {.type = "U"}, .notify_error = absl::UnavailableError("gone")});
  EXPECT_THAT(std::string(Register().status.message()),
              ::testing::EndsWith("plugin type: U at socket /r/a.sock: rpc error: code = Unavailable desc = gone"));
}

TEST_F(PluginRegistrationTest, UnregisteringTellsTheHandlerAlone) {
  UnregisterPlugin(deps_, kPath, Info());
  EXPECT_THAT(handler_.Calls(), ElementsAre("deregister n /e"));
  EXPECT_THAT(plugins_.Told(kPath), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::pluginwatcher
