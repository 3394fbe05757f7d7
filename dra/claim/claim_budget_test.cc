#include "dra/claim/claim_budget.h"

#include <string>
#include <vector>

#include "common/status/status_matchers.h"
#include "dra/checkpoint/dra_checkpoint_text.h"
#include "dra/claim/claim_samples.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using testing::Ge;
using testing::HasSubstr;
using testing::Le;

ClaimEntry EntryNamed(const std::string& name) {
  ClaimEntry entry{.id = SampleId(name), .pods = {"pod"}};
  entry.drivers["gpu"].state.devices.Set({SampleDevice(name, {"request"})});
  entry.drivers["gpu"].state.skip_node_operations.Set({"*"});
  return entry;
}

size_t FileBytes(const ClaimEntry& entry) {
  DraCheckpointText text(DraFormat::k137);
  std::string bytes;
  text.Render(&bytes);
  const size_t empty = bytes.size();
  text.Set(StateOf(entry, false));
  text.Render(&bytes);
  return bytes.size() - empty;
}

class ClaimBudgetTest : public testing::Test {
 protected:
  ClaimBudget budget_{{.parts = 10, .bytes = 5000}};
};

TEST_F(ClaimBudgetTest, AClaimIsNeverTakenForLessThanItTakesInTheFile) {
  for (const std::string name : {"claim", "", "\"\\<>&", "\x01\x7f\xff", "\xe2\x80\xa8"}) {
    EXPECT_THAT(WeightOf(EntryNamed(name)).bytes, Ge(FileBytes(EntryNamed(name)))) << name;
  }
}

TEST_F(ClaimBudgetTest, OrdinaryClaimsAreNotTakenForMuchMore) {
  const ClaimEntry entry = EntryNamed("an-ordinary-name-of-a-claim");
  EXPECT_THAT(WeightOf(entry).bytes, Le(2 * FileBytes(entry)));
}

TEST_F(ClaimBudgetTest, ClaimsDriversAndDevicesAreParts) {
  EXPECT_EQ(WeightOf(EntryNamed("a")).parts, 3u);
  EXPECT_EQ(WeightOf(SampleClaim("a", {"gpu", "nic"}), "pod").parts, 3u);
  EXPECT_EQ(WeightOf(std::vector{SampleDevice("a"), SampleDevice("b")}).parts, 2u);
}

TEST_F(ClaimBudgetTest, WhatAClaimIsNowCountsOnceAndNothingOnceItIsGone) {
  budget_.Set(EntryNamed("a"));
  budget_.Set(EntryNamed("a"));
  EXPECT_EQ(budget_.used(), WeightOf(EntryNamed("a")));
  budget_.Remove("ns/a");
  budget_.Remove("ns/a");
  EXPECT_EQ(budget_.used(), ClaimWeight{});
}

TEST_F(ClaimBudgetTest, TooManyPartsAndTooManyBytesAreRefused) {
  budget_.Set(EntryNamed("a"));
  EXPECT_OK(budget_.CheckRoomFor({.parts = 7}));
  EXPECT_THAT(
      budget_.CheckRoomFor({.parts = 8}),
      StatusIs(absl::StatusCode::kResourceExhausted, "more than 10 claims, drivers and devices; no more are taken"));
  EXPECT_THAT(budget_.CheckRoomFor({.bytes = 5000}),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("more than 5000 bytes of the state file")));
}

}  // namespace
}  // namespace kubelet_cm::dra
