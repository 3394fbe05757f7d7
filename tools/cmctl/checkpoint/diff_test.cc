#include "tools/cmctl/checkpoint/diff.h"

#include <string>

#include "tools/cmctl/checkpoint/rewrite.h"
#include "tools/cmctl/checkpoint/sample_files.h"
#include "tools/cmctl/checkpoint/verb_fixture.h"

namespace kubelet_cm::cmctl {
namespace {

class DiffTest : public VerbFixture {
 protected:
  int Diff(const std::string& a, const std::string& b) {
    return RunDiff({.a = Put("a", a), .b = Put("b", b)}, environment_);
  }
};

constexpr char kOneEntry[] =
    R"({"PodDeviceEntries":[{"PodUID":"p","ContainerName":"c","ResourceName":"r/x","DeviceIDs":["d"],)"
    R"("AllocResp":"CgYKAUESAUI="}],"RegisteredDevices":{"r/x":["d","e"]}})";

TEST_F(DiffTest, OrderDoesNotCount) {
  EXPECT_EQ(Diff(kOneEntry, Altered(kOneEntry, R"("d","e")", R"("e","d")")), kOk);
  EXPECT_EQ(out(), "");
}

TEST_F(DiffTest, EachDifferenceIsALine) {
  EXPECT_EQ(Diff(kOneEntry, Altered(kOneEntry, R"(["d"])", R"(["e"])")), kDifferent);
  EXPECT_EQ(out(),
            "- pod p container c r/x: device d\n"
            "+ pod p container c r/x: device e\n");
}

// A=B and A=C.
TEST_F(DiffTest, ASecretThatDiffersIsSaidAndNotShown) {
  EXPECT_EQ(Diff(kOneEntry, Altered(kOneEntry, "CgYKAUESAUI=", "CgYKAUESAUM=")), kDifferent);
  EXPECT_EQ(out(), "~ pod p container c r/x: env A=<redacted> (the values differ)\n");
}

TEST_F(DiffTest, FormatsMayDiffer) {
  EXPECT_EQ(Diff(kDevicesV1,
                 Altered(kDevicesV1, R"(["dev1","dev2"],"AllocResp")", R"({"0":["dev2"],"1":["dev1"]},"AllocResp")")),
            kOk);
  EXPECT_NE(err().find("/f/b: warning: the checksum in the file is 4071032665"), std::string::npos);
}

TEST_F(DiffTest, ClaimsAreComparedAcrossTheirGreatChange) {
  const std::string old = Put("old", kClaims130);
  ASSERT_EQ(RunConvert({.file = old, .to = "dra-1.31", .output = {.out = "/f/new"}}, environment_), kOk);
  EXPECT_EQ(RunDiff({.a = old, .b = "/f/new"}, environment_), kOk);
  EXPECT_EQ(out(), "");
}

TEST_F(DiffTest, TheNodesCountWhereBothHaveThem) {
  const std::string moved = Altered(kDevicesV2, R"("2":["dev3"])", R"("3":["dev3"])");
  EXPECT_EQ(Diff(kDevicesV2, moved), kDifferent);
  EXPECT_EQ(out(),
            "- pod pod1 container con1 example.com/gpu: device dev3 on NUMA node 2\n"
            "+ pod pod1 container con1 example.com/gpu: device dev3 on NUMA node 3\n");
}

TEST_F(DiffTest, ErrorsAreGreaterThanOne) {
  EXPECT_EQ(Diff(kDevicesV1, kClaims137), kUsage);
  EXPECT_EQ(Diff(kDevicesV1, "{"), kCorrupt);
  EXPECT_EQ(RunDiff({.a = "/f/a", .b = "/f/none"}, environment_), kNotFound);
  EXPECT_EQ(RunDiff({.a = "-", .b = "-"}, environment_), kUsage);
}

}  // namespace
}  // namespace kubelet_cm::cmctl
