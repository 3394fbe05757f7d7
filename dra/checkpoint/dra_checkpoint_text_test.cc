#include "dra/checkpoint/dra_checkpoint_text.h"

#include <algorithm>
#include <map>
#include <random>

#include "dra/checkpoint/claim_codec.h"
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

void ExpectSame(DraCheckpointText& text, const Claims& claims) {
  std::string bytes = "what was there before";
  const uint32_t checksum = text.Render(&bytes);
  const EncodedClaims wanted = Plain(claims);
  EXPECT_EQ(bytes, wanted.bytes);
  EXPECT_EQ(checksum, wanted.checksum);
  EXPECT_EQ(text.size(), claims.size());
}

TEST(DraCheckpointTextTest, WithoutClaimsIsAnEmptyList) {
  DraCheckpointText text(DraFormat::k137);
  ExpectSame(text, {});
  EXPECT_FALSE(text.Remove("default/a"));
  EXPECT_FALSE(text.Contains("default/a"));
}

TEST(DraCheckpointTextTest, PutsReplacesAndErases) {
  DraCheckpointText text(DraFormat::k137);
  Claims claims;
  for (const char* name : {"b", "a", "c"}) {
    text.Set(claims["default/" + std::string(name)] = Claim(name, 1));
    ExpectSame(text, claims);
  }
  text.Set(claims["default/b"] = Claim("b", 3));
  ExpectSame(text, claims);
  EXPECT_TRUE(text.Contains("default/a"));
  EXPECT_TRUE(text.Remove("default/a"));
  claims.erase("default/a");
  ExpectSame(text, claims);
}

TEST(DraCheckpointTextTest, IsThePlainEncodingAfterAnyEdits) {
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    std::mt19937 random(seed);
    DraCheckpointText text(DraFormat::k137);
    Claims claims;
    for (int step = 0; step < 2000; ++step) {
      const std::string name = "claim-" + std::to_string(random() % 700);
      const std::string key = "default/" + name;
      // The share of additions falls, so that blocks grow, split, shrink and vanish.
      if (static_cast<int>(random() % 2000) > step) {
        text.Set(claims[key] = Claim(name, static_cast<int>(random() % 3)));
      } else {
        EXPECT_EQ(text.Remove(key), claims.erase(key) > 0);
      }
      EXPECT_EQ(text.Contains(key), claims.contains(key));
      if (step % 97 == 0) ExpectSame(text, claims);
    }
    ExpectSame(text, claims);
    while (!claims.empty()) {
      EXPECT_TRUE(text.Remove(claims.begin()->first));
      claims.erase(claims.begin());
    }
    ExpectSame(text, claims);
  }
}

TEST(DraCheckpointTextTest, WritesTheFieldsAndEscapesOfItsVersion) {
  ClaimState claim = Claim("a", 1);
  claim.claim_uid = "\b";
  ClaimList list;
  list.Set({claim});
  DraCheckpointText text(DraFormat::k131, ControlEscapes::kNumeric);
  text.Set(claim);
  std::string bytes;
  text.Render(&bytes);
  EXPECT_EQ(bytes, EncodeClaims(list, DraFormat::k131, ControlEscapes::kNumeric).bytes);
}

}  // namespace
}  // namespace kubelet_cm::dra
