#include "kubelet_cm/daemon/machine_facts.h"

#include <string>

#include "absl/status/status.h"
#include "common/filesystem/fake_file_system.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;

class MachineFactsTest : public ::testing::Test {
 protected:
  MachineFactsTest() {
    options_.boot_id_file = "/proc/boot_id";
    WriteFile("/proc", "boot_id", "a-boot\n");
  }
  void WriteFile(const std::string& folder, const std::string& name, const std::string& text) {
    ASSERT_OK(files_.MakeFolders(folder, 0755));
    auto file = files_.Open(folder + "/" + name, OpenMode::kCreate);
    ASSERT_OK(file);
    ASSERT_OK((*file)->Write(text));
  }

  FakeFileSystem files_;
  config::DaemonOptions options_;
};

TEST_F(MachineFactsTest, TheBootAndTheNumaNodesAreTheMachines) {
  WriteFile("/sys/devices/system/node", "online", "0-1\n");
  ASSERT_OK_AND_ASSIGN(const MachineFacts facts, ReadMachineFacts(files_, options_));
  EXPECT_EQ(facts.boot_id, "a-boot");
  EXPECT_THAT(facts.numa_nodes, ElementsAre(0, 1));
  EXPECT_TRUE(facts.numa_distances.empty());
}

TEST_F(MachineFactsTest, NumaNodesThatTheOptionsNameWin) {
  WriteFile("/sys/devices/system/node", "online", "0-1\n");
  options_.numa_nodes = {3};
  EXPECT_THAT(ReadMachineFacts(files_, options_)->numa_nodes, ElementsAre(3));
}

TEST_F(MachineFactsTest, DistancesAreReadWhereThePolicyLooksAtThem) {
  WriteFile("/sys/devices/system/node", "online", "0\n");
  WriteFile("/sys/devices/system/node/node0", "distance", "10\n");
  options_.topology.prefer_closest_numa_nodes = true;
  EXPECT_THAT(ReadMachineFacts(files_, options_)->numa_distances.at(0), ElementsAre(10));
}

TEST_F(MachineFactsTest, WithoutABootIdThereIsNoStart) {
  options_.boot_id_file = "/proc/missing";
  EXPECT_THAT(ReadMachineFacts(files_, options_), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace kubelet_cm
