#include "deviceplugin/allocation/run_options.h"

#include "common/status/status_matchers.h"
#include "deviceplugin/api/v1beta1.pb.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

DeviceEntry Entry(const std::string& resource, const std::string& response_text) {
  v1beta1::ContainerAllocateResponse response;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(response_text, &response)) << response_text;
  return {"p", "c", resource, DevicesPerNuma{{0, DeviceIds{"1"}}}, response.SerializeAsString()};
}

MergedRunOptions Merged(const std::vector<DeviceEntry>& entries) {
  const auto merged = MergeRunOptions(entries);
  EXPECT_OK(merged);
  return merged->value_or(MergedRunOptions());
}

TEST(RunOptionsTest, AreNoneWhenNothingIsHeld) {
  ASSERT_OK_AND_ASSIGN(const auto merged, MergeRunOptions({}));
  EXPECT_EQ(merged, std::nullopt);
}

TEST(RunOptionsTest, AreThereThoughTheAnswerIsEmpty) {
  ASSERT_OK_AND_ASSIGN(const auto merged, MergeRunOptions({Entry("r", "")}));
  ASSERT_TRUE(merged.has_value());
  EXPECT_EQ(merged->options, RunOptions());
}

TEST(RunOptionsTest, HaveAllThatAnAnswerSays) {
  const MergedRunOptions merged = Merged({Entry("r", R"(
      envs { key: "E" value: "1" }
      mounts { container_path: "/c" host_path: "/h" read_only: true }
      devices { container_path: "/dev/c" host_path: "/dev/h" permissions: "mrw" }
      annotations { key: "a" value: "b" }
      cdi_devices { name: "v.com/gpu=0" })")});
  EXPECT_EQ(merged.options,
            (RunOptions{.envs = {{"E", "1"}},
                        .mounts = {{.name = "/c", .container_path = "/c", .host_path = "/h", .read_only = true}},
                        .devices = {{"/dev/h", "/dev/c", "mrw"}},
                        .annotations = {{"a", "b"}},
                        .cdi_devices = {"v.com/gpu=0"}}));
  EXPECT_THAT(merged.conflicts, IsEmpty());
}

TEST(RunOptionsTest, AreMergedByResourceInSortedOrderWhateverOrderTheyCome) {
  const DeviceEntry a = Entry("a", R"(cdi_devices { name: "x/y=a" } envs { key: "E" value: "a" })");
  const DeviceEntry b = Entry("b", R"(cdi_devices { name: "x/y=b" } envs { key: "E" value: "b" })");
  EXPECT_EQ(Merged({b, a}).options, Merged({a, b}).options);
  EXPECT_THAT(Merged({b, a}).options.envs, ElementsAre(Pair("E", "a")));
}

TEST(RunOptionsTest, TheFirstValueOfAVariableWinsAndAnotherIsReported) {
  const MergedRunOptions merged = Merged({Entry("a", R"(envs { key: "E" value: "1" } envs { key: "F" value: "0" })"),
                                          Entry("b", R"(envs { key: "E" value: "2" } envs { key: "F" value: "0" })")});
  EXPECT_THAT(merged.options.envs, ElementsAre(Pair("E", "1"), Pair("F", "0")));
  EXPECT_THAT(merged.conflicts, ElementsAre(SettingConflict{"Environment variable has conflicting setting",
                                                            {{"envKey", "E"}, {"expected", "2"}, {"got", "1"}}}));
}

TEST(RunOptionsTest, TheFirstDeviceOfAContainerPathWinsAndAnotherHostPathIsReported) {
  const MergedRunOptions merged =
      Merged({Entry("a", R"(devices { container_path: "/c" host_path: "/1" permissions: "r" })"),
              Entry("b", R"(devices { container_path: "/c" host_path: "/2" })")});
  EXPECT_THAT(merged.options.devices, ElementsAre(DeviceNode{"/1", "/c", "r"}));
  EXPECT_THAT(merged.conflicts,
              ElementsAre(SettingConflict{"Container device has conflicting mapping host devices",
                                          {{"containerPath", "/c"}, {"got", "/1"}, {"expected", "/2"}}}));
}

TEST(RunOptionsTest, OtherPermissionsForTheSameDeviceAreNoConflict) {
  const MergedRunOptions merged =
      Merged({Entry("a", R"(devices { container_path: "/c" host_path: "/1" permissions: "r" }
                            devices { container_path: "/c" host_path: "/1" permissions: "rw" })")});
  EXPECT_THAT(merged.options.devices, ElementsAre(DeviceNode{"/1", "/c", "r"}));
  EXPECT_THAT(merged.conflicts, IsEmpty());
}

TEST(RunOptionsTest, TheFirstMountOfAContainerPathWinsAndAnotherHostPathIsReported) {
  const MergedRunOptions merged = Merged({Entry("a", R"(mounts { container_path: "/c" host_path: "/1" })"),
                                          Entry("b", R"(mounts { container_path: "/c" host_path: "/2" })")});
  ASSERT_EQ(merged.options.mounts.size(), 1u);
  EXPECT_EQ(merged.options.mounts[0].host_path, "/1");
  EXPECT_THAT(merged.conflicts,
              ElementsAre(SettingConflict{"Container mount has conflicting mapping host mounts",
                                          {{"containerPath", "/c"}, {"conflictingPath", "/1"}, {"hostPath", "/2"}}}));
}

TEST(RunOptionsTest, AMountAgainWithOtherAccessIsNoConflict) {
  const MergedRunOptions merged = Merged({Entry("a", R"(mounts { container_path: "/c" host_path: "/1" read_only: true }
                                                        mounts { container_path: "/c" host_path: "/1" })")});
  ASSERT_EQ(merged.options.mounts.size(), 1u);
  EXPECT_TRUE(merged.options.mounts[0].read_only);
  EXPECT_THAT(merged.conflicts, IsEmpty());
}

TEST(RunOptionsTest, MountsAreNamedByTheirContainerPathAndNotRelabelled) {
  const MergedRunOptions merged = Merged({Entry("a", R"(mounts { container_path: "/c" host_path: "/h" })")});
  ASSERT_EQ(merged.options.mounts.size(), 1u);
  EXPECT_EQ(merged.options.mounts[0].name, "/c");
  EXPECT_FALSE(merged.options.mounts[0].selinux_relabel);
}

TEST(RunOptionsTest, TheFirstValueOfAnAnnotationWinsAndAnotherIsReported) {
  const MergedRunOptions merged = Merged(
      {Entry("a", R"(annotations { key: "k" value: "1" })"), Entry("b", R"(annotations { key: "k" value: "2" })")});
  EXPECT_THAT(merged.options.annotations, ElementsAre(Pair("k", "1")));
  EXPECT_THAT(merged.conflicts,
              ElementsAre(SettingConflict{"Annotation has conflicting setting",
                                          {{"annotationKey", "k"}, {"expected", "1"}, {"got", "2"}}}));
}

TEST(RunOptionsTest, CdiNamesAreThereOnce) {
  const MergedRunOptions merged = Merged({Entry("a", R"(cdi_devices { name: "x/y=2" } cdi_devices { name: "x/y=1" })"),
                                          Entry("b", R"(cdi_devices { name: "x/y=2" })")});
  EXPECT_THAT(merged.options.cdi_devices, ElementsAre("x/y=2", "x/y=1"));
}

TEST(RunOptionsTest, AnAnswerThatCannotBeParsedIsAnError) {
  DeviceEntry entry = Entry("a", "");
  entry.alloc_response = "\xff";
  EXPECT_THAT(MergeRunOptions({entry}), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
