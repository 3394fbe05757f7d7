// The unit file starts the daemon in a way that it understands.
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "gtest/gtest.h"
#include "kubelet_cm/config/command_line.h"

namespace kubelet_cm::config {
namespace {

// The unit's settings; of one that is there twice, the last.
std::map<std::string, std::string> Settings() {
  PosixFileSystem files;
  const auto text = ReadFile(files, "tools/release/kubelet_cm.service", 1 << 16);
  EXPECT_OK(text.status());
  std::map<std::string, std::string> settings;
  for (const absl::string_view line : absl::StrSplit(text.value_or(""), '\n')) {
    const std::pair<std::string, std::string> setting = absl::StrSplit(line, absl::MaxSplits('=', 1));
    if (!setting.first.starts_with('#')) settings[setting.first] = setting.second;
  }
  return settings;
}

TEST(UnitFileTest, TheDaemonUnderstandsItsFlags) {
  std::vector<std::string> words = absl::StrSplit(Settings()["ExecStart"], ' ');
  ASSERT_EQ(words.front(), "/usr/local/bin/kubelet_cm");
  ASSERT_EQ(words.back(), "$KUBELET_CM_OPTIONS");
  words.erase(words.begin());
  words.pop_back();
  FakeFileSystem files;
  const CommandLine line = ReadCommandLine(words, {.working_folder = "/", .host_name = "node"}, files);
  EXPECT_EQ(line.exit_code, std::nullopt) << line.output;
  EXPECT_EQ(line.options.root_dir, "/var/lib/kubelet");
}

TEST(UnitFileTest, WhatDoesNotMendItselfIsNotStartedAgain) {
  EXPECT_EQ(Settings()["Restart"], "on-failure");
  EXPECT_EQ(Settings()["RestartPreventExitStatus"], "2 3 4");
}

TEST(UnitFileTest, TheDaemonSaysWhenItIsReady) {
  EXPECT_EQ(Settings()["Type"], "notify");
  EXPECT_FALSE(Settings()["WatchdogSec"].empty());
}

}  // namespace
}  // namespace kubelet_cm::config
