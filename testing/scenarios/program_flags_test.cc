#include "testing/scenarios/program_flags.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ProgramFlagsTest, AMachineOfWhichNothingIsSaidHasOneNumaNodeAndTheDaemonsDefaults) {
  EXPECT_THAT(FlagsOf({}), AllOf(Contains("--numa-nodes=0"), Not(Contains(HasSubstr("topology"))),
                                 Not(Contains(HasSubstr("podresources"))), Not(Contains(HasSubstr("recover")))));
}

TEST(ProgramFlagsTest, WhatIsSaidOfAMachineIsAFlag) {
  proto::Node machine;
  machine.add_numa_nodes(0);
  machine.add_numa_nodes(2);
  machine.set_topology_policy("restricted");
  machine.set_topology_scope("pod");
  machine.set_recover(proto::Node::STRICT);
  machine.set_podresources_qps(1);
  machine.set_podresources_burst(5);
  EXPECT_THAT(FlagsOf(machine), AllOf(Contains("--numa-nodes=0,2"), Contains("--topology-manager-policy=restricted"),
                                      Contains("--topology-manager-scope=pod"), Contains("--recover=strict"),
                                      Contains("--podresources-qps=1"), Contains("--podresources-burst=5")));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
