#include "tools/cmctl/checkpoint/rewrite.h"

#include <string>

#include "tools/cmctl/checkpoint/sample_files.h"
#include "tools/cmctl/checkpoint/verb_fixture.h"
#include "tools/cmctl/checkpoint/verify.h"

namespace kubelet_cm::cmctl {
namespace {

using RewriteTest = VerbFixture;

TEST_F(RewriteTest, V1BecomesWhatKubeletsOf120Read) {
  const std::string file = Put("a", kDevicesV1);
  EXPECT_EQ(RunConvert({.file = file, .to = "v2", .output = {.out = "/f/b"}}, environment_), kOk);
  EXPECT_EQ(err(),
            "/f/a: warning: lost: NUMA nodes: devicemanager-v1 knows none, so all devices stand under node 0, as "
            "kubelets convert them\n"
            "wrote 244 bytes to /f/b\n");
  EXPECT_EQ(RunVerify({.files = {"/f/b"}, .kubelet_version = "1.20.0"}, environment_), kOk);
}

TEST_F(RewriteTest, StandardOutputHoldsTheFileAndNothingElse) {
  EXPECT_EQ(RunConvert({.file = Put("a", kDevicesV1), .to = "v1", .output = {.out = "-"}}, environment_), kOk);
  EXPECT_EQ(out(), kDevicesV1);
  EXPECT_EQ(err(), "");
}

TEST_F(RewriteTest, ClaimsLoseWhatTheNewFormatHasNoPlaceFor) {
  const std::string file = Put("a", kClaims130);
  EXPECT_EQ(RunConvert({.file = file, .to = "dra-1.31", .output = {.out = "/f/b"}}, environment_), kOk);
  EXPECT_NE(err().find("/f/a: warning: lost: claim ns1/c1: its class gold has no place since 1.31\n"),
            std::string::npos);
  EXPECT_EQ(RunVerify({.files = {"/f/b"}, .kubelet_version = "1.31.0"}, environment_), kOk);
  EXPECT_EQ(RunConvert({.file = "/f/b", .to = "dra-1.30", .output = {.out = "/f/c"}}, environment_), kOk);
  EXPECT_EQ(RunVerify({.files = {"/f/c"}, .kubelet_version = "1.30.0"}, environment_), kOk);
}

TEST_F(RewriteTest, AFormatOfTheOtherFileIsAnError) {
  EXPECT_EQ(RunConvert({.file = Put("a", kDevicesV1), .to = "dra-1.31", .output = {.out = "-"}}, environment_), kUsage);
  EXPECT_EQ(err(),
            "cmctl: /f/a: cannot become dra-1.31: unknown format \"dra-1.31\"; there are v0-1.8, v0-1.9, v1, v2\n");
}

TEST_F(RewriteTest, ACorruptFileIsNotConverted) {
  EXPECT_EQ(RunConvert({.file = Put("a", "{"), .to = "v2", .output = {.out = "-"}}, environment_), kCorrupt);
  EXPECT_EQ(out(), "");
}

TEST_F(RewriteTest, RepairSavesWholeEntriesOfACutOffFile) {
  std::string two = kDevicesV2;
  const std::string cut = two.substr(0, two.find(R"(],"RegisteredDevices")")) + R"(,{"PodUID":"pod2","Conta)";
  EXPECT_EQ(RunRepair({.file = Put("a", cut), .output = {.out = "/f/b"}}, environment_), kOk);
  EXPECT_NE(err().find("/f/a: lost: "), std::string::npos);
  EXPECT_NE(err().find("/f/a: saved: 5 devices held in 1 entry of 1 pod"), std::string::npos) << err();
  EXPECT_EQ(RunVerify({.files = {"/f/b"}, .kubelet_version = "latest"}, environment_), kOk);
}

TEST_F(RewriteTest, RepairGivesAReadableFileItsRightSum) {
  const std::string file = Put("a", Altered(kClaims137, "3447039487", "1"));
  EXPECT_EQ(RunRepair({.file = file, .output = {.out = "-"}}, environment_), kOk);
  EXPECT_EQ(out(), kClaims137);
  EXPECT_NE(err().find("the checksum was wrong, so nothing vouches for the content"), std::string::npos);
}

TEST_F(RewriteTest, RepairSavesWholeClaimsOfBothForms) {
  const std::string old =
      Put("old", std::string(kClaims130).substr(0, std::string(kClaims130).find(R"(],"checksum")")));
  EXPECT_EQ(RunRepair({.file = old, .output = {.out = "/f/b"}}, environment_), kOk);
  EXPECT_NE(err().find("/f/old: saved: 1 claim of 2 pods"), std::string::npos) << err();
  const std::string text = kClaims137;
  const std::string cut = text.substr(0, text.find(R"(]}","Checksum")"));
  EXPECT_EQ(RunRepair({.file = Put("new", cut), .output = {.out = "/f/c"}}, environment_), kOk);
  EXPECT_NE(err().find("/f/new: saved: 1 claim of 2 pods, 1 prepared device, as dra-head"), std::string::npos) << err();
}

// What is left of a file of 1.30 may look like one of 1.28, which 1.30 does not read.
TEST_F(RewriteTest, RepairWritesTheFormatThatIsAskedFor) {
  const std::string file = Put("a", Altered(kClaims130, "1695457872", "1"));
  EXPECT_EQ(RunRepair({.file = file, .to = "dra-1.30", .output = {.out = "-"}}, environment_), kOk);
  EXPECT_EQ(out(), kClaims130);
  EXPECT_EQ(RunRepair({.file = file, .to = "v2", .output = {.out = "-"}}, environment_), kUsage);
}

TEST_F(RewriteTest, WhatIsNoStateFileIsNotRepaired) {
  EXPECT_EQ(RunRepair({.file = Put("a", "hello"), .output = {.out = "-"}}, environment_), kUsage);
  EXPECT_EQ(err(), "cmctl: /f/a: cannot be repaired: it is not a state file of the kubelet's that is known\n");
}

TEST_F(RewriteTest, AValidFileNeedsNoRepair) {
  EXPECT_EQ(RunRepair({.file = Put("a", kDevicesV2), .output = {.in_place = true}}, environment_), kOk);
  EXPECT_EQ(err(), "/f/a: valid, nothing to repair\n");
}

}  // namespace
}  // namespace kubelet_cm::cmctl
