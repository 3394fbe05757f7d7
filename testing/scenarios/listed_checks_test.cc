#include "testing/scenarios/listed_checks.h"

#include <string>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "testing/scenarios/still_node.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ListedChecksTest : public ::testing::Test {
 protected:
  ListedChecksTest() {
    Parse(R"pb(pod_resources {
                 name: "a"
                 containers {
                   name: "main"
                   devices { resource_name: "x/a" device_ids: "d0" }
                   devices {
                     resource_name: "x/b"
                     device_ids: "d1"
                     topology { nodes { ID: 1 } }
                   }
                   dynamic_resources {
                     claim_name: "c"
                     claim_resources { cdi_devices { name: "x/c=0" } }
                     claim_resources { cdi_devices { name: "x/c=1" } }
                   }
                 }
               })pb",
          node_.listed);
    Parse(R"pb(devices { resource_name: "x/a" device_ids: "d0" device_ids: "d2" })pb", node_.allocatable);
  }

  template <typename Message>
  static void Parse(const std::string& text, Message& message) {
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message));
  }
  std::vector<std::string> Missed(const std::string& text) {
    proto::Expect expect;
    Parse(text, expect);
    return LookForListed(expect, node_);
  }

  StillNode node_;
};

TEST_F(ListedChecksTest, WhatIsListedAsExpectedIsFine) {
  EXPECT_THAT(Missed("listed { pod: 'a' resource: 'x/a' ids: 'd0' } nobody_else_listed: true"), IsEmpty());
  EXPECT_THAT(Missed("listed { pod: 'a' resource: 'x/b' ids: 'd1' numa: 1 } listed { pod: 'b' missing: true }"),
              IsEmpty());
  EXPECT_THAT(Missed("listed_allocatable { resource: 'x/a' ids: 'd0' ids: 'd2' }"), IsEmpty());
}

TEST_F(ListedChecksTest, OtherDevicesOrNodesAreTold) {
  EXPECT_THAT(Missed("listed { pod: 'a' resource: 'x/a' ids: 'd1' }"),
              ElementsAre("what is listed of pod a: expected d1, got d0"));
  EXPECT_THAT(Missed("listed { pod: 'a' resource: 'x/b' ids: 'd1' }"),
              ElementsAre("what is listed of pod a: expected d1, got d1 on nodes 1"));
  EXPECT_THAT(Missed("listed_allocatable { resource: 'x/a' ids: 'd0' }"), ElementsAre(HasSubstr("got d0,d2")));
}

TEST_F(ListedChecksTest, OtherClaimsOrTheirDevicesAreTold) {
  EXPECT_THAT(Missed("listed { pod: 'a' claims: 'c' cdi_devices: 'x/c=0' cdi_devices: 'x/c=1' }"), IsEmpty());
  EXPECT_THAT(Missed("listed { pod: 'a' claims: 'c' cdi_devices: 'x/c=0' }"),
              ElementsAre("what is listed of pod a: expected c with x/c=0, got c with x/c=0,x/c=1"));
  EXPECT_THAT(Missed("listed { pod: 'a' claims: 'd' }"), ElementsAre(HasSubstr("expected d with nothing, got c with")));
  EXPECT_THAT(Missed("listed { pod: 'a' resource: 'x/a' ids: 'd9' claims: 'd' }"),
              ElementsAre(HasSubstr("expected d9"), HasSubstr("expected d with")));
}

TEST_F(ListedChecksTest, PodsTooManyAndTooFewAreTold) {
  EXPECT_THAT(Missed("listed { pod: 'b' resource: 'x/a' ids: 'd0' }"), ElementsAre(HasSubstr("that it is not there")));
  EXPECT_THAT(Missed("listed { pod: 'a' missing: true }"),
              ElementsAre(HasSubstr("got that it is"), HasSubstr("Get of")));
  EXPECT_THAT(Missed("nobody_else_listed: true"), ElementsAre("the pods that are listed: expected nothing, got a"));
}

TEST_F(ListedChecksTest, ContainersThatAreNotListedAreTold) {
  EXPECT_THAT(Missed("listed { pod: 'a' container: 'x' resource: 'x/a' ids: 'd0' }"),
              ElementsAre(HasSubstr("no such container")));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
