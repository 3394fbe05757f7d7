#include "deviceplugin/inventory/plugin_instances.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::IsNull;
using ::testing::Optional;

const PluginInstance kOld = {.id = 3, .socket_path = "/p/old.sock"};
const PluginInstance kNew = {.id = 7, .socket_path = "/p/new.sock", .pre_start_required = true};

TEST(PluginInstancesTest, NobodyIsThereAtFirst) {
  const PluginInstances instances;
  EXPECT_TRUE(instances.empty());
  EXPECT_EQ(instances.Newest(), std::nullopt);
  EXPECT_THAT(instances.NewestList(), IsNull());
}

TEST(PluginInstancesTest, TheNewestIsTheOneWithTheLargestIdInWhateverOrderTheyCome) {
  PluginInstances instances;
  instances.Add(kNew);
  instances.Add(kOld);
  EXPECT_THAT(instances.Newest(), Optional(Eq(kNew)));
  EXPECT_THAT(instances.All(), ElementsAre(kOld, kNew));
}

TEST(PluginInstancesTest, RemovingTellsWhetherItWasThere) {
  PluginInstances instances;
  instances.Add(kOld);
  EXPECT_FALSE(instances.Remove(kNew.id));
  EXPECT_TRUE(instances.Remove(kOld.id));
  EXPECT_FALSE(instances.Remove(kOld.id));
  EXPECT_TRUE(instances.empty());
}

TEST(PluginInstancesTest, TheListIsThatOfTheNewestWhichHasSentOne) {
  PluginInstances instances;
  instances.Add(kOld);
  instances.Add(kNew);
  const auto old_list = DeviceList::Of({{"a", true}});
  const auto new_list = DeviceList::Of({{"b", true}});
  instances.SetList(kOld.id, old_list);
  EXPECT_EQ(instances.NewestList(), old_list);
  instances.SetList(kNew.id, new_list);
  EXPECT_EQ(instances.NewestList(), new_list);
  instances.SetList(kOld.id, DeviceList::Empty());
  EXPECT_EQ(instances.NewestList(), new_list);
}

TEST(PluginInstancesDeathTest, AnInstanceConnectsOnce) {
  PluginInstances instances;
  instances.Add(kOld);
  EXPECT_DEATH(instances.Add(kOld), "instance 3 is connected already");
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
