#include "dra/health/health_message.h"

#include <string>

#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

std::string Bytes(size_t count) { return std::string(count, 'x'); }

TEST(HealthMessageTest, AMessageThatFitsStaysAsItIs) {
  EXPECT_EQ(CutHealthMessage(""), "");
  EXPECT_EQ(CutHealthMessage(Bytes(1024)), Bytes(1024));
}

TEST(HealthMessageTest, ALongMessageIsCutAndSaysSo) {
  EXPECT_EQ(CutHealthMessage(Bytes(1025)), Bytes(1021) + "...");
  EXPECT_EQ(CutHealthMessage(Bytes(1 << 20)), Bytes(1021) + "...");
}

TEST(HealthMessageTest, NoCharacterIsCutInTwo) {
  const std::string rest = Bytes(100);
  EXPECT_EQ(CutHealthMessage(Bytes(1019) + "\xC3\xA4" + rest), Bytes(1019) + "\xC3\xA4...");  // ends at the limit
  EXPECT_EQ(CutHealthMessage(Bytes(1020) + "\xC3\xA4" + rest), Bytes(1020) + "...");
  EXPECT_EQ(CutHealthMessage(Bytes(1019) + "\xE2\x82\xAC" + rest), Bytes(1019) + "...");
  EXPECT_EQ(CutHealthMessage(Bytes(1018) + "\xF0\x9F\x92\xA5" + rest), Bytes(1018) + "...");
}

TEST(HealthMessageTest, WhatIsNoTextIsCutAtTheLimit) {
  const std::string nonsense(2000, '\x80');
  EXPECT_EQ(CutHealthMessage(nonsense), nonsense.substr(0, 1021) + "...");
}

}  // namespace
}  // namespace kubelet_cm::dra
