#include "dra/checkpoint/legacy_codec.h"

#include "common/status/check.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::HasSubstr;

absl::Status Decode(std::string_view json, DraFormat format, LegacyCheckpoint* out) {
  const auto document = JsonDocument::Parse(json);
  CHECK(document.ok()) << document.status();
  return DecodeLegacy(document->root(), format, out);
}

LegacyCheckpoint Decoded(std::string_view json, DraFormat format) {
  LegacyCheckpoint checkpoint;
  const absl::Status status = Decode(json, format, &checkpoint);
  CHECK(status.ok()) << status;
  return checkpoint;
}

uint32_t Sum(std::string_view json, DraFormat format) {
  const LegacyCheckpoint checkpoint = Decoded(json, format);
  return LegacyChecksum(checkpoint.version, checkpoint.claims, format);
}

// What upstream's own tests of 1.30 read.
constexpr std::string_view kUpstream130 =
    R"({"version":"v1","entries":[{"DriverName":"test-driver.cdi.k8s.io","ClassName":"class-name","ClaimUID":)"
    R"("067798be-454e-4be4-9047-1aa06aea63f7","ClaimName":"example","Namespace":"default","PodUIDs":)"
    R"({"139cdb46-f989-4f17-9561-ca10cfb509a6":{}},"ResourceHandles":[{"driverName":"test-driver.cdi.k8s.io",)"
    R"("data":"{\"a\": \"b\"}"}],"CDIDevices":{"test-driver.cdi.k8s.io":["example.com/example=cdi-example"]}}],)"
    R"("checksum":113577689})";

constexpr std::string_view kTwoHandles =
    R"({"version":"v1","entries":[{"DriverName":"drv.example.com","ClassName":"gold","ClaimUID":"u-1","ClaimName":)"
    R"("c1","Namespace":"ns1","PodUIDs":{"p1":{},"p2":{}},"ResourceHandles":[{"driverName":"drv.example.com",)"
    R"("data":"opaque"}],"CDIDevices":{"drv.example.com":["ex.com/gpu=0","ex.com/gpu=1"]}}]})";

TEST(LegacyCodecTest, ReproducesUpstreamsChecksumOf130) {
  EXPECT_EQ(Decoded(kUpstream130, DraFormat::k130).checksum, Sum(kUpstream130, DraFormat::k130));
  EXPECT_NE(Decoded(kUpstream130, DraFormat::k130).checksum, Sum(kUpstream130, DraFormat::k128));
  EXPECT_EQ(EncodeLegacy(Decoded(kUpstream130, DraFormat::k130).claims, DraFormat::k130, ControlEscapes::kShort),
            kUpstream130);
}

TEST(LegacyCodecTest, EachVersionHashesItsOwnFields) {
  EXPECT_EQ(Sum(kTwoHandles, DraFormat::k127), 1037512227u);
  EXPECT_EQ(Sum(kTwoHandles, DraFormat::k128), 721782127u);
  EXPECT_EQ(Sum(kTwoHandles, DraFormat::k130), 1695457872u);
}

TEST(LegacyCodecTest, EmptyStateHasNoEntriesAndOneChecksumInAllVersions) {
  for (const DraFormat format : {DraFormat::k127, DraFormat::k128, DraFormat::k130}) {
    EXPECT_EQ(EncodeLegacy(LegacyCheckpoint().claims, format, ControlEscapes::kNumeric),
              R"({"version":"v1","checksum":991151041})");
  }
}

TEST(LegacyCodecTest, AbsentMembersStayAsTheyWerePutIn) {
  const LegacyCheckpoint checkpoint = Decoded("{}", DraFormat::k127);
  EXPECT_EQ(checkpoint.version, "v1");
  EXPECT_FALSE(checkpoint.claims.is_nil());
  EXPECT_TRUE(Decoded(R"({"entries":null})", DraFormat::k127).claims.is_nil());
}

TEST(LegacyCodecTest, StructuredDataIsReadAndWrittenBy130Only) {
  const std::string json = R"({"entries":[{"ResourceHandles":[{"structuredData":{"nodeName":"n","results":[]}}]}]})";
  const auto claims = Decoded(json, DraFormat::k130).claims;
  EXPECT_THAT(EncodeLegacy(claims, DraFormat::k130, ControlEscapes::kShort), HasSubstr(R"("nodeName":"n")"));
  EXPECT_THAT(EncodeLegacy(claims, DraFormat::k128, ControlEscapes::kShort), HasSubstr(R"("ResourceHandles":[{}])"));
  EXPECT_FALSE(Decoded(json, DraFormat::k128).claims[0].resource_handles[0].structured_data.has_value());
}

TEST(LegacyCodecTest, UnknownFieldsMayHaveAnyType) {
  LegacyCheckpoint checkpoint;
  EXPECT_OK(Decode(R"({"entries":[{"ResourceHandles":5}]})", DraFormat::k127, &checkpoint));
  EXPECT_THAT(Decode(R"({"entries":[{"ResourceHandles":5}]})", DraFormat::k128, &checkpoint),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "json: cannot unmarshal number into Go struct field ClaimInfoState.entries.ResourceHandles of "
                       "type []v1alpha2.ResourceHandle"));
}

TEST(LegacyCodecTest, A127FileIsRebuiltWithVersionOneAndAList) {
  EXPECT_EQ(RebuiltChecksumOf127({}), 991151041u);
  EXPECT_EQ(RebuiltChecksumOf127(Decoded(kTwoHandles, DraFormat::k128).claims), 1037512227u);
}

}  // namespace
}  // namespace kubelet_cm::dra
