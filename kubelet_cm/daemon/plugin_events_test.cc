#include "kubelet_cm/daemon/plugin_events.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;

class HeardEvents : public NodeEvents {
 public:
  void Record(NodeEvent event) override {
    heard.push_back(absl::StrCat(std::string(event.kind), " ", event.subject, " ", event.message));
  }
  std::vector<std::string> heard;
};

TEST(PluginEventsTest, WhatBecomesOfAWatchedPluginIsTold) {
  HeardEvents events;
  PluginEvents plugins(events);
  const pluginwatcher::PluginInfo plugin{.type = "DRAPlugin", .name = "gpu.example.com"};
  plugins.OnPluginRegistered("/r/gpu.sock", plugin);
  plugins.OnPluginFailed("/r/gpu.sock", plugin, "no such version");
  plugins.OnPluginFailed("/r/mute.sock", {}, "nobody answers");
  plugins.OnPluginUnregistered("/r/gpu.sock", plugin);
  EXPECT_THAT(events.heard,
              ElementsAre("PluginRegistered gpu.example.com ", "PluginFailed gpu.example.com no such version",
                          "PluginFailed /r/mute.sock nobody answers", "PluginUnregistered gpu.example.com "));
}

}  // namespace
}  // namespace kubelet_cm
