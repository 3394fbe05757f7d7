#include "deviceplugin/checkpoint/golden_case.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/device_reader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::string Read(const std::string& name) {
  PosixFileSystem files;
  const auto bytes = ReadFile(files, absl::StrCat("deviceplugin/checkpoint/testdata/", name), size_t{1} << 20);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return bytes.value_or("");
}

// What there is to say of a v1 file of one pod, with `from` in its sidecar replaced by `to`.
std::vector<std::string> Disagreements(const std::string& from, const std::string& to) {
  const std::string sidecar = Read("devicemanager-v1/one_pod.expect.json");
  const std::string changed = absl::StrReplaceAll(sidecar, {{from, to}});
  EXPECT_NE(sidecar, changed) << "the sidecar has no " << from;
  const auto document = JsonDocument::Parse(changed);
  EXPECT_TRUE(document.ok()) << document.status();
  return DisagreementsWithGolden(Read("devicemanager-v1/one_pod.json"), document->root());
}

TEST(GoldenCaseTest, AnUnchangedSidecarAgrees) { EXPECT_THAT(Disagreements("one_pod", "other"), IsEmpty()); }

TEST(GoldenCaseTest, EachClaimOfASidecarIsChecked) {
  EXPECT_THAT(Disagreements("\"accept\": true", "\"accept\": false"), Contains(HasSubstr("accept")));
  EXPECT_THAT(Disagreements("\"via\": \"v1\"", "\"via\": \"v2\""), Contains(HasSubstr("via")));
  EXPECT_THAT(Disagreements("cannot unmarshal", "could not unmarshal"), Contains(HasSubstr("error")));
  EXPECT_THAT(Disagreements("\"unmarshal\"", "\"checksum\""), Contains(HasSubstr("stage")));
  EXPECT_THAT(Disagreements("\"rewrite\": \"identical\"", "\"rewrite\": \"different\""),
              Contains(HasSubstr("rewrite")));
  EXPECT_THAT(Disagreements("\"containerName\": \"main\"", "\"containerName\": \"other\""),
              Contains(HasSubstr("content")));
  EXPECT_THAT(Disagreements("\"allocRespParses\": true", "\"allocRespParses\": false"), Contains(HasSubstr("content")));
  EXPECT_THAT(Disagreements("\"computedChecksum\": \"", "\"computedChecksum\": \"1"), Contains(HasSubstr("checksum")));
  EXPECT_THAT(Disagreements("\"checksum\": \"", "\"checksum\": \"1"), Contains(HasSubstr("checksum in the file")));
  EXPECT_THAT(Disagreements("(checkpoint.checkpointData)", "(checkpoint.other)"), Contains(HasSubstr("text under")));
}

TEST(GoldenCaseTest, FilesOfARunningKubeletVerifyAndEncodeToTheSameBytes) {
  for (const char* name : {"devicemanager-one-pod.json", "devicemanager-init-reuse-five-plugins.json"}) {
    const std::string bytes = Read(absl::StrCat("real-node/", name));
    const DeviceFile file = ReadDevices(bytes);
    EXPECT_TRUE(file.valid()) << name << ": " << file.status;
    EXPECT_EQ(EncodeDevices(file.content, DeviceLayout::kV2), bytes);
  }
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
