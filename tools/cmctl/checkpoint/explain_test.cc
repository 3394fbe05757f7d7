#include "tools/cmctl/checkpoint/explain.h"

#include <string>

#include "gmock/gmock.h"
#include "tools/cmctl/checkpoint/sample_files.h"
#include "tools/cmctl/checkpoint/verb_fixture.h"

namespace kubelet_cm::cmctl {
namespace {

using testing::HasSubstr;

class ExplainTest : public VerbFixture {
 protected:
  std::string Explain(const std::string& bytes, const std::string& version = "") {
    EXPECT_EQ(RunExplain({.file = Put("a", bytes), .kubelet_version = version}, environment_), kOk);
    return out();
  }
};

// The upgrade from 1.19 to 1.20 that lost every device.
TEST_F(ExplainTest, AV1FileFor1200) {
  EXPECT_EQ(Explain(kDevicesV1, "1.20.0"),
            R"(/f/a: device manager checkpoint (kubelet_internal_checkpoint), format devicemanager-v1

The file is valid: its checksum 4071032665 is that of its content. It holds 2 devices held in 1 entry of 1
pod, 1 registered resource.

Kubelets
  - written by: 1.11 to 1.19
  - read by: 1.11 to 1.19, 1.20.14 and later 1.20, 1.21.8 and later 1.21, 1.22.5 to 1.30
  - 1.8 to 1.10, 1.20.0 to 1.20.13, 1.21.0 to 1.21.7, 1.22.0 to 1.22.4, 1.31 and later: starts with nothing
    allocated: devices of running pods look free and can be given to other pods, containers that restart come
    up without theirs, and its next write replaces the file ("json: cannot unmarshal array into Go struct
    field PodDevicesEntry.Data.PodDeviceEntries.DeviceIDs of type checkpoint.DevicesPerNUMA")

Kubelet 1.20.0
  - does not read this file: json: cannot unmarshal array into Go struct field
    PodDevicesEntry.Data.PodDeviceEntries.DeviceIDs of type checkpoint.DevicesPerNUMA
  - starts with nothing allocated: devices of running pods look free and can be given to other pods,
    containers that restart come up without theirs, and its next write replaces the file

What to do
  1. Do not start kubelet 1.20.0 on this file while pods with devices run.
  2. Best: change to a release that reads this file, and nothing else has to be done: 1.20.14 and later 1.20.
  3. Or convert it while no kubelet runs: cmctl checkpoint convert /f/a --to v2 -o NEW, then put NEW in place
     of the file (mode 0600).
  4. Or drain the node before the change of version and remove the file: pods get their devices anew.
)");
}

TEST_F(ExplainTest, ATruncatedV2File) {
  const std::string text = Explain(std::string(kDevicesV2).substr(0, 300));
  EXPECT_THAT(text, HasSubstr("format devicemanager-v2\n\nThe file is corrupt.\n"));
  EXPECT_THAT(text, HasSubstr("  - unexpected end of JSON input: the file is cut off (at byte 300 of the file)\n"));
  EXPECT_THAT(text, HasSubstr("What repair would save\n  - 5 devices held in 1 entry of 1 pod, 1 registered"));
  EXPECT_THAT(text, HasSubstr("  - read by: none\n  - 1.8 and later: starts with nothing allocated"));
  EXPECT_THAT(text, HasSubstr("  1. Keep a copy of the file as it is.\n"));
  EXPECT_THAT(text, HasSubstr("cmctl checkpoint repair /f/a -o NEW"));
}

TEST_F(ExplainTest, ClaimsOf130For131) {
  const std::string text = Explain(kClaims130, "1.31.0");
  EXPECT_THAT(text, HasSubstr("  - written by: 1.30\n  - read by: 1.30\n"));
  EXPECT_THAT(text, HasSubstr("  - refuses to start\n\nWhat to do\n"));
  EXPECT_THAT(text, HasSubstr("failed to get\n    checkpoint dra_manager_state: checkpoint is corrupted"));
  EXPECT_THAT(text, HasSubstr("  1. Drain the node while the kubelet that wrote the file (1.30) still runs"));
  EXPECT_THAT(text, HasSubstr("cmctl checkpoint convert /f/a --to dra-v1.31"));
}

TEST_F(ExplainTest, AWrongSumIsNamedWithBothSums) {
  const std::string text = Explain(Altered(kDevicesV2, "398046882", "398046883"));
  EXPECT_THAT(text, HasSubstr("the checksum in the file is 398046883, that of its content 398046882"));
  EXPECT_THAT(text, HasSubstr("What it says all the same: 5 devices held in 1 entry of 1 pod"));
}

TEST_F(ExplainTest, AFileThatIsReadNeedsNothing) {
  EXPECT_THAT(Explain(kDevicesV2, "latest"),
              HasSubstr("Kubelet latest\n  - reads this file\n\nWhat to do\n  - Nothing.\n"));
}

TEST_F(ExplainTest, OtherProgramsFilesAreExplainedAsFarAsCanBe) {
  EXPECT_THAT(Explain(R"({"checksum":7,"v1":{}})"), HasSubstr("whether its checksum is right cannot be told"));
}

TEST_F(ExplainTest, TheHealthFileIsACache) {
  EXPECT_THAT(Explain(kHealth), HasSubstr("kubelets from 1.34 on that cannot read\n     it start without it"));
}

TEST_F(ExplainTest, ErrorsHaveTheirExitCodes) {
  EXPECT_EQ(RunExplain({.file = "/f/none"}, environment_), kNotFound);
  EXPECT_EQ(RunExplain({.file = "/f/none", .kubelet_version = "x"}, environment_), kUsage);
}

}  // namespace
}  // namespace kubelet_cm::cmctl
