#include "deviceplugin/checkpoint/content_json.h"

#include <string>

#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

std::string Shown(const DeviceContent& content, DeviceFormat shape) {
  std::string text;
  JsonWriter writer(&text);
  WriteDeviceContentJson(content, shape, &writer);
  return text;
}

DeviceContent OneEntry() {
  DeviceContent content;
  content.entries = {DeviceEntry{.pod_uid = "p",
                                 .container_name = "c",
                                 .resource_name = "r",
                                 .devices = DevicesPerNuma{{0, DeviceIds{"a"}}, {1, DeviceIds{"b"}}},
                                 .alloc_response = "\xff"}};
  return content;
}

TEST(ContentJsonTest, TheNewestShapeHasDevicesByNode) {
  EXPECT_EQ(
      Shown(OneEntry(), DeviceFormat::kV2),
      R"({"entries":[{"podUID":"p","containerName":"c","resourceName":"r","deviceIDs":{"0":["a"],"1":["b"]},"allocResp":"/w==","allocRespParses":false}],"registered":null})");
}

TEST(ContentJsonTest, OlderShapesHaveAList) {
  EXPECT_EQ(
      Shown(OneEntry(), DeviceFormat::kV1),
      R"({"entries":[{"podUID":"p","containerName":"c","resourceName":"r","deviceIDs":["a","b"],"allocResp":"/w==","allocRespParses":false}],"registered":null})");
}

TEST(ContentJsonTest, The18ShapeHasAnElementForEachDevice) {
  EXPECT_EQ(
      Shown(OneEntry(), DeviceFormat::kV0Of18),
      R"({"entries":[{"podUID":"p","containerName":"c","resourceName":"r","deviceID":"a"},{"podUID":"p","containerName":"c","resourceName":"r","deviceID":"b"}],"registered":null})");
}

TEST(ContentJsonTest, NilAndEmptyDiffer) {
  DeviceContent content;
  EXPECT_EQ(Shown(content, DeviceFormat::kV2), R"({"entries":null,"registered":null})");
  content.entries.emplace();
  content.registered = RegisteredDevices{{"r", std::nullopt}};
  EXPECT_EQ(Shown(content, DeviceFormat::kV2), R"({"entries":[],"registered":{"r":null}})");
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
