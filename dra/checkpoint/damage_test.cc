// Every truncation, every flipped bit and every removed byte of some small files: refused, or read as something that
// its checksum vouches for and that can be written again.
#include <string>
#include <string_view>
#include <vector>

#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "common/personality/personality.h"
#include "common/status/check.h"
#include "dra/checkpoint/claim_codec.h"
#include "dra/checkpoint/claim_invariants.h"
#include "dra/checkpoint/dra_reading.h"
#include "dra/checkpoint/dra_salvage.h"
#include "dra/checkpoint/legacy_codec.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

constexpr size_t kSmallBytes = 300;

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
  for (size_t size = 0; size < file_.size(); ++size) {
    const std::string cut = file_.substr(0, size);
    EXPECT_FALSE(ReadDraCheckpoint(cut).valid()) << size;
    for (const Personality& kubelet : AllPersonalities()) {
      EXPECT_FALSE(ReadDraCheckpointAs(kubelet, cut).valid()) << size << " by " << kubelet.name;
    }
    ExpectSound(cut);
    ExpectSalvaged(cut);
  }
}

TEST_P(DamageTest, EveryFlippedBitIsRefusedOrVouchedFor) {
  for (size_t bit = 0; bit < file_.size() * 8; ++bit) {
    std::string bytes = file_;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    SCOPED_TRACE(bit);
    ExpectSound(bytes);
  }
}

TEST_P(DamageTest, EveryRemovedByteIsRefusedOrVouchedFor) {
  for (size_t i = 0; i < file_.size(); ++i) {
    SCOPED_TRACE(i);
    ExpectSound(file_.substr(0, i) + file_.substr(i + 1));
    ExpectSalvaged(file_.substr(0, i) + file_.substr(i + 1));
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, DamageTest,
                         testing::Values(DraFormat::k127, DraFormat::k128, DraFormat::k130, DraFormat::k131,
                                         DraFormat::k135, DraFormat::k137));

// The smallest files that real kubelets wrote, of every format.
std::vector<std::string> SmallGoldenFiles() {
  PosixFileSystem files;
  const std::string corpus = "dra/checkpoint/testdata";
  std::vector<std::string> small;
  for (const char* folder : {"dra-v1.27", "dra-v1.28", "dra-v1.31", "dra-v1.35", "dra-head"}) {
    const std::string path = corpus + "/" + folder + "/";
    const auto names = files.List(path);
    EXPECT_TRUE(names.ok()) << names.status();
    for (const std::string& name : names.value_or(std::vector<std::string>())) {
      const auto bytes = ReadFile(files, path + name, kSmallBytes);
      const bool sidecar = name.ends_with(".expect.json");
      if (!sidecar && bytes.ok()) small.push_back(*bytes);
    }
  }
  return small;
}

TEST(GoldenDamageTest, NoCutOrFlippedBitOfASmallGoldenFileIsTakenUnlessVouchedFor) {
  const std::vector<std::string> files = SmallGoldenFiles();
  EXPECT_GT(files.size(), 10u);
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    for (size_t size = 0; size < file.size(); ++size) ExpectSound(file.substr(0, size));
    for (size_t bit = 0; bit < file.size() * 8; ++bit) {
      std::string bytes = file;
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
      ExpectSound(bytes);
    }
  }
}

}  // namespace
}  // namespace kubelet_cm::dra
