#include "testing/scenarios/program_settling.h"

#include <string>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

// How plugins are seen is in program_node_test.cc.
namespace kubelet_cm::scenarios {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class UnseenDriversTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
        "plugins { type: 'DRAPlugin' name: 'a.example.com' state: 'connected' }"
        "plugins { type: 'DRAPlugin' name: 'old.example.com' state: 'registered' }"
        "plugins { type: 'DRAPlugin' name: 'gone.example.com' state: 'disconnected' }"
        "plugins { type: 'DevicePlugin' name: 'a/b' state: 'connected' }",
        &listed_));
  }

  ::kubeletcm::v1::ListPluginsResponse listed_;
  const ::kubeletcm::v1::NodeResourcesResponse resources_;
  const std::string file_;
  const DaemonWords daemon_ = {listed_, resources_, file_};
};

TEST_F(UnseenDriversTest, NothingIsUnseenWhenTheDaemonHasThoseThatAreUp) {
  EXPECT_THAT(UnseenDrivers({"a.example.com", "old.example.com"}, {}, daemon_), IsEmpty());
}

TEST_F(UnseenDriversTest, ADriverThatIsNotConnectedIsUnseen) {
  EXPECT_THAT(UnseenDrivers({"a.example.com", "gone.example.com", "old.example.com"}, {}, daemon_),
              HasSubstr("gone.example.com"));
}

TEST_F(UnseenDriversTest, ADriverThatIsDownAndStillSeenIsSaid) {
  EXPECT_THAT(UnseenDrivers({"a.example.com"}, {}, daemon_),
              HasSubstr("the daemon sees a.example.com,old.example.com"));
}

TEST_F(UnseenDriversTest, WhatTheDaemonSaysOfADriverMayBeOfItsSocketBefore) {
  EXPECT_THAT(UnseenDrivers({"a.example.com", "old.example.com"}, {"a.example.com"}, daemon_),
              HasSubstr("a.example.com are not registered"));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
