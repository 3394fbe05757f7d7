#include "dra/checkpoint/dra_writing.h"

#include "dra/checkpoint/legacy_codec.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr DraFormat kFormats[] = {DraFormat::k127, DraFormat::k128, DraFormat::k130,
                                  DraFormat::k131, DraFormat::k135, DraFormat::k137};

std::string FileOf128() {
  LegacyClaim claim;
  claim.driver_name = "drv";
  claim.claim_uid = "u";
  claim.claim_name = "c";
  claim.claim_namespace = "ns";
  claim.resource_handles.Set({{.driver_name = "drv", .data = "opaque", .structured_data = {}}});
  claim.cdi_devices.emplace();
  LegacyClaimList claims;
  claims.Set({claim});
  return EncodeLegacy(claims, DraFormat::k128, ControlEscapes::kShort);
}

TEST(DraWritingTest, WhatAnyVersionStartsWithIsReadByThatVersion) {
  for (const DraFormat format : kFormats) {
    const WrittenDra written = WriteEmptyDraCheckpoint(format);
    EXPECT_TRUE(ReadDraCheckpoint(written.bytes).valid()) << FormatName(format);
    EXPECT_THAT(written.losses, IsEmpty());
  }
  EXPECT_EQ(WriteEmptyDraCheckpoint(DraFormat::k130).checksum, 991151041u);
  EXPECT_EQ(WriteEmptyDraCheckpoint(DraFormat::k137).checksum, 4010664294u);
}

TEST(DraWritingTest, EveryFormatCanBeMadeOfEveryOther) {
  const DraReading old = ReadDraCheckpoint(FileOf128());
  ASSERT_TRUE(old.valid());
  for (const DraFormat from : kFormats) {
    const DraReading reading = ReadDraCheckpoint(ConvertDraCheckpoint(old, from).bytes);
    ASSERT_TRUE(reading.valid()) << FormatName(from);
    for (const DraFormat to : kFormats) {
      const DraReading again = ReadDraCheckpoint(ConvertDraCheckpoint(reading, to).bytes);
      EXPECT_TRUE(again.valid()) << FormatName(from) << " to " << FormatName(to);
      ASSERT_EQ(again.claims.size(), 1u);
      EXPECT_EQ(ClaimKey(again.claims[0]), "ns/c");
    }
  }
}

TEST(DraWritingTest, AmongFormatsBefore131NothingIsLostThatBothHave) {
  const DraReading old = ReadDraCheckpoint(FileOf128());
  const WrittenDra newer = ConvertDraCheckpoint(old, DraFormat::k130);
  EXPECT_THAT(newer.losses, IsEmpty());
  EXPECT_THAT(newer.bytes, HasSubstr(R"("data":"opaque")"));
  EXPECT_EQ(ConvertDraCheckpoint(ReadDraCheckpoint(newer.bytes), DraFormat::k128).bytes, FileOf128());
  EXPECT_THAT(ConvertDraCheckpoint(old, DraFormat::k127).losses, ElementsAre(HasSubstr("known since 1.28")));
}

TEST(DraWritingTest, AcrossTheBorderTheDataOfHandlesIsLost) {
  const DraReading old = ReadDraCheckpoint(FileOf128());
  EXPECT_THAT(ConvertDraCheckpoint(old, DraFormat::k137).losses,
              ElementsAre(HasSubstr("the data of 1 resource handle")));
  EXPECT_THAT(WriteDraCheckpoint(old.claims, DraFormat::k128).losses, IsEmpty());
}

TEST(DraWritingTest, AListThatIsNilBecomesOneThatOldVersionsCanRead) {
  const DraReading nil = ReadDraCheckpoint(WriteEmptyDraCheckpoint(DraFormat::k137).bytes);
  ASSERT_TRUE(nil.claims.is_nil());
  EXPECT_TRUE(ReadDraCheckpoint(ConvertDraCheckpoint(nil, DraFormat::k128).bytes).valid());
}

}  // namespace
}  // namespace kubelet_cm::dra
