#include "kubelet_cm/apiserver/slice_messages.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::apiserver {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kResources[] =
    R"({"instances":[{"name":"gpu-0","attributes":[{"name":"memory","quantity":"16Gi"},{"name":"fast","bool":false},)"
    R"({"name":"lanes","int":-7},{"name":"links","intSlice":{"ints":[1,2]}},{"name":"vendor","string":"a\"b"},)"
    R"({"name":"ports","stringSlice":{"strings":["x",""]}},{"name":"firmware","version":"1.2.3"}]},{"name":"gpu-1"}]})";
constexpr char kMetadata[] = R"({"name":"s1","resourceVersion":"7","labels":{"theirs":"1"}})";

std::string List(const std::string& items) {
  return absl::StrCat(R"({"kind":"ResourceSliceList","apiVersion":"resource.k8s.io/v1alpha2","metadata":{},"items":[)",
                      items, "]}");
}
std::string Slice(const std::string& content) {
  return absl::StrCat(R"({"metadata":)", kMetadata, R"(,"nodeName":"n1","driverName":"gpu.example.com",)", content,
                      "}");
}

TEST(SliceMessagesTest, WhatIsReadIsWrittenAsItWas) {
  ASSERT_OK_AND_ASSIGN(const auto slices,
                       ParseSliceList(List(Slice(absl::StrCat(R"("namedResources":)", kResources)))));
  ASSERT_THAT(slices, SizeIs(1));
  EXPECT_EQ(slices[0].name, "s1");
  EXPECT_EQ(slices[0].driver_name, "gpu.example.com");
  EXPECT_EQ(SliceJson(slices[0], "n1"),
            absl::StrCat(R"({"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1alpha2","metadata":)", kMetadata,
                         R"(,"nodeName":"n1","driverName":"gpu.example.com","namedResources":)", kResources, "}"));
}

TEST(SliceMessagesTest, EveryKindOfAttributeIsRead) {
  ASSERT_OK_AND_ASSIGN(const auto slices,
                       ParseSliceList(List(Slice(absl::StrCat(R"("namedResources":)", kResources)))));
  const auto& attributes = slices[0].model.named_resources().instances(0).attributes();
  ASSERT_EQ(attributes.size(), 7);
  EXPECT_EQ(attributes[0].attribute_value().quantity().string(), "16Gi");
  EXPECT_TRUE(attributes[1].attribute_value().has_bool_());
  EXPECT_EQ(attributes[2].attribute_value().int_(), -7);
  EXPECT_EQ(attributes[3].attribute_value().int_slice().ints(1), 2);
  EXPECT_EQ(attributes[4].attribute_value().string(), "a\"b");
  EXPECT_EQ(attributes[5].attribute_value().string_slice().strings(1), "");
  EXPECT_EQ(attributes[6].attribute_value().version(), "1.2.3");
}

TEST(SliceMessagesTest, AQuantityMayBeANumber) {
  ASSERT_OK_AND_ASSIGN(
      const auto slices,
      ParseSliceList(
          List(Slice(R"("namedResources":{"instances":[{"name":"a","attributes":[{"name":"q","quantity":5}]}]})"))));
  EXPECT_EQ(slices[0].model.named_resources().instances(0).attributes(0).attribute_value().quantity().string(), "5");
}

TEST(SliceMessagesTest, AModelThatIsNotKnownIsNone) {
  ASSERT_OK_AND_ASSIGN(const auto slices, ParseSliceList(List(Slice(R"("otherResources":{})"))));
  EXPECT_FALSE(slices[0].model.has_named_resources());
  EXPECT_THAT(SliceJson(slices[0], "n1"), testing::Not(HasSubstr("namedResources")));
}

TEST(SliceMessagesTest, WhatIsNoListOfSlicesIsRefused) {
  for (const std::string& text :
       {std::string(""), std::string("[]"), std::string(R"({"kind":"ResourceClaimList","items":[]})"),
        List(R"({"metadata":{}})"), List(R"({"metadata":{"name":5}})"),
        List(Slice(R"("namedResources":{"instances":5})")),
        List(Slice(R"("namedResources":{"instances":[{"attributes":5}]})")),
        List(Slice(R"("namedResources":{"instances":[{"attributes":[{"int":"1"}]}]})"))}) {
    EXPECT_FALSE(ParseSliceList(text).ok()) << text;
  }
  EXPECT_THAT(ParseSliceList(List("")), IsOkAndHolds(IsEmpty()));
}

TEST(SliceMessagesTest, ANewSliceIsNamedByTheServerAndBelongsToTheNode) {
  dra::ModelSlice slice{.driver_name = "gpu.example.com"};
  slice.model.mutable_named_resources();
  EXPECT_EQ(NewSliceJson(slice, {.name = "n1", .uid = "u1"}),
            R"({"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1alpha2","metadata":)"
            R"({"generateName":"n1-gpu.example.com-","ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"n1",)"
            R"("uid":"u1","controller":true}]},"nodeName":"n1","driverName":"gpu.example.com",)"
            R"("namedResources":{"instances":[]}})");
}

TEST(SliceMessagesTest, ANodeHasAUid) {
  EXPECT_THAT(ParseNodeUid(R"({"kind":"Node","metadata":{"name":"n1","uid":"u1"}})"), IsOkAndHolds("u1"));
  EXPECT_THAT(ParseNodeUid(R"({"kind":"Node","metadata":{"name":"n1"}})"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ParseNodeUid(R"({"kind":"Pod","metadata":{"uid":"u1"}})"), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kubelet_cm::apiserver
