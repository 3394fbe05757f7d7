#include "dra/checkpoint/dra_salvage.h"

#include "dra/checkpoint/claim_codec.h"
#include "dra/checkpoint/legacy_codec.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Claims c0, c1, ... with a pool named so that its text looks like the start of a claim.
ClaimList Claims(int count) {
  std::vector<ClaimState> claims;
  for (int i = 0; i < count; ++i) {
    ClaimState claim{.claim_uid = "uid",
                     .claim_name = "c" + std::to_string(i),
                     .claim_namespace = "ns",
                     .pod_uids = {{"p"}},
                     .driver_state = std::map<std::string, DriverState>()};
    ClaimDevice device;
    device.pool_name = "{\"ClaimUID\":";
    (*claim.driver_state)["drv"].devices.Set({device});
    claims.push_back(std::move(claim));
  }
  ClaimList list;
  list.Set(std::move(claims));
  return list;
}

std::string File(int count) { return EncodeClaims(Claims(count), DraFormat::k137).bytes; }

std::string LegacyFile(int count) {
  std::vector<LegacyClaim> claims(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    LegacyClaim& claim = claims[static_cast<size_t>(i)];
    claim.claim_uid = "uid";
    claim.claim_name = "c" + std::to_string(i);
    claim.claim_namespace = "ns";
    claim.driver_name = "drv";
  }
  LegacyClaimList list;
  list.Set(std::move(claims));
  return EncodeLegacy(list, DraFormat::k128, ControlEscapes::kShort);
}

std::vector<std::string> Names(const DraSalvage& salvage) {
  std::vector<std::string> names;
  for (const ClaimState& claim : salvage.claims) names.push_back(claim.claim_name);
  return names;
}

TEST(DraSalvageTest, AValidFileIsReadAsItIs) {
  const DraSalvage salvage = SalvageDra(File(3));
  EXPECT_TRUE(salvage.claims == Claims(3));
  EXPECT_THAT(salvage.problems, IsEmpty());
  EXPECT_EQ(salvage.claims_lost, 0u);
}

TEST(DraSalvageTest, AWrongChecksumLosesNothing) {
  std::string file = File(2);
  file.insert(file.size() - 1, "1");
  file = file.substr(0, file.rfind(':') + 1) + "7}";
  const DraSalvage salvage = SalvageDra(file);
  EXPECT_THAT(Names(salvage), ElementsAre("c0", "c1"));
  EXPECT_THAT(salvage.problems, ElementsAre(testing::Field(&CheckpointProblem::text, HasSubstr("the checksum"))));
}

TEST(DraSalvageTest, WhatIsCutOffIsLostAndTheRestIsNot) {
  const std::string file = File(3);
  const size_t third = file.find("c2");
  const DraSalvage salvage = SalvageDra(file.substr(0, third));
  EXPECT_THAT(Names(salvage), ElementsAre("c0", "c1"));
  EXPECT_EQ(salvage.claims_lost, 1u);
  EXPECT_EQ(salvage.problems.back(),
            (CheckpointProblem{CheckpointProblemKind::kLost, "a claim cannot be read: it is cut off",
                               static_cast<int64_t>(file.rfind("{\\\"ClaimUID", third))}));
}

TEST(DraSalvageTest, DamageInTheMiddleCostsOneClaim) {
  for (const char* damage : {"\x01", "\"", "\\q", "\\", "}", "{"}) {
    std::string file = File(3);
    file.replace(file.find("c1"), 1, damage);
    const DraSalvage salvage = SalvageDra(file);
    EXPECT_THAT(Names(salvage), testing::Contains("c0")) << damage;
    EXPECT_THAT(Names(salvage), testing::Contains("c2")) << damage;
  }
}

TEST(DraSalvageTest, AClaimWhoseStartIsGoneIsCounted) {
  std::string file = File(3);
  const size_t second = file.rfind("ClaimUID", file.find("c1"));
  file[second] = 'X';
  file[second - 1] = '\x02';
  const DraSalvage salvage = SalvageDra(file);
  EXPECT_THAT(Names(salvage), ElementsAre("c0", "c2"));
  EXPECT_EQ(salvage.claims_lost, 1u);
}

TEST(DraSalvageTest, OneClaimOfAnotherTypeDoesNotCostTheOthers) {
  std::string file = File(3);
  file.replace(file.find("\\\"c1\\\""), 6, "5");
  const DraSalvage salvage = SalvageDra(file);
  EXPECT_THAT(Names(salvage), ElementsAre("c0", "c2"));
  EXPECT_THAT(salvage.problems.back().text, HasSubstr("claim 2 cannot be read: json: cannot unmarshal number"));
}

TEST(DraSalvageTest, FilesOfBefore131AreReadToo) {
  std::string file = LegacyFile(3);
  EXPECT_THAT(Names(SalvageDra(file.substr(0, file.find("c2")))), ElementsAre("c0", "c1"));
  file.replace(file.find("\"c1\""), 4, "5");
  EXPECT_THAT(Names(SalvageDra(file)), ElementsAre("c0", "c2"));
}

TEST(DraSalvageTest, WhereThereIsNothingThatIsSaid) {
  for (const char* bytes : {"", "{", "[]", "\"", "{\"Data\":5}"}) {
    const DraSalvage salvage = SalvageDra(bytes);
    EXPECT_TRUE(salvage.claims.empty());
    EXPECT_EQ(salvage.problems.back().text, "no claim can be found in the file") << bytes;
  }
}

TEST(DraSalvageTest, EveryCutKeepsWhatStandsBeforeIt) {
  const std::string file = File(3);
  for (size_t size = 0; size < file.size(); ++size) {
    const std::string cut = file.substr(0, size);
    size_t whole = 0;
    for (size_t at = cut.find("}]}}}"); at != std::string::npos; at = cut.find("}]}}}", at + 1)) ++whole;
    EXPECT_EQ(SalvageDra(cut).claims.size(), whole) << size;
  }
}

TEST(DraSalvageTest, NothingIsSavedOfAFileThatIsTooLarge) {
  const DraSalvage salvage = SalvageDra(File(1) + std::string(size_t{256} << 20, ' '));
  EXPECT_TRUE(salvage.claims.empty());
  ASSERT_EQ(salvage.problems.size(), 1u);
  EXPECT_EQ(salvage.problems[0].kind, CheckpointProblemKind::kNotReadable);
  EXPECT_THAT(salvage.problems[0].text, HasSubstr("more than 268435456"));
}

}  // namespace
}  // namespace kubelet_cm::dra
