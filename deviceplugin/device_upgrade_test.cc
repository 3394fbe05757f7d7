// What an upgrade of the node makes of the devices that pods hold: one kubelet writes, another one reads.
#include "checkpointmanager/checkpoint_recovery.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/file_system.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::NumberedDevices;
using harness::DeviceNode;
using harness::PodWith;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kResource[] = "example.com/device";

class DeviceUpgradeTest : public testing::Test {
 protected:
  // A node of that version with two devices, one of them held by pod "old"; then the kubelet is killed.
  void RunAs(std::string_view kubelet) {
    ASSERT_OK(node_.Start(kubelet));
    ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 2)}));
    ASSERT_OK(node_.Admit(PodWith("old", {{kResource, 1}})));
    ASSERT_OK(node_.manager().Flush());
    node_.Kill();
  }
  std::string StateFile() { return ReadFile(node_.disk, DeviceNode::kStateFile, 1 << 20).value_or(""); }

  DeviceNode node_;
};

// k/k#102880: the reader of the v1 format was forgotten.
TEST_F(DeviceUpgradeTest, From119To120Point0NothingIsRestoredAndANewPodIsAdmittedWithoutDevices) {
  RunAs("1.19");
  ASSERT_THAT(StateFile(), HasSubstr(R"("DeviceIDs":["dev-0"])"));  // v1
  ASSERT_OK(node_.Start("1.20.0"));
  EXPECT_THAT(node_.Devices("old", kResource), IsEmpty());
  EXPECT_THAT(node_.manager().GetCapacity().capacity, IsEmpty());
  EXPECT_OK(node_.Admit(PodWith("new", {{kResource, 1}})));
  EXPECT_THAT(node_.Devices("new", kResource), IsEmpty());
}

struct Mended {
  const char* kubelet;
  const char* refusal;  // while the plugin is not back
};

class MendedUpgradeTest : public DeviceUpgradeTest, public testing::WithParamInterface<Mended> {};

TEST_P(MendedUpgradeTest, From119DevicesAreRestoredAndANewPodIsRefusedUntilThePluginIsBack) {
  RunAs("1.19");
  ASSERT_THAT(StateFile(), HasSubstr(R"("DeviceIDs":["dev-0"])"));  // v1
  ASSERT_OK(node_.Start(GetParam().kubelet));
  EXPECT_EQ(node_.manager().restore_outcome(), RecoveryOutcome::kMigrated);
  EXPECT_THAT(node_.Devices("old", kResource), ElementsAre("dev-0"));
  EXPECT_THAT(node_.manager().GetCapacity().capacity, ElementsAre(testing::Pair(kResource, 0)));
  EXPECT_EQ(node_.Admit(PodWith("new", {{kResource, 1}})).message(), GetParam().refusal);
  EXPECT_THAT(node_.Devices("new", kResource), IsEmpty());
  ASSERT_OK(node_.Register(kResource, "a.sock"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  ASSERT_OK(node_.Admit(PodWith("new", {{kResource, 1}})));
  EXPECT_THAT(node_.Devices("new", kResource), ElementsAre("dev-1"));
}

constexpr Mended kMended[] = {
    {"1.20.15", "requested number of devices unavailable for example.com/device. Requested: 1, Available: 0"},
    {"latest", "no healthy devices present; cannot allocate unhealthy devices example.com/device"}};

INSTANTIATE_TEST_SUITE_P(Kubelets, MendedUpgradeTest, testing::ValuesIn(kMended),
                         [](const auto& kubelet) { return kubelet.index == 0 ? "Kubelet12015" : "Latest"; });

class EveryUpgradeTest : public DeviceUpgradeTest, public testing::WithParamInterface<const char*> {};

TEST_P(EveryUpgradeTest, LatestRestoresWhatAnyKubeletWroteAndWritesTheNewestFormat) {
  RunAs(GetParam());
  ASSERT_OK(node_.Start());
  EXPECT_THAT(node_.Devices("old", kResource), ElementsAre("dev-0"));
  ASSERT_OK(node_.Register(kResource, "a.sock"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  ASSERT_OK(node_.manager().Flush());
  node_.Kill();
  ASSERT_OK(node_.Start("1.37"));
  EXPECT_EQ(node_.manager().restore_outcome(), RecoveryOutcome::kRestored);
  EXPECT_THAT(node_.Devices("old", kResource), ElementsAre("dev-0"));
}

INSTANTIATE_TEST_SUITE_P(Kubelets, EveryUpgradeTest,
                         testing::Values("1.8", "1.9", "1.10", "1.11", "1.19", "1.20.0", "1.22.17", "1.23", "1.30",
                                         "1.31", "1.37"),
                         [](const auto& kubelet) { return "Index" + std::to_string(kubelet.index); });

TEST_F(DeviceUpgradeTest, From130To131TheV1ReaderIsGoneButTheFileIsV2Already) {
  RunAs("1.30");
  ASSERT_OK(node_.Start("1.31"));
  EXPECT_THAT(node_.Devices("old", kResource), ElementsAre("dev-0"));
}

TEST_F(DeviceUpgradeTest, ADowngradeTo119ForgetsEverythingAsThatKubeletDoes) {
  RunAs("latest");
  ASSERT_OK(node_.Start("1.19"));
  EXPECT_EQ(node_.manager().restore_outcome(), RecoveryOutcome::kCorrupt);
  EXPECT_THAT(node_.Devices("old", kResource), IsEmpty());
}

TEST_F(DeviceUpgradeTest, DevicesOfAnOldFormatMoveToTheNumaNodesThatThePluginTells) {
  ASSERT_OK(node_.Start("1.19"));
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 4, 2)}));
  ASSERT_OK(node_.Admit(PodWith("old", {{kResource, 2}})));
  node_.Kill();
  ASSERT_OK(node_.Start());
  EXPECT_THAT(node_.manager().ContainerDevices("old", "main")[kResource]["dev-1"], ElementsAre(0));
  ASSERT_OK(node_.Register(kResource, "a.sock"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 4, 4));
  EXPECT_THAT(node_.manager().ContainerDevices("old", "main")[kResource]["dev-1"], ElementsAre(1));
}

TEST_F(DeviceUpgradeTest, DevicesOfAnOldFormatMoveToTheirNodesThoughTheFileWasWrittenAnewBeforeThePluginCame) {
  ASSERT_OK(node_.Start("1.19"));
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 4, 2)}));
  ASSERT_OK(node_.Admit(PodWith("old", {{kResource, 2}})));
  node_.Kill();
  ASSERT_OK(node_.Start());
  ASSERT_OK(node_.RunPlugin("example.com/other", "b.sock"));
  ASSERT_OK(node_.Admit(PodWith("new", {{"example.com/other", 1}})));  // writes the newest format
  node_.Kill();
  ASSERT_OK(node_.Start());
  EXPECT_EQ(node_.manager().restore_outcome(), RecoveryOutcome::kRestored);
  EXPECT_THAT(node_.manager().ContainerDevices("old", "main")[kResource]["dev-1"], ElementsAre(0));
  ASSERT_OK(node_.Register(kResource, "a.sock"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 4, 4));
  EXPECT_THAT(node_.manager().ContainerDevices("old", "main")[kResource]["dev-1"], ElementsAre(1));
}

// 1.20 to 1.22 write node 0 for devices that tell of no node.
TEST_F(DeviceUpgradeTest, NodeZeroOf122IsNoNodeForAPluginThatTellsOfNone) {
  RunAs("1.22.17");
  ASSERT_OK(node_.Start());
  EXPECT_THAT(node_.manager().ContainerDevices("old", "main")[kResource]["dev-0"], ElementsAre(0));
  ASSERT_OK(node_.Register(kResource, "a.sock"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  EXPECT_THAT(node_.manager().ContainerDevices("old", "main")[kResource]["dev-0"], IsEmpty());
}

TEST_F(DeviceUpgradeTest, AnEmulatedKubeletTakesNodeZeroOfTheNewestFormatAsItIs) {
  RunAs("1.22.17");
  ASSERT_OK(node_.Start("1.37"));
  ASSERT_OK(node_.Register(kResource, "a.sock"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  EXPECT_THAT(node_.manager().ContainerDevices("old", "main")[kResource]["dev-0"], ElementsAre(0));
}

TEST_F(DeviceUpgradeTest, ADamagedFileIsSetAsideAndItsResourcesAreNotGivenAwayUnseen) {
  RunAs("latest");
  ASSERT_OK_AND_ASSIGN(const std::string file, ReadFile(node_.disk, DeviceNode::kStateFile, 1 << 20));
  ASSERT_OK(node_.disk.Unlink(DeviceNode::kStateFile));
  ASSERT_OK_AND_ASSIGN(const auto damaged, node_.disk.Open(DeviceNode::kStateFile, OpenMode::kCreateExclusive, 0600));
  ASSERT_OK(damaged->Write(file.substr(0, file.size() - 12)));
  ASSERT_OK(damaged->Close());
  ASSERT_OK(node_.Start());
  EXPECT_EQ(node_.manager().restore_outcome(), RecoveryOutcome::kCorrupt);
  EXPECT_THAT(node_.Admit(PodWith("new", {{kResource, 1}})).message(), HasSubstr("no healthy devices present"));
  EXPECT_THAT(*node_.disk.List(DeviceNode::kFolder),
              testing::Contains(HasSubstr("kubelet_internal_checkpoint.corrupt-")));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
