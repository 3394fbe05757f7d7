#include "checkpointmanager/checksum/crc32.h"

#include <random>
#include <string>

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

constexpr char kHead[] =
    R"({"kind":"DRACheckpoint","apiVersion":"checkpoint.dra.kubelet.k8s.io/v1","ClaimInfoStateList":)";

std::string State(std::string_view claims) { return std::string(kHead).append(claims).append("}"); }

TEST(Crc32Test, GivesThePublishedCheckValue) {
  EXPECT_EQ(Crc32("123456789"), 0xcbf43926u);
  EXPECT_EQ(Crc32(""), 0u);
}

TEST(Crc32Test, HashesStatesWithoutClaimsAsUpstreamDoes) {
  EXPECT_EQ(Crc32(State("null")), 4010664294u);
  EXPECT_EQ(Crc32(State("[]")), 2361995144u);
}

TEST(Crc32Test, HashesAnUnpreparedClaimAsUpstreamDoes) {
  EXPECT_EQ(Crc32(State(R"([{"ClaimUID":"uid-1","ClaimName":"c1","Namespace":"ns","PodUIDs":{"p1":{}},)"
                        R"("DriverState":{"drv.example.com":{"Devices":null}}}])")),
            2812496284u);
}

TEST(Crc32Test, HashesAPreparedClaimOfTwoPodsAsUpstreamDoes) {
  EXPECT_EQ(Crc32(State(R"([{"ClaimUID":"uid-1","ClaimName":"c1","Namespace":"ns","PodUIDs":{"p1":{},"p2":{}},)"
                        R"("DriverState":{"drv.example.com":{"Devices":[{"PoolName":"pool","DeviceName":"dev",)"
                        R"("ShareID":null,"RequestNames":["r1"],"CDIDeviceIDs":["v.com/c=d"]}],)"
                        R"("skipNodeOperations":["*"]}}}])")),
            3447039487u);
}

TEST(Crc32Test, HashesTheEscapedInnerTextAsUpstreamDoes) {
  EXPECT_EQ(Crc32(State(R"([{"ClaimUID":"uid-1","ClaimName":"c1","Namespace":"ns","PodUIDs":{"p1":{}},)"
                        R"("DriverState":{"drv.example.com":{"Devices":[{"PoolName":"a\u003cb","DeviceName":"dev",)"
                        R"("ShareID":null,"RequestNames":null,"CDIDeviceIDs":null}]}}}])")),
            2021511629u);
}

TEST(Crc32Test, DoesNotDependOnHowTheBytesAreCut) {
  std::mt19937 random(1);
  std::string bytes(10000, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  for (int cut = 0; cut < 300; ++cut) {
    const size_t size = random() % (bytes.size() + 1);
    const std::string_view left = std::string_view(bytes).substr(0, size);
    const std::string_view right = std::string_view(bytes).substr(size);
    ASSERT_EQ(Crc32(right, Crc32(left)), Crc32(bytes)) << size;
    ASSERT_EQ(ConcatCrc32(Crc32(left), Crc32(right), right.size()), Crc32(bytes)) << size;
  }
}

TEST(Crc32Test, NothingAppendedChangesNothing) {
  EXPECT_EQ(Crc32(std::string_view(), 17), 17u);
  EXPECT_EQ(ConcatCrc32(17, Crc32(""), 0), 17u);
}

}  // namespace
}  // namespace kubelet_cm
