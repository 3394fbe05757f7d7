#include "tools/cmctl/node/plugin_verbs.h"

#include <memory>
#include <string>

#include "common/clock/real_clock.h"
#include "common/threads/real_threads.h"
#include "deviceplugin/endpoint/fake_plugin_client.h"
#include "gmock/gmock.h"
#include "testing/fakes/scripted_plugin.h"
#include "tools/cmctl/node/node_fixture.h"

namespace kubelet_cm::cmctl {
namespace {

using testing::HasSubstr;
using testing::Not;

class PluginVerbsTest : public NodeFixture {
 protected:
  PluginVerbsTest() : plugin_(threads_, {.devices = fakes::NumberedDevices("dev-", 3, 2)}) {
    EXPECT_OK(file_system_.AddSocket("/r/p.sock"));
    node_.plugin = [this](deviceplugin::PluginApi api) {
      api_ = api;
      return std::make_unique<deviceplugin::FakePluginClient>(threads_, plugin_);
    };
  }

  int Call(PluginCallOptions options) {
    options.socket = "/r/p.sock";
    return RunPluginCall(options, environment_);
  }

  RealClock real_clock_;
  RealThreads threads_{real_clock_};
  fakes::ScriptedPlugin plugin_;
  deviceplugin::PluginApi api_ = deviceplugin::PluginApi::kV1Beta1;
};

TEST_F(PluginVerbsTest, CallsAreAnsweredByThePlugin) {
  EXPECT_EQ(Call({.call = "options"}), kOk);
  EXPECT_EQ(Call({.call = "list"}), kOk);
  EXPECT_EQ(Call({.call = "list", .output = "json"}), kOk);
  EXPECT_EQ(Call({.call = "allocate", .devices = {"dev-0"}}), kOk);
  EXPECT_EQ(Call({.call = "prestart", .devices = {"dev-0"}}), kOk);
  EXPECT_EQ(Call({.call = "preferred", .devices = {"dev-0", "dev-1"}, .must_include = {"dev-1"}, .size = 1}), kOk);
  ExpectGolden("plugin_call.txt");
}

TEST_F(PluginVerbsTest, TheApiIsTheOneThatIsSaid) {
  EXPECT_EQ(Call({.call = "options", .api = "v1alpha2"}), kOk);
  EXPECT_EQ(api_, deviceplugin::PluginApi::kV1Alpha2);
  EXPECT_EQ(Call({.call = "options", .api = "0.1"}), kOk);
  EXPECT_EQ(api_, deviceplugin::PluginApi::k01);
}

TEST_F(PluginVerbsTest, AnErrorOfThePluginIsItsAnswer) {
  plugin_.script().At(fakes::PluginMethod::kAllocate, 1,
                      {.act = fakes::PluginAct::kFail, .error = absl::InternalError("no\x1b[2J")});
  EXPECT_EQ(Call({.call = "allocate", .devices = {"dev-0"}}), kRefused);
  EXPECT_EQ(err(), "cmctl: /r/p.sock: \"rpc error: code = Internal desc = no\\x1b[2J\"\n");
}

TEST_F(PluginVerbsTest, WhatCannotBeCalledIsSaid) {
  EXPECT_EQ(Call({.call = "allocate"}), kUsage);
  EXPECT_EQ(RunPluginCall({.socket = "/r/none", .call = "list"}, environment_), kNotFound);
  EXPECT_EQ(RunPluginCall({.socket = Put("file", ""), .call = "list"}, environment_), kUsage);
  node_.plugin = nullptr;
  EXPECT_EQ(Call({.call = "list"}), kFailed);
  EXPECT_EQ(err(),
            "cmctl: say which devices: DEVICE...\ncmctl: /r/none: there is no such socket\n"
            "cmctl: /f/file: that is no socket\ncmctl: /r/p.sock: failed to dial device plugin\n");
}

TEST_F(PluginVerbsTest, AProbeSaysWhatWasFound) {
  SocketReport report{.services = {{"pluginregistration.Registration", "a plugin that is found in plugins_registry"},
                                   {"v1beta1.DevicePlugin", "device plugin"}},
                      .problems = {"ListAndWatch: rpc\x07"}};
  Set(R"(type: "DevicePlugin" name: "example.com/gpu" supported_versions: "v1beta1")", &report.registration.emplace());
  Set("pre_start_required: true", &report.options.emplace());
  Set(R"(devices { ID: "b" health: "Healthy" topology { nodes { ID: 1 } nodes { ID: 0 } } } devices { ID: "a" })",
      &report.devices.emplace());
  node_.report = report;
  EXPECT_EQ(RunProbe({.socket = "/r/p.sock"}, environment_), kOk);
  EXPECT_EQ(RunProbe({.socket = "/r/p.sock", .output = "json"}, environment_), kOk);
  ExpectGolden("plugin_probe.txt");
}

TEST_F(PluginVerbsTest, AProbeOfSomethingElseIsNo) {
  node_.report = SocketReport{};
  EXPECT_EQ(RunProbe({.socket = "/r/p.sock", .output = "yaml"}, environment_), kRefused);
  EXPECT_EQ(RunProbe({.socket = "/r/p.sock"}, environment_), kRefused);
  EXPECT_THAT(out(), HasSubstr("none of the services of a node"));
  node_.report = absl::UnavailableError("nobody speaks gRPC there");
  EXPECT_EQ(RunProbe({.socket = "/r/p.sock"}, environment_), kFailed);
  EXPECT_EQ(RunProbe({.socket = "/r/none"}, environment_), kNotFound);
}

TEST_F(PluginVerbsTest, SecretsOfAnAllocationAreShownOnRequestOnly) {
  EXPECT_EQ(Call({.call = "allocate", .devices = {"dev-0"}, .output = "json"}), kOk);
  const std::string redacted = out();
  out_.str("");
  EXPECT_EQ(Call({.call = "allocate", .devices = {"dev-0"}, .show_secrets = true, .output = "json"}), kOk);
  EXPECT_THAT(redacted, HasSubstr("redacted"));
  EXPECT_THAT(out(), Not(HasSubstr("redacted")));
}

}  // namespace
}  // namespace kubelet_cm::cmctl
