#include "deviceplugin/allocation/node_allocatable.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

class NodeAllocatableTest : public ::testing::Test {
 protected:
  NodeAllocatableTest() {
    ledger_.Restore({{"p", "c", "a.com/gpu", DevicesPerNuma{{0, DeviceIds{"1", "2"}}}, ""},
                     {"q", "c", "a.com/gpu", DevicesPerNuma{{0, DeviceIds{"3"}}}, ""},
                     {"q", "c", "a.com/nic", DevicesPerNuma{{0, DeviceIds{"1"}}}, ""}},
                    RestoredNuma::kKnown);
  }
  DeviceLedger ledger_;
};

TEST_F(NodeAllocatableTest, IsRaisedToTheNumberTakenForEveryResource) {
  EXPECT_EQ(RaisedAllocatable("p", ledger_, {{"a.com/gpu", 0}, {"a.com/nic", 0}, {"cpu", 4}}),
            (ResourceCounts{{"a.com/gpu", 3}, {"a.com/nic", 1}, {"cpu", 4}}));
}

TEST_F(NodeAllocatableTest, WhatIsMissingIsAdded) {
  EXPECT_EQ(RaisedAllocatable("p", ledger_, {}), (ResourceCounts{{"a.com/gpu", 3}, {"a.com/nic", 1}}));
}

TEST_F(NodeAllocatableTest, IsNeverLowered) {
  EXPECT_EQ(RaisedAllocatable("p", ledger_, {{"a.com/gpu", 8}, {"a.com/nic", 0}}),
            (ResourceCounts{{"a.com/gpu", 8}, {"a.com/nic", 1}}));
  EXPECT_EQ(RaisedAllocatable("p", ledger_, {{"a.com/gpu", 3}, {"a.com/nic", 1}}), std::nullopt);
}

TEST_F(NodeAllocatableTest, StaysForAPodThatHoldsNothing) {
  EXPECT_EQ(RaisedAllocatable("other", ledger_, {}), std::nullopt);
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
