#include "dra/claim/claim_parser.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Claim(const std::string& version, const std::string& status, const std::string& name = "c") {
  return absl::StrCat(R"({"apiVersion":"resource.k8s.io/)", version,
                      R"(","kind":"ResourceClaim","metadata":{"namespace":"ns","name":")", name,
                      R"(","uid":"u"},"status":)", status, "}");
}

const char* const kStructured =
    R"({"allocation":{"devices":{"results":[{"request":"r","driver":"d","pool":"p","device":"x"}]}}})";

auto Refused(const std::string& why) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(why)); }

TEST(ClaimParserTest, AClaimOfAnyVersionIsTheSameObject) {
  for (const char* const version : {"v1alpha3", "v1beta1", "v1beta2", "v1"}) {
    ASSERT_OK_AND_ASSIGN(const ClaimObject claim, ParseClaim(Claim(version, kStructured)));
    EXPECT_EQ(claim.id, (ClaimId{"ns", "c", "u"}));
    EXPECT_THAT(claim.allocation->results, ElementsAre(AllocatedDevice{"r", "d", "p", "x"}));
  }
}

TEST(ClaimParserTest, ClaimsOf126And127HaveHandles) {
  ASSERT_OK_AND_ASSIGN(const ClaimObject old,
                       ParseClaim(Claim("v1alpha1", R"({"driverName":"d","allocation":{"resourceHandle":"h"}})")));
  EXPECT_THAT(old.allocation->handles, ElementsAre(ResourceHandle{"", "h", {}}));
  const std::string status = R"({"driverName":"d","allocation":{"resourceHandles":[{"driverName":"e","data":"h"}]}})";
  ASSERT_OK_AND_ASSIGN(const ClaimObject newer, ParseClaim(Claim("v1alpha2", status)));
  EXPECT_THAT(newer.allocation->handles, ElementsAre(ResourceHandle{"e", "h", {}}));
}

TEST(ClaimParserTest, AnotherVersionGroupOrKindIsRefused) {
  EXPECT_THAT(ParseClaim(Claim("v2", "{}")), Refused(R"(apiVersion: "resource.k8s.io/v2" is no version)"));
  EXPECT_THAT(ParseClaim(R"({"apiVersion":"v1","kind":"ResourceClaim"})"), Refused("apiVersion"));
  EXPECT_THAT(ParseClaim(R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimTemplate"})"),
              Refused(R"(kind: "ResourceClaimTemplate" is not ResourceClaim)"));
  EXPECT_THAT(ParseClaim("{}"), Refused("kind"));
}

TEST(ClaimParserTest, WhatIsNoJsonOrNoObjectIsRefused) {
  EXPECT_THAT(ParseClaim(""), Refused("unexpected end of JSON input"));
  EXPECT_THAT(ParseClaim("{"), Refused("unexpected end of JSON input"));
  EXPECT_FALSE(ParseClaim("[]").ok());
  EXPECT_FALSE(ParseClaim("null").ok());
}

TEST(ClaimParserTest, AClaimThatIsWrongIsNamedWithTheField) {
  EXPECT_THAT(
      ParseClaim(Claim("v1", R"({"allocation":{"devices":{"results":[{"driver":"/"}]}}})")),
      Refused(R"(ResourceClaim "ns/c": status.allocation.devices.results[0].driver: "/" is not a driver's name)"));
}

TEST(ClaimParserTest, ATextIsNotLargerThanTheApiServerWouldHold) {
  const std::string large = Claim("v1", absl::StrCat(R"({"x":")", std::string(kMaxClaimText, 'x'), "\"}"));
  EXPECT_THAT(ParseClaim(large), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(ClaimParserTest, ADeeplyNestedTextIsNoDanger) {
  const std::string deep = std::string(9000, '[') + std::string(9000, ']');
  EXPECT_OK(ParseClaim(Claim("v1", absl::StrCat(R"({"x":)", deep, "}"))));
}

TEST(ClaimParserTest, AListOfClaimsGivesItsVersionToItsItems) {
  ASSERT_OK_AND_ASSIGN(const auto claims, ParseClaims(R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimList",
      "items":[{"metadata":{"namespace":"ns","name":"a","uid":"u"}},{"metadata":{"namespace":"ns","name":"b","uid":"v"}}]})"));
  EXPECT_THAT(claims, ElementsAre(Field(&ClaimObject::id, ClaimId{"ns", "a", "u"}),
                                  Field(&ClaimObject::id, ClaimId{"ns", "b", "v"})));
}

TEST(ClaimParserTest, ItemsOfAPlainListSayWhatTheyAre) {
  const std::string item = Claim("v1alpha2", R"({"driverName":"d","allocation":{}})");
  ASSERT_OK_AND_ASSIGN(const auto claims, ParseClaims(R"({"apiVersion":"v1","kind":"List","items":[)" + item + "," +
                                                      Claim("v1", "{}", "other") + "]}"));
  ASSERT_THAT(claims, SizeIs(2));
  EXPECT_EQ(claims[0].driver_name, "d");
  EXPECT_EQ(claims[1].id.name, "other");
  EXPECT_THAT(ParseClaims(R"({"apiVersion":"v1","kind":"List","items":[{"metadata":{}}]})"), Refused("items[0]: kind"));
}

TEST(ClaimParserTest, AListWithoutItemsIsEmptyAndAClaimIsAListOfOne) {
  EXPECT_THAT(*ParseClaims(R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimList","items":null})"),
              IsEmpty());
  EXPECT_THAT(*ParseClaims(R"({"apiVersion":"v1","kind":"List"})"), IsEmpty());
  EXPECT_THAT(*ParseClaims(Claim("v1", "{}")), SizeIs(1));
}

TEST(ClaimParserTest, OneWrongItemRefusesTheListAndIsNamed) {
  EXPECT_THAT(ParseClaims(absl::StrCat(R"({"apiVersion":"v1","kind":"List","items":[)", Claim("v1", "{}"), ",",
                                       Claim("v1", "{}", "BAD"), "]}")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("items[1]: "), HasSubstr("metadata.name: \"BAD\""))));
  EXPECT_THAT(ParseClaims(R"({"apiVersion":"v1","kind":"List","items":7})"), Refused("items: not a list"));
}

}  // namespace
}  // namespace kubelet_cm::dra
