#include "kubelet_cm/config/yaml_scalar.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace kubelet_cm::config {
namespace {

TEST(YamlScalarTest, NothingAndItsWordsAreNull) {
  for (const char* text : {"", "~", "null", "Null", "NULL"}) {
    EXPECT_EQ(ResolvePlainScalar(text), YamlScalar(std::monostate())) << text;
  }
  EXPECT_EQ(ResolvePlainScalar("nULL"), YamlScalar(YamlText()));
}

TEST(YamlScalarTest, TruthValuesHaveTheWordsOfYaml11) {
  for (const char* text : {"true", "True", "TRUE", "yes", "Yes", "YES", "y", "Y", "on", "On", "ON"}) {
    EXPECT_EQ(ResolvePlainScalar(text), YamlScalar(true)) << text;
  }
  for (const char* text : {"false", "no", "n", "N", "off", "Off", "OFF"}) {
    EXPECT_EQ(ResolvePlainScalar(text), YamlScalar(false)) << text;
  }
  EXPECT_EQ(ResolvePlainScalar("tRUE"), YamlScalar(YamlText()));
}

TEST(YamlScalarTest, IntegersHaveTheBasesOfGo) {
  EXPECT_EQ(ResolvePlainScalar("10248"), YamlScalar(int64_t{10248}));
  EXPECT_EQ(ResolvePlainScalar("+7"), YamlScalar(int64_t{7}));
  EXPECT_EQ(ResolvePlainScalar("-7"), YamlScalar(int64_t{-7}));
  EXPECT_EQ(ResolvePlainScalar("0"), YamlScalar(int64_t{0}));
  EXPECT_EQ(ResolvePlainScalar("0x1F"), YamlScalar(int64_t{31}));
  EXPECT_EQ(ResolvePlainScalar("010"), YamlScalar(int64_t{8}));
  EXPECT_EQ(ResolvePlainScalar("0o10"), YamlScalar(int64_t{8}));
  EXPECT_EQ(ResolvePlainScalar("0b101"), YamlScalar(int64_t{5}));
  EXPECT_EQ(ResolvePlainScalar("1_000"), YamlScalar(int64_t{1000}));
}

TEST(YamlScalarTest, IntegersEndAt64Bits) {
  EXPECT_EQ(ResolvePlainScalar("-9223372036854775808"), YamlScalar(std::numeric_limits<int64_t>::min()));
  EXPECT_EQ(ResolvePlainScalar("9223372036854775807"), YamlScalar(std::numeric_limits<int64_t>::max()));
  EXPECT_EQ(ResolvePlainScalar("9223372036854775808"), YamlScalar(uint64_t{1} << 63));
  EXPECT_EQ(ResolvePlainScalar("18446744073709551615"), YamlScalar(std::numeric_limits<uint64_t>::max()));
  EXPECT_EQ(ResolvePlainScalar("18446744073709551616"), YamlScalar(18446744073709551616.0));
  EXPECT_EQ(ResolvePlainScalar("-9223372036854775809"), YamlScalar(-9223372036854775809.0));
}

TEST(YamlScalarTest, FractionsAndExponentsMakeFloats) {
  EXPECT_EQ(ResolvePlainScalar("0.5"), YamlScalar(0.5));
  EXPECT_EQ(ResolvePlainScalar(".5"), YamlScalar(0.5));
  EXPECT_EQ(ResolvePlainScalar("+1.5"), YamlScalar(1.5));
  EXPECT_EQ(ResolvePlainScalar("1e3"), YamlScalar(1000.0));
  EXPECT_EQ(ResolvePlainScalar("-.inf"), YamlScalar(-std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(std::isnan(std::get<double>(ResolvePlainScalar(".nan"))));
}

TEST(YamlScalarTest, EverythingElseIsText) {
  for (const char* text : {"10s", "127.0.0.1", "-", "+", ".", "0x", "0xfg", "1e", "none", "2026-11-18", "--1", "_",
                           "<<", "/etc/kubernetes", "e3", "inf"}) {
    EXPECT_EQ(ResolvePlainScalar(text), YamlScalar(YamlText())) << text;
  }
}

TEST(YamlScalarTest, WhatIsNoOctalNumberIsAFloat) { EXPECT_EQ(ResolvePlainScalar("08"), YamlScalar(8.0)); }

}  // namespace
}  // namespace kubelet_cm::config
