#include "dra/claim/claim_decoder.h"

#include <string>
#include <string_view>

#include "common/status/check.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

absl::StatusOr<ClaimObject> Decode(std::string_view json, ClaimApi api) {
  const auto document = JsonDocument::Parse(json);
  CHECK(document.ok()) << document.status();
  return DecodeClaimObject(document->root(), api);
}

// The status of a claim, decoded.
ClaimObject DecodeStatus(const std::string& status, ClaimApi api) {
  const auto claim = Decode(R"({"status":)" + status + "}", api);
  CHECK(claim.ok()) << claim.status();
  return *claim;
}

TEST(ClaimDecoderTest, EveryVersionThatThereWasIsKnown) {
  EXPECT_EQ(ClaimApiOf("v1alpha1"), ClaimApi::kHandle);
  EXPECT_EQ(ClaimApiOf("v1alpha2"), ClaimApi::kHandles);
  for (const char* const version : {"v1alpha3", "v1beta1", "v1beta2", "v1"}) {
    EXPECT_EQ(ClaimApiOf(version), ClaimApi::kResults) << version;
  }
  for (const char* const version : {"", "v2", "V1", "v1alpha4"}) EXPECT_EQ(ClaimApiOf(version), std::nullopt);
}

TEST(ClaimDecoderTest, TheIdentityIsReadWithoutRegardToTheCaseOfKeys) {
  ASSERT_OK_AND_ASSIGN(const ClaimObject claim,
                       Decode(R"({"Metadata":{"NAME":"n","namespace":"ns","uid":"u"}})", ClaimApi::kResults));
  EXPECT_EQ(claim.id, (ClaimId{"ns", "n", "u"}));
}

TEST(ClaimDecoderTest, TheControllerIsTheOwnerThatSaysSo) {
  ASSERT_OK_AND_ASSIGN(const ClaimObject claim, Decode(R"({"metadata":{"ownerReferences":[
                         {"apiVersion":"v1","kind":"Pod","name":"no","uid":"1"},
                         {"apiVersion":"v1","kind":"Pod","name":"no","uid":"2","controller":false},
                         {"apiVersion":"scheduling.k8s.io/v1alpha2","kind":"PodGroup","name":"g","uid":"3","controller":true},
                         {"apiVersion":"v1","kind":"Pod","name":"no","uid":"4","controller":true}]}})",
                                                       ClaimApi::kResults));
  EXPECT_THAT(claim.controller, Optional(ClaimOwner{"scheduling.k8s.io", "PodGroup", "g", "3"}));
}

TEST(ClaimDecoderTest, AnOwnerOfTheCoreGroupHasNoGroup) {
  ASSERT_OK_AND_ASSIGN(
      const ClaimObject claim,
      Decode(R"({"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","controller":true}]}})",
             ClaimApi::kResults));
  EXPECT_EQ(claim.controller->api_group, "");
}

TEST(ClaimDecoderTest, ReservationsAreReadWithTheirGroups) {
  const ClaimObject claim = DecodeStatus(
      R"({"reservedFor":[{"resource":"pods","name":"p","uid":"u"},{"apiGroup":"g","resource":"r","name":"n","uid":"v"}]})",
      ClaimApi::kResults);
  EXPECT_THAT(claim.reserved_for, ElementsAre(ClaimConsumer{"", "pods", "p", "u"}, ClaimConsumer{"g", "r", "n", "v"}));
}

TEST(ClaimDecoderTest, ResultsAreReadWithAllThatTheKubeletLooksAt) {
  const ClaimObject claim = DecodeStatus(
      R"({"allocation":{"devices":{"results":[{"request":"r/s","driver":"d","pool":"p","device":"x","shareID":"i",
          "adminAccess":true,"skipNodeOperations":["B","A"],"consumedCapacity":{}},{"shareID":null,"adminAccess":null}]}}})",
      ClaimApi::kResults);
  const AllocatedDevice full{"r/s", "d", "p", "x", "i", true, {"B", "A"}};
  EXPECT_THAT(claim.allocation->results, ElementsAre(full, AllocatedDevice{}));
}

TEST(ClaimDecoderTest, AnAllocationThatIsNullOrAbsentIsNone) {
  EXPECT_EQ(DecodeStatus("{}", ClaimApi::kResults).allocation, std::nullopt);
  EXPECT_EQ(DecodeStatus(R"({"allocation":null})", ClaimApi::kHandles).allocation, std::nullopt);
  EXPECT_EQ(DecodeStatus(R"({"allocation":{}})", ClaimApi::kResults).allocation, Allocation{});
}

TEST(ClaimDecoderTest, V1alpha2HasHandlesWithStructuredData) {
  const ClaimObject claim = DecodeStatus(
      R"({"driverName":"own","allocation":{"resourceHandles":[{"data":"a"},{"driverName":"d","data":"b",
          "structuredData":{"nodeName":"n","results":[{"namedResources":{"name":"x"}}]}}]}})",
      ClaimApi::kHandles);
  EXPECT_EQ(claim.driver_name, "own");
  ASSERT_EQ(claim.allocation->handles.size(), 2U);
  EXPECT_EQ(claim.allocation->handles[0], (ResourceHandle{"", "a", {}}));
  EXPECT_EQ(claim.allocation->handles[1].driver_name, "d");
  EXPECT_EQ(claim.allocation->handles[1].structured_data->results[0].named_resource, "x");
}

TEST(ClaimDecoderTest, V1alpha1HasOneHandleForTheClaimsOwnDriver) {
  const ClaimObject claim =
      DecodeStatus(R"({"driverName":"own","allocation":{"resourceHandle":"data"}})", ClaimApi::kHandle);
  EXPECT_THAT(claim.allocation->handles, ElementsAre(ResourceHandle{"", "data", {}}));
  EXPECT_THAT(DecodeStatus(R"({"allocation":{}})", ClaimApi::kHandle).allocation->handles,
              ElementsAre(ResourceHandle{}));
}

TEST(ClaimDecoderTest, TheClassIsReadWhereThereIsOne) {
  const std::string json = R"({"spec":{"resourceClassName":"c"}})";
  EXPECT_EQ(Decode(json, ClaimApi::kHandles)->class_name, "c");
  EXPECT_EQ(Decode(json, ClaimApi::kResults)->class_name, "");
}

TEST(ClaimDecoderTest, WhatAVersionDoesNotKnowIsLeftOutWhateverItIs) {
  const std::string status =
      R"({"driverName":1,"allocation":{"resourceHandle":2,"resourceHandles":3,"devices":{"results":[]}}})";
  EXPECT_EQ(DecodeStatus(status, ClaimApi::kResults).allocation, Allocation{});
  EXPECT_THAT(DecodeStatus(R"({"allocation":{"devices":5}})", ClaimApi::kHandles).allocation->results, IsEmpty());
}

TEST(ClaimDecoderTest, AValueOfTheWrongTypeIsAnErrorThatNamesTheField) {
  EXPECT_THAT(Decode(R"({"status":{"allocation":{"devices":{"results":[{"driver":7}]}}}})", ClaimApi::kResults),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("status.allocation.devices.results.driver")));
  EXPECT_THAT(Decode("[]", ClaimApi::kResults), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ClaimDecoderTest, AKeyThatComesTwiceIsDecodedOverItselfAsInGo) {
  ASSERT_OK_AND_ASSIGN(const ClaimObject claim,
                       Decode(R"({"status":{"allocation":{"devices":{"results":[{"driver":"d"},{"driver":"e"}]}}},
                                  "status":{"allocation":{"devices":{"results":[{"pool":"p"}]}}}})",
                              ClaimApi::kResults));
  ASSERT_EQ(claim.allocation->results.size(), 1U);
  EXPECT_EQ(claim.allocation->results[0].driver, "d");
  EXPECT_EQ(claim.allocation->results[0].pool, "p");
}

}  // namespace
}  // namespace kubelet_cm::dra
