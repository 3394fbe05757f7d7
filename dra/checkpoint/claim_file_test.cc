#include "dra/checkpoint/claim_file.h"

#include <algorithm>
#include <map>
#include <random>

#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using Claims = std::map<std::string, ClaimState>;

ClaimState Claim(const std::string& name, int devices) {
  ClaimState claim{.claim_uid = "uid-" + name,
                   .claim_name = name,
                   .claim_namespace = "default",
                   .pod_uids = {{"pod-<" + name + ">"}},
                   .driver_state = std::map<std::string, DriverState>()};
  std::vector<ClaimDevice> list(static_cast<size_t>(devices));
  for (ClaimDevice& device : list) device.device_name = "dev-\n\xC3\xA9";
  (*claim.driver_state)["gpu.example.com"].devices.Set(std::move(list));
  return claim;
}

EncodedClaims Plain(const Claims& claims) {
  std::vector<ClaimState> list;
  for (const auto& [key, claim] : claims) list.push_back(claim);
  ClaimList all;
  all.Set(std::move(list));
  return EncodeClaims(all, DraFormat::k137);
}

void ExpectSame(ClaimFile& file, const Claims& claims) {
  const EncodedClaims got = file.Encode();
  const EncodedClaims wanted = Plain(claims);
  EXPECT_EQ(got.bytes, wanted.bytes);
  EXPECT_EQ(got.checksum, wanted.checksum);
  EXPECT_EQ(file.size(), claims.size());
}

TEST(ClaimFileTest, WithoutClaimsIsAnEmptyList) {
  ClaimFile file(DraFormat::k137);
  ExpectSame(file, {});
  EXPECT_FALSE(file.Erase("default/a"));
  EXPECT_FALSE(file.Contains("default/a"));
}

TEST(ClaimFileTest, PutsReplacesAndErases) {
  ClaimFile file(DraFormat::k137);
  Claims claims;
  for (const char* name : {"b", "a", "c"}) {
    file.Put(claims["default/" + std::string(name)] = Claim(name, 1));
    ExpectSame(file, claims);
  }
  file.Put(claims["default/b"] = Claim("b", 3));
  ExpectSame(file, claims);
  EXPECT_TRUE(file.Contains("default/a"));
  EXPECT_TRUE(file.Erase("default/a"));
  claims.erase("default/a");
  ExpectSame(file, claims);
}

TEST(ClaimFileTest, IsThePlainEncodingAfterAnyEdits) {
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    std::mt19937 random(seed);
    ClaimFile file(DraFormat::k137);
    Claims claims;
    for (int step = 0; step < 2000; ++step) {
      const std::string name = "claim-" + std::to_string(random() % 700);
      const std::string key = "default/" + name;
      // The share of additions falls, so that blocks grow, split, shrink and vanish.
      if (static_cast<int>(random() % 2000) > step) {
        file.Put(claims[key] = Claim(name, static_cast<int>(random() % 3)));
      } else {
        EXPECT_EQ(file.Erase(key), claims.erase(key) > 0);
      }
      EXPECT_EQ(file.Contains(key), claims.contains(key));
      if (step % 97 == 0) ExpectSame(file, claims);
    }
    ExpectSame(file, claims);
    while (!claims.empty()) {
      EXPECT_TRUE(file.Erase(claims.begin()->first));
      claims.erase(claims.begin());
    }
    ExpectSame(file, claims);
  }
}

TEST(ClaimFileTest, WritesTheFieldsAndEscapesOfItsVersion) {
  ClaimState claim = Claim("a", 1);
  claim.claim_uid = "\b";
  ClaimList list;
  list.Set({claim});
  ClaimFile file(DraFormat::k131, ControlEscapes::kNumeric);
  file.Put(claim);
  EXPECT_EQ(file.Encode().bytes, EncodeClaims(list, DraFormat::k131, ControlEscapes::kNumeric).bytes);
}

}  // namespace
}  // namespace kubelet_cm::dra
