#include "dra/checkpoint/claim_codec.h"

#include "checkpointmanager/checksum/crc32.h"
#include "common/gotext/nested_json.h"
#include "common/status/check.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::HasSubstr;

ClaimList Decoded(std::string_view list, DraFormat format, ClaimFields* seen = nullptr) {
  const std::string inner = std::string(kInnerHead) + std::string(list) + "}";
  const auto document = JsonDocument::Parse(inner);
  CHECK(document.ok()) << document.status();
  ClaimList claims;
  const absl::Status status = DecodeClaims(document->root(), format, &claims, seen);
  CHECK(status.ok()) << status;
  return claims;
}

std::string Json(const ClaimList& claims, DraFormat format) {
  std::string out;
  AppendClaims(claims, format, ControlEscapes::kShort, &out);
  return out;
}

constexpr std::string_view kPrepared =
    R"([{"ClaimUID":"uid-1","ClaimName":"c1","Namespace":"ns","PodUIDs":{"p1":{},"p2":{}},"DriverState":{)"
    R"("drv.example.com":{"Devices":[{"PoolName":"pool","DeviceName":"dev","ShareID":null,"RequestNames":["r1"],)"
    R"("CDIDeviceIDs":["v.com/c=d"]}],"skipNodeOperations":["*"]}}}])";

TEST(ClaimCodecTest, StateWithoutClaimsHasUpstreamsBytes) {
  EXPECT_EQ(EncodeClaims({}, DraFormat::k131).bytes,
            R"({"Data":"{\"kind\":\"DRACheckpoint\",\"apiVersion\":\"checkpoint.dra.kubelet.k8s.io/v1\",)"
            R"(\"ClaimInfoStateList\":null}","Checksum":4010664294})");
  ClaimList empty;
  empty.Set({});
  EXPECT_EQ(EncodeClaims(empty, DraFormat::k137).checksum, 2361995144u);
}

TEST(ClaimCodecTest, ReproducesChecksumsOfClaims) {
  EXPECT_EQ(EncodeClaims(Decoded(kPrepared, DraFormat::k137), DraFormat::k137).checksum, 3447039487u);
  const std::string unprepared = R"([{"ClaimUID":"uid-1","ClaimName":"c1","Namespace":"ns","PodUIDs":{"p1":{}},)"
                                 R"("DriverState":{"drv.example.com":{"Devices":null}}}])";
  EXPECT_EQ(EncodeClaims(Decoded(unprepared, DraFormat::k131), DraFormat::k131).checksum, 2812496284u);
}

TEST(ClaimCodecTest, EscapesTwice) {
  const std::string list =
      R"([{"ClaimUID":"uid-1","ClaimName":"c1","Namespace":"ns","PodUIDs":{"p1":{}},"DriverState":{"drv.example.com":)"
      R"({"Devices":[{"PoolName":"a<b","DeviceName":"dev"}]}}}])";
  const EncodedClaims encoded = EncodeClaims(Decoded(list, DraFormat::k137), DraFormat::k137);
  EXPECT_EQ(encoded.checksum, 2021511629u);
  EXPECT_THAT(encoded.bytes, HasSubstr(R"(\"PoolName\":\"a\\u003cb\")"));
}

TEST(ClaimCodecTest, VersionsWriteTheFieldsTheyHave) {
  const ClaimList claims = Decoded(kPrepared, DraFormat::k137);
  EXPECT_EQ(Json(claims, DraFormat::k137), kPrepared);
  EXPECT_THAT(Json(claims, DraFormat::k135), HasSubstr(R"("ShareID":null)"));
  EXPECT_THAT(Json(claims, DraFormat::k135), Not(HasSubstr("skipNodeOperations")));
  EXPECT_THAT(Json(claims, DraFormat::k131), Not(HasSubstr("ShareID")));
}

TEST(ClaimCodecTest, VersionsReadTheFieldsTheyHave) {
  const std::string list = R"([{"DriverState":{"d":{"Devices":[{"ShareID":"s"}],"SKIPNODEOPERATIONS":["x"]}}}])";
  ClaimFields seen;
  const DriverState newest = Decoded(list, DraFormat::k137, &seen)[0].driver_state->at("d");
  EXPECT_EQ(newest.devices[0].share_id, "s");
  EXPECT_EQ(newest.skip_node_operations.size(), 1u);
  EXPECT_TRUE(seen.devices && seen.share_ids && seen.skip_node_operations);
  const DriverState oldest = Decoded(list, DraFormat::k131, &seen)[0].driver_state->at("d");
  EXPECT_EQ(oldest.devices[0].share_id, std::nullopt);
  EXPECT_TRUE(oldest.skip_node_operations.is_nil());
  EXPECT_TRUE(seen.devices && !seen.share_ids && !seen.skip_node_operations);
}

TEST(ClaimCodecTest, OuterObjectIsDecodedOverAnEmptyState) {
  ClaimCheckpoint checkpoint;
  const auto document = JsonDocument::Parse(R"({"data":null,"CHECKSUM":null})");
  ASSERT_TRUE(document.ok());
  EXPECT_OK(DecodeClaimCheckpoint(document->root(), &checkpoint));
  EXPECT_EQ(checkpoint.checksum, Crc32(checkpoint.data));
  EXPECT_EQ(checkpoint.checksum, 4010664294u);
}

TEST(ClaimCodecTest, PartsMakeTheWhole) {
  const ClaimList claims = Decoded(kPrepared, DraFormat::k137);
  const std::string inner = EncodeInnerClaims(claims, DraFormat::k137, ControlEscapes::kShort);
  EXPECT_EQ(inner, std::string(kInnerHead) + std::string(kPrepared) + std::string(kInnerTail));
  std::string file(kFileHead);
  AppendNestedJson(kPrepared, &file);
  file += std::string(kFileTail) + "3447039487}";
  EXPECT_EQ(file, EncodeClaims(claims, DraFormat::k137).bytes);
}

}  // namespace
}  // namespace kubelet_cm::dra
