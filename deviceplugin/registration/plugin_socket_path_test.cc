#include "deviceplugin/registration/plugin_socket_path.h"

#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

constexpr char kFolder[] = "/var/lib/kubelet/device-plugins";

auto Refuses(const std::string& text) { return StatusIs(absl::StatusCode::kInvalidArgument, text); }

TEST(PluginSocketPathTest, ANameIsASocketInTheFolder) {
  EXPECT_THAT(PluginSocketPath(kFolder, "gpu.sock"), IsOkAndHolds("/var/lib/kubelet/device-plugins/gpu.sock"));
  EXPECT_THAT(PluginSocketPath("/x/", "..gpu"), IsOkAndHolds("/x/..gpu"));
}

TEST(PluginSocketPathTest, NothingLeadsOutOfTheFolder) {
  EXPECT_THAT(PluginSocketPath(kFolder, ".."), Refuses("the endpoint \"..\" is invalid: it is a folder"));
  EXPECT_THAT(PluginSocketPath(kFolder, "."), Refuses("the endpoint \".\" is invalid: it is a folder"));
  for (const char* endpoint : {"../pod-resources/kubelet.sock", "/etc/x.sock", "a/b", "a/", "./a"}) {
    EXPECT_THAT(PluginSocketPath(kFolder, endpoint),
                Refuses("the endpoint \"" + std::string(endpoint) +
                        "\" is invalid: it must be the name of a socket in /var/lib/kubelet/device-plugins, without "
                        "\"/\""));
  }
}

TEST(PluginSocketPathTest, TheKubeletsOwnSocketIsNoPlugin) {
  EXPECT_THAT(PluginSocketPath(kFolder, "kubelet.sock"),
              Refuses("the endpoint \"kubelet.sock\" is invalid: it is the kubelet's own socket"));
}

TEST(PluginSocketPathTest, AnEmptyEndpointIsRefused) {
  EXPECT_THAT(PluginSocketPath(kFolder, ""), Refuses("the endpoint \"\" is invalid: it is empty"));
}

TEST(PluginSocketPathTest, ANulByteIsRefused) {
  EXPECT_THAT(PluginSocketPath(kFolder, std::string("a\0b", 3)),
              Refuses("the endpoint \"a\\x00b\" is invalid: it has a NUL byte in it"));
}

TEST(PluginSocketPathTest, APathThatNoSocketCanHaveIsRefused) {
  const std::string folder = "/" + std::string(49, 'f');  // 50 bytes, and the slash
  EXPECT_OK(PluginSocketPath(folder, std::string(56, 'n')));
  EXPECT_THAT(PluginSocketPath(folder, std::string(57, 'n')),
              Refuses("the endpoint \"" + std::string(57, 'n') +
                      "\" is invalid: its path has 108 bytes; that of a unix socket has at most 107"));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
