#include "deviceplugin/inventory/device_list.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::IsEmpty;
using ::testing::IsNull;

// A message, device by device.
class Message {
 public:
  Message& Add(const std::string& id, const std::string& health, const std::vector<int64_t>& nodes = {}) {
    v1beta1::Device* device = message_.add_devices();
    device->set_id(id);
    device->set_health(health);
    for (const int64_t node : nodes) device->mutable_topology()->add_nodes()->set_id(node);
    return *this;
  }

  std::shared_ptr<const DeviceList> List() { return *MakeDeviceList(message_, &findings_); }
  const v1beta1::ListAndWatchResponse& message() const { return message_; }
  const ListFindings& findings() const { return findings_; }

 private:
  v1beta1::ListAndWatchResponse message_;
  ListFindings findings_;
};

std::vector<std::string> Ids(const DeviceList& list) {
  std::vector<std::string> ids;
  for (const ListedDevice& device : list.devices()) ids.push_back(device.id);
  return ids;
}

TEST(DeviceListTest, DevicesAreSortedById) {
  EXPECT_THAT(Ids(*Message().Add("b", "Healthy").Add("a", "Healthy").Add("B", "Healthy").List()),
              ElementsAre("B", "a", "b"));
}

TEST(DeviceListTest, OrderIsThatOfBytesBehindALongCommonBeginningToo) {
  const std::string common(100, 'x');
  Message message;
  for (const char* end : {"~12345678b", "\xc3\xa9", "", "1", "~12345678a", "0", "10"}) {
    message.Add(common + end, "Healthy");
  }
  EXPECT_THAT(Ids(*message.List()), ElementsAre(common, common + "0", common + "1", common + "10",
                                                common + "~12345678a", common + "~12345678b", common + "\xc3\xa9"));
}

TEST(DeviceListTest, AnIdThatEndsIsBeforeOneThatGoesOnWithANul) {
  const std::string with_nul("a\0", 2);
  EXPECT_THAT(Ids(*Message().Add(with_nul, "Healthy").Add("a", "Healthy").Add("aa", "Healthy").List()),
              ElementsAre("a", with_nul, "aa"));
}

TEST(DeviceListTest, OnlyTheExactWordIsHealthy) {
  const auto list =
      Message().Add("a", "Healthy").Add("b", "healthy").Add("c", "Unhealthy").Add("d", "").Add("e", "Healthy ").List();
  EXPECT_EQ(list->healthy_count(), 1);
  EXPECT_TRUE(list->Find("a")->healthy);
  EXPECT_FALSE(list->Find("b")->healthy);
  EXPECT_EQ(list->size(), 5);
}

TEST(DeviceListTest, DevicesWithoutIdAreDroppedAndCounted) {
  Message message;
  EXPECT_THAT(Ids(*message.Add("", "Healthy").Add("a", "Healthy").Add("", "").List()), ElementsAre("a"));
  EXPECT_EQ(message.findings().dropped_empty, 2);
}

TEST(DeviceListTest, AnIdTwiceWithDifferentHealthIsUnhealthy) {
  Message message;
  const auto list = message.Add("a", "Unhealthy").Add("b", "Healthy").Add("a", "Healthy").List();
  EXPECT_THAT(Ids(*list), ElementsAre("a", "b"));
  EXPECT_FALSE(list->Find("a")->healthy);
  EXPECT_EQ(message.findings().conflicting, 1);
  EXPECT_EQ(message.findings().repeated, 1);
  EXPECT_THAT(message.findings().samples, ElementsAre("a"));
}

TEST(DeviceListTest, AnIdTwiceWithTheSameHealthIsNoConflict) {
  Message message;
  EXPECT_EQ(message.Add("a", "Healthy").Add("a", "Healthy").List()->healthy_count(), 1);
  EXPECT_EQ(message.findings().conflicting, 0);
  EXPECT_EQ(message.findings().repeated, 1);
}

TEST(DeviceListTest, TheLastMentionOfAnIdTellsItsPlace) {
  const auto list = Message().Add("a", "Healthy", {2}).Add("b", "Healthy").Add("a", "Healthy", {1, 0}).List();
  EXPECT_THAT(list->Find("a")->numa_nodes, ElementsAre(0, 1));
}

TEST(DeviceListTest, TheLastOfManyMentionsTellsThePlace) {
  Message message;
  message.Add("b", "Healthy");
  for (int i = 0; i < 60; ++i) message.Add("a", "Healthy", {i});
  EXPECT_THAT(message.List()->Find("a")->numa_nodes, ElementsAre(59));
}

TEST(DeviceListTest, NumaNodesAreSortedAndUnique) {
  EXPECT_THAT(Message().Add("a", "Healthy", {3, 1, 3, 63, 0}).List()->Find("a")->numa_nodes, ElementsAre(0, 1, 3, 63));
}

TEST(DeviceListTest, NumaNodesThatNoMachineHasAreIgnoredAndCounted) {
  Message message;
  const auto list = message.Add("a", "Healthy", {-1, 64, int64_t{1} << 32, 5}).Add("b", "Healthy", {-1}).List();
  EXPECT_THAT(list->Find("a")->numa_nodes, ElementsAre(5));
  EXPECT_THAT(list->Find("b")->numa_nodes, IsEmpty());
  EXPECT_EQ(message.findings().bad_numa_nodes, 4);
  EXPECT_THAT(message.findings().samples, ElementsAre("a", "b"));
}

TEST(DeviceListTest, ADeviceWithAnEmptyTopologyHasNone) {
  Message message;
  message.Add("a", "Healthy");
  v1beta1::ListAndWatchResponse response = message.message();
  response.mutable_devices(0)->mutable_topology();
  ASSERT_OK_AND_ASSIGN(const auto list, MakeDeviceList(response, nullptr));
  EXPECT_FALSE(list->has_topology());
}

TEST(DeviceListTest, TopologyOfOneDeviceIsEnough) {
  EXPECT_TRUE(Message().Add("a", "Healthy").Add("b", "Unhealthy", {0}).List()->has_topology());
}

TEST(DeviceListTest, LongIdsAreTakenAndCounted) {
  Message message;
  const std::string longest_usual(63, 'a');
  const std::string longer(64, 'b');
  EXPECT_EQ(message.Add(longest_usual, "Healthy").Add(longer, "Healthy").List()->size(), 2);
  EXPECT_EQ(message.findings().long_ids, 1);
  EXPECT_THAT(message.findings().samples, ElementsAre(std::string(63, 'b')));
}

TEST(DeviceListTest, SamplesAreAFew) {
  Message message;
  for (int i = 10; i < 30; ++i) message.Add(absl::StrCat(i), "Healthy", {-1, -2});
  message.List();
  EXPECT_THAT(message.findings().samples, ElementsAre("10", "11", "12", "13", "14"));
}

TEST(DeviceListTest, AnOrdinaryMessageHasNoFindings) {
  Message message;
  message.Add("a", "Healthy", {0}).Add("b", "Unhealthy").List();
  EXPECT_TRUE(message.findings().empty());
}

TEST(DeviceListTest, TooManyDevicesAreRefusedAltogether) {
  v1beta1::ListAndWatchResponse message;
  for (size_t i = 0; i < kMaxDevices; ++i) message.add_devices()->set_id("a");
  ListFindings findings;
  EXPECT_OK(MakeDeviceList(message, &findings));
  EXPECT_EQ(findings.repeated, kMaxDevices - 1);
  message.add_devices();
  EXPECT_THAT(
      MakeDeviceList(message, &findings),
      StatusIs(absl::StatusCode::kResourceExhausted, Eq("the list has 100001 devices; at most 100000 are taken")));
  EXPECT_TRUE(findings.empty());
}

TEST(DeviceListTest, FindsWhatIsListedOnly) {
  const auto list = Message().Add("a", "Healthy").Add("c", "Healthy").List();
  EXPECT_EQ(list->Find("c")->id, "c");
  EXPECT_THAT(list->Find("b"), IsNull());
  EXPECT_THAT(list->Find(""), IsNull());
  EXPECT_THAT(DeviceList::Empty()->Find("a"), IsNull());
}

TEST(DeviceListTest, EqualListsAreEqualWhateverTheirOrderWas) {
  EXPECT_EQ(*Message().Add("a", "Healthy").Add("b", "").List(), *Message().Add("b", "x").Add("a", "Healthy").List());
  EXPECT_FALSE(*Message().Add("a", "Healthy").List() == *Message().Add("a", "Healthy", {0}).List());
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
