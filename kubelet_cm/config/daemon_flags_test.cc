#include "kubelet_cm/config/daemon_flags.h"

#include <set>
#include <string>

#include "common/status/status_matchers.h"
#include "gtest/gtest.h"

namespace kubelet_cm::config {
namespace {

TEST(DaemonFlagsTest, NamesAreThereOnce) {
  std::set<std::string_view> names;
  for (const DaemonFlag& flag : DaemonFlags()) EXPECT_TRUE(names.insert(flag.name).second) << flag.name;
}

TEST(DaemonFlagsTest, WhatAFlagShowsItTakes) {
  DaemonOptions options;
  options.node_name = "node";
  options.numa_nodes = {0, 1};
  options.topology.prefer_closest_numa_nodes = true;
  options.dra_reconcile_interval = absl::Seconds(90);
  for (const DaemonFlag& flag : DaemonFlags()) {
    DaemonOptions copy;
    EXPECT_OK(flag.set(flag.show(options), &copy)) << flag.name;
    EXPECT_EQ(flag.show(copy), flag.show(options)) << flag.name;
  }
}

TEST(DaemonFlagsTest, AValueThatIsNotTakenChangesNothing) {
  for (const DaemonFlag& flag : DaemonFlags()) {
    DaemonOptions options;
    const std::string before = flag.show(options);
    if (flag.set("a=b\n", &options).ok()) continue;  // any text will do
    EXPECT_EQ(flag.show(options), before) << flag.name;
  }
}

}  // namespace
}  // namespace kubelet_cm::config
