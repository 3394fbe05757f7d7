#include "kubelet_cm/daemon/greeting.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Greeting GreetingAt(const std::string& root) {
  config::DaemonOptions options;
  options.root_dir = root;
  options.device_plugin_dir = root + "/device-plugins";
  return {.paths = PathsOf(options), .restored = {"pods: 2", "devices: restored"}};
}

TEST(GreetingTest, SaysWhatWasFoundAndWhereItsSocketsAre) {
  const std::string text = RenderGreeting(GreetingAt("/state"));
  EXPECT_THAT(text, HasSubstr("is ready (pods: 2; devices: restored)"));
  EXPECT_THAT(text, HasSubstr("/state/device-plugins/kubelet.sock"));
  EXPECT_THAT(text, HasSubstr("/state/plugins_registry"));
  EXPECT_THAT(text, HasSubstr("/state/pod-resources/kubelet.sock"));
  EXPECT_THAT(text, HasSubstr("/state/kubelet_cm.sock"));
}

TEST(GreetingTest, PagesAreMentionedWhereThereAreAny) {
  Greeting greeting = GreetingAt("/state");
  EXPECT_THAT(RenderGreeting(greeting), Not(HasSubstr("http://")));
  greeting.http_port = 81;
  EXPECT_THAT(RenderGreeting(greeting), HasSubstr("http://127.0.0.1:81/healthz"));
}

TEST(GreetingTest, CommandsSayWhereTheDaemonIsUnlessItIsWhereTheyLook) {
  Greeting greeting = GreetingAt("/state");
  EXPECT_THAT(RenderGreeting(greeting), Not(HasSubstr("--root-dir")));
  greeting.default_root = false;
  EXPECT_THAT(RenderGreeting(greeting), HasSubstr("get devices --root-dir /state"));
  EXPECT_THAT(RenderGreeting(greeting), HasSubstr("--socket-dir /state/device-plugins"));
}

}  // namespace
}  // namespace kubelet_cm
