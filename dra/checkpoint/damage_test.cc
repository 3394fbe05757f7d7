// Every truncation, every flipped bit and every removed byte of some small files: refused, or read as something that
// its checksum vouches for and that can be written again.
#include <string>
#include <vector>

#include "common/personality/personality.h"
#include "dra/checkpoint/claim_codec.h"
#include "dra/checkpoint/claim_invariants.h"
#include "dra/checkpoint/dra_reading.h"
#include "dra/checkpoint/dra_salvage.h"
#include "dra/checkpoint/legacy_codec.h"
#include "gtest/gtest.h"
#include "testing/harness/file_damage.h"

namespace kubelet_cm::dra {
namespace {

using harness::SmallGoldenFiles;
using harness::WithEachFlippedBit;
using harness::WithEachRemovedByte;
using harness::WithEachTruncation;

ClaimList SmallClaims() {
  ClaimDevice device{
      .pool_name = "p\n", .device_name = "<\xC3\xA9", .share_id = "s", .request_names = {}, .cdi_device_ids = {}};
  device.cdi_device_ids.Set({"v/c=d", ""});
  DriverState state;
  state.devices.Set({device, {}});
  state.skip_node_operations.Set({"*"});
  ClaimState claim{
      .claim_uid = "u", .claim_name = "c", .claim_namespace = "n", .pod_uids = {{"a", "b"}}, .driver_state = {}};
  claim.driver_state = {{"d", state}, {"e", {}}};
  ClaimList claims;
  claims.Set({claim, {}});
  return claims;
}

LegacyClaimList SmallLegacyClaims() {
  LegacyClaim claim;
  claim.driver_name = "d";
  claim.claim_uid = "u";
  claim.claim_name = "c\\";
  claim.pod_uids = {{"a", "b"}};
  StructuredHandle structured;
  structured.vendor_claim_parameters = "{\"a\":[1]}";
  structured.results.Set({{.vendor_request_parameters = {}, .named_resource = "g"}});
  claim.resource_handles.Set({{.driver_name = "d", .data = "x", .structured_data = structured}, {}});
  StringList ids;
  ids.Set({"v/c=d"});
  claim.cdi_devices = {{"d", ids}, {"e", {}}};
  LegacyClaimList claims;
  claims.Set({claim, {}});
  return claims;
}

std::string File(DraFormat format) {
  if (format >= DraFormat::k131) return EncodeClaims(SmallClaims(), format).bytes;
  return EncodeLegacy(SmallLegacyClaims(), format, ControlEscapes::kShort);
}

std::string Encoded(const DraReading& reading) {
  if (reading.format >= DraFormat::k131) return EncodeClaims(reading.claims, reading.format).bytes;
  return EncodeLegacy(reading.legacy_claims, reading.format, ControlEscapes::kShort);
}

// What must hold of any bytes.
void ExpectSound(const std::string& bytes) {
  const DraReading reading = ReadDraCheckpoint(bytes);
  EXPECT_EQ(reading.valid(), reading.stage == DraStage::kDone);
  EXPECT_EQ(reading.valid(), reading.problems.empty());
  for (const CheckpointProblem& problem : reading.problems) {
    EXPECT_LE(problem.offset.value_or(0), static_cast<int64_t>(bytes.size())) << problem.text;
  }
  if (!reading.valid()) return;
  ClaimProblems(reading.claims);
  EXPECT_EQ(DraContentJson(ReadDraCheckpoint(Encoded(reading))), DraContentJson(reading));
}

void ExpectSalvaged(const std::string& bytes) {
  const DraReading reading = ReadDraCheckpoint(bytes);
  const DraSalvage salvage = SalvageDra(bytes);
  EXPECT_EQ(reading.valid(), salvage.problems.empty());
  EXPECT_TRUE(!reading.valid() || salvage.claims == reading.claims);
}

class DamageTest : public testing::TestWithParam<DraFormat> {
 protected:
  const std::string file_ = File(GetParam());
};

TEST_P(DamageTest, NoTruncationIsAccepted) {
  ASSERT_TRUE(ReadDraCheckpoint(file_).valid());
  WithEachTruncation(file_, [](const std::string& cut) {
    EXPECT_FALSE(ReadDraCheckpoint(cut).valid());
    for (const Personality& kubelet : AllPersonalities()) {
      EXPECT_FALSE(ReadDraCheckpointAs(kubelet, cut).valid()) << "by " << kubelet.name;
    }
    ExpectSound(cut);
    ExpectSalvaged(cut);
  });
}

TEST_P(DamageTest, EveryFlippedBitIsRefusedOrVouchedFor) { WithEachFlippedBit(file_, ExpectSound); }

TEST_P(DamageTest, EveryRemovedByteIsRefusedOrVouchedFor) {
  WithEachRemovedByte(file_, [](const std::string& bytes) {
    ExpectSound(bytes);
    ExpectSalvaged(bytes);
  });
}

INSTANTIATE_TEST_SUITE_P(Formats, DamageTest,
                         testing::Values(DraFormat::k127, DraFormat::k128, DraFormat::k130, DraFormat::k131,
                                         DraFormat::k135, DraFormat::k137));

// The smallest files that real kubelets wrote, of every format.
TEST(GoldenDamageTest, NoCutOrFlippedBitOfASmallGoldenFileIsTakenUnlessVouchedFor) {
  const std::vector<std::string> files = SmallGoldenFiles(
      "dra/checkpoint/testdata", {"dra-v1.27", "dra-v1.28", "dra-v1.31", "dra-v1.35", "dra-head"}, 300);
  EXPECT_GT(files.size(), 10u);
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    WithEachTruncation(file, ExpectSound);
    WithEachFlippedBit(file, ExpectSound);
  }
}

}  // namespace
}  // namespace kubelet_cm::dra
