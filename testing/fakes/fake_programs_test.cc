// The fakes as programs, with the product's own clients: what the contracts (device_plugin_contract_test,
// dra_driver_contract_test) say of fakes in a test's process, for those that are processes of their own.
#include <csignal>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/short_temp_dir.h"
#include "deviceplugin/api/plugin_api.h"
#include "deviceplugin/endpoint/connect_plugin.h"
#include "dra/api/dra_api.h"
#include "dra/plugin/connect_driver.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/child_process.h"

namespace kubelet_cm::fakes {
namespace {

using deviceplugin::PluginApi;
using deviceplugin::PluginClient;
using dra::DraApi;
using harness::ChildProcess;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;

constexpr absl::Duration kLimit = absl::Seconds(20);

class FakeProgram : public testing::Test {
 protected:
  void Run(const std::string& program, std::vector<std::string> arguments) {
    ASSERT_OK_AND_ASSIGN(process_, ChildProcess::Start(threads_, {.program = "testing/fakes/" + program,
                                                                  .arguments = std::move(arguments)}));
    ASSERT_TRUE(process_->AwaitOutput("serving "));
  }
  // Its end, when it is told to go in this way.
  ChildProcess::End End(int signal) {
    process_->Signal(signal);
    return AwaitEnd();
  }
  ChildProcess::End AwaitEnd() {
    EXPECT_TRUE(process_->AwaitExit());
    return process_->end().value_or(ChildProcess::End{});
  }
  bool IsThere(const std::string& path) { return files_.Stat(path).ok(); }

  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  CapturingLogger log_;
  ShortTempDir folder_;
  std::unique_ptr<ChildProcess> process_;
};

class PluginProgramTest : public FakeProgram, public testing::WithParamInterface<PluginApi> {
 protected:
  std::string socket() const { return folder_.File("fake.sock"); }
  void RunPlugin(const std::vector<std::string>& faults = {}) {
    std::vector<std::string> arguments = {"--resource", "a/b", "--devices",    "2",
                                          "--api",      "",    "--socket-dir", folder_.path()};
    arguments[5] = std::string(deviceplugin::ApiVersion(GetParam()));
    for (const std::string& fault : faults) arguments.insert(arguments.end(), {"--fault", fault});
    Run("device_plugin", std::move(arguments));
    ASSERT_OK_AND_ASSIGN(client_, deviceplugin::ConnectPlugin({files_, log_}, socket(), GetParam()));
  }
  absl::Status Allocate() {
    const std::vector<std::string> ids = {"dev-0"};
    return client_->Allocate(ids, kLimit).status();
  }

  std::unique_ptr<PluginClient> client_;
};

INSTANTIATE_TEST_SUITE_P(EveryApi, PluginProgramTest,
                         testing::Values(PluginApi::kV1Beta1, PluginApi::kV1Alpha2, PluginApi::k01));

TEST_P(PluginProgramTest, ListsAllocatesAndGoesWithItsSocketWhenItIsAskedTo) {
  RunPlugin();
  ASSERT_OK_AND_ASSIGN(const auto list, client_->ListAndWatch()->Read());
  EXPECT_EQ(list->devices_size(), 2);
  EXPECT_OK(Allocate());
  client_.reset();
  EXPECT_EQ(End(SIGTERM), ChildProcess::End{});
  EXPECT_FALSE(IsThere(socket()));
}

TEST_P(PluginProgramTest, KilledItLeavesItsSocketAndComesBackOnIt) {
  RunPlugin();
  EXPECT_EQ(End(SIGKILL), ChildProcess::End{.signal = SIGKILL});
  EXPECT_TRUE(IsThere(socket()));
  RunPlugin();
  EXPECT_OK(Allocate());
}

TEST_P(PluginProgramTest, DoesWhatItsFaultsSayAndDiesAsAProcess) {
  RunPlugin({"call: ALLOCATE act: FAIL code: 'UNAVAILABLE' message: 'busy'", "call: ALLOCATE nth: 3 act: DIE"});
  EXPECT_THAT(Allocate(), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("busy")));
  EXPECT_OK(Allocate());
  EXPECT_FALSE(Allocate().ok());
  EXPECT_EQ(AwaitEnd(), ChildProcess::End{.signal = SIGKILL});
}

class DriverProgramTest : public FakeProgram, public testing::WithParamInterface<DraApi> {
 protected:
  std::string announced() const { return folder_.File("registry/d-reg.sock"); }
  void RunDriver(const std::vector<std::string>& faults = {}) {
    std::vector<std::string> arguments = {"--driver",     "d",
                                          "--api",        std::string(dra::ApiName(GetParam())),
                                          "--registry",   folder_.File("registry"),
                                          "--socket-dir", folder_.File("d")};
    for (const std::string& fault : faults) arguments.insert(arguments.end(), {"--fault", fault});
    Run("dra_driver", std::move(arguments));
    ASSERT_OK_AND_ASSIGN(
        client_, dra::ConnectDriver({.driver_name = "d", .endpoint = folder_.File("d/dra.sock"), .api = GetParam()}));
  }
  absl::StatusOr<dra::ClaimAnswers> Prepare() { return client_->Prepare(claims_, kLimit); }

  const std::vector<dra::ClaimRef> claims_ = {{.id = {"ns", "a", "uid-a"}}};
  std::unique_ptr<dra::DraClient> client_;
};

INSTANTIATE_TEST_SUITE_P(EveryApi, DriverProgramTest,
                         testing::Values(DraApi::kV1, DraApi::kV1Beta1, DraApi::kV1Alpha4, DraApi::kV1Alpha3,
                                         DraApi::kV1Alpha2, DraApi::kV1Alpha1));

TEST_P(DriverProgramTest, PreparesUnpreparesAndGoesWithItsSocketsWhenItIsAskedTo) {
  RunDriver();
  EXPECT_TRUE(IsThere(announced()));
  ASSERT_OK_AND_ASSIGN(const dra::ClaimAnswers answers, Prepare());
  EXPECT_THAT(answers.at("uid-a").devices.front().cdi_device_ids, ElementsAre("example.com/fake=uid-a"));
  EXPECT_THAT(*client_->Unprepare(claims_, kLimit), ElementsAre(Key("uid-a")));
  client_.reset();
  EXPECT_EQ(End(SIGTERM), ChildProcess::End{});
  EXPECT_FALSE(IsThere(announced()));
}

TEST_P(DriverProgramTest, KilledItLeavesItsSocketsAndComesBackOnThem) {
  RunDriver();
  EXPECT_EQ(End(SIGKILL), ChildProcess::End{.signal = SIGKILL});
  EXPECT_TRUE(IsThere(announced()));
  RunDriver();
  EXPECT_OK(Prepare().status());
}

TEST_P(DriverProgramTest, DoesWhatItsFaultsSayAndDiesAsAProcess) {
  RunDriver({"call: NODE_PREPARE_RESOURCES act: FAIL code: 'UNAVAILABLE' message: 'busy'",
             "call: NODE_PREPARE_RESOURCES nth: 2 act: DIE"});
  EXPECT_THAT(Prepare(), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("busy")));
  EXPECT_FALSE(Prepare().ok());
  EXPECT_EQ(AwaitEnd(), ChildProcess::End{.signal = SIGKILL});
}

}  // namespace
}  // namespace kubelet_cm::fakes
