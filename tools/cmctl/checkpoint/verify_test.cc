#include "tools/cmctl/checkpoint/verify.h"

#include <string>

#include "tools/cmctl/checkpoint/input_file.h"
#include "tools/cmctl/checkpoint/sample_files.h"
#include "tools/cmctl/checkpoint/verb_fixture.h"

namespace kubelet_cm::cmctl {
namespace {

using VerifyTest = VerbFixture;

// Two pods with one device, which is not registered.
constexpr char kHeldTwice[] =
    R"({"PodDeviceEntries":[{"PodUID":"p1","ContainerName":"c","ResourceName":"r/x","DeviceIDs":["d"],"AllocResp":""},)"
    R"({"PodUID":"p2","ContainerName":"c","ResourceName":"r/x","DeviceIDs":["d"],"AllocResp":"/w=="}],)"
    R"("RegisteredDevices":{"r/x":["d"]}})";

TEST_F(VerifyTest, AValidFileIsZero) {
  EXPECT_EQ(RunVerify({.files = {Put("a", kDevicesV2), Put("b", kClaims130)}}, environment_), kOk);
  EXPECT_EQ(out(),
            "/f/a: valid: devicemanager-v2, 5 devices held in 1 entry of 1 pod, 1 registered resource\n"
            "/f/b: valid: dra-v1.30, 1 claim of 2 pods, 1 prepared device\n");
}

TEST_F(VerifyTest, ATruncatedFileIsThreeAndNamesTheByte) {
  EXPECT_EQ(RunVerify({.files = {Put("a", std::string(kDevicesV2).substr(0, 200))}}, environment_), kCorrupt);
  EXPECT_EQ(out(), "/f/a: corrupt: unexpected end of JSON input (at byte 200)\n");
}

TEST_F(VerifyTest, AFileForOtherVersionsIsFour) {
  const std::string devices = Put("a", kDevicesV1);
  EXPECT_EQ(RunVerify({.files = {devices}, .kubelet_version = "1.20.0"}, environment_), kNotReadable);
  EXPECT_NE(out().find("/f/a: not readable by kubelet 1.20.0: json: cannot unmarshal array"), std::string::npos);
  EXPECT_EQ(RunVerify({.files = {devices}, .kubelet_version = "1.20.15"}, environment_), kOk);
  EXPECT_EQ(RunVerify({.files = {devices}, .kubelet_version = "v1.31.0"}, environment_), kNotReadable);
  const std::string claims = Put("b", kClaims130);
  EXPECT_EQ(RunVerify({.files = {claims}, .kubelet_version = "1.31.0"}, environment_), kNotReadable);
  EXPECT_EQ(RunVerify({.files = {claims}, .kubelet_version = "1.30.5"}, environment_), kOk);
}

// Before there were checksums every JSON object was accepted, and what was not known passed over.
TEST_F(VerifyTest, AFileInWhichAVersionFindsNothingIsFour) {
  EXPECT_EQ(RunVerify({.files = {Put("a", kDevicesV1)}, .kubelet_version = "1.9.0"}, environment_), kNotReadable);
  EXPECT_NE(out().find("it accepts the file and finds no entry in it"), std::string::npos);
}

TEST_F(VerifyTest, NotFoundIsFiveAndAnUnknownVersionIsTwo) {
  EXPECT_EQ(RunVerify({.files = {"/f/none"}}, environment_), kNotFound);
  EXPECT_EQ(RunVerify({.files = {"/f/none"}, .kubelet_version = "new"}, environment_), kUsage);
  EXPECT_EQ(RunVerify({.files = {"/f/none"}, .kubelet_version = "1.7.0"}, environment_), kUsage);
}

TEST_F(VerifyTest, OfSeveralFilesTheWorstCounts) {
  const std::string good = Put("good", kDevicesV2);
  const std::string old = Put("old", kDevicesV1);
  const std::string bad = Put("bad", "{");
  const auto code = [&](std::vector<std::string> files) {
    return RunVerify({.files = std::move(files), .kubelet_version = "1.31.0"}, environment_);
  };
  EXPECT_EQ(code({good, old, good}), kNotReadable);
  EXPECT_EQ(code({"/f/none", old}), kNotFound);
  EXPECT_EQ(code({bad, "/f/none", good}), kCorrupt);
}

TEST_F(VerifyTest, InvariantsAreCheckedOnRequest) {
  const std::string file = Put("a", kHeldTwice);
  EXPECT_EQ(RunVerify({.files = {file}}, environment_), kOk);
  EXPECT_EQ(RunVerify({.files = {file}, .invariants = true}, environment_), kCorrupt);
  EXPECT_NE(out().find("/f/a: inconsistent: device d of r/x is held by container c of pod p1 and by container c of "
                       "pod p2\n"),
            std::string::npos);
  EXPECT_NE(out().find("the allocation response for r/x cannot be read"), std::string::npos);
}

TEST_F(VerifyTest, WhatCannotBeVerifiedIsNeitherValidNorCorrupt) {
  EXPECT_EQ(RunVerify({.files = {Put("a", R"({"checksum":7,"v1":{}})")}}, environment_), kFailed);
  EXPECT_EQ(out().find("/f/a: cannot be verified: "), 0);
}

TEST_F(VerifyTest, AFolderIsNoFile) {
  Put("a", "");
  EXPECT_EQ(RunVerify({.files = {"/f"}}, environment_), kFailed);
  EXPECT_EQ(err().find("cmctl: /f: "), 0);
}

TEST(InputFileTest, StandardInputHasAName) {
  EXPECT_EQ(DisplayName("-"), "standard input");
  EXPECT_EQ(DisplayName("a\nb"), "\"a\\nb\"");
}

}  // namespace
}  // namespace kubelet_cm::cmctl
