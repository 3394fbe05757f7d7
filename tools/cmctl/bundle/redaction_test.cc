#include "tools/cmctl/bundle/redaction.h"

#include <algorithm>
#include <string>

#include "absl/strings/escaping.h"
#include "deviceplugin/api/v1beta1.pb.h"
#include "gmock/gmock.h"
#include "tools/cmctl/checkpoint/sample_files.h"

namespace kubelet_cm::cmctl {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(RedactionTest, WhatAPluginAnsweredIsShownWithoutItsValues) {
  EXPECT_THAT(RedactedState("kubelet_internal_checkpoint", kDevicesV1),
              AllOf(HasSubstr("\"format\": \"devicemanager-v1\""), HasSubstr("\"A\": \"\\u003credacted\\u003e\""),
                    HasSubstr("\"allocResp\": \"\\u003credacted\\u003e\""), HasSubstr("dev1"), Not(HasSubstr("\"B\"")),
                    Not(HasSubstr("CgYKAUESAUI="))));
}

TEST(RedactionTest, AnAnswerThatDoesNotDecodeIsHiddenToo) {
  // Not base64, so nothing could take it apart.
  const std::string bytes = Altered(kDevicesV1, "CgYKAUESAUI=", "secret!");
  EXPECT_THAT(RedactedState("kubelet_internal_checkpoint", bytes), Not(HasSubstr("secret!")));
}

// A state file in which a plugin has answered with the secret.
std::string FileWithSecret() {
  ::v1beta1::ContainerAllocateResponse response;
  (*response.mutable_envs())["TOKEN"] = "hunter2-hunter2-hunter2";
  (*response.mutable_annotations())["token"] = "hunter2-hunter2-hunter2";
  return Altered(kDevicesV1, "CgYKAUESAUI=", absl::Base64Escape(response.SerializeAsString()));
}

// "hunter2-" as it is, and where base64 may have put it.
bool HasSecret(const std::string& text) {
  const std::string parts[] = {"hunter2-", "aHVudGVyMi", "h1bnRlcjIt", "odW50ZXIyL"};
  return std::any_of(std::begin(parts), std::end(parts),
                     [&](const std::string& part) { return text.find(part) != std::string::npos; });
}

TEST(RedactionTest, WhateverHasHappenedToAFileItsSecretsAreHidden) {
  const std::string file = FileWithSecret();
  ASSERT_TRUE(HasSecret(file));
  for (const char* name : {"kubelet_internal_checkpoint", "dra_manager_state", "dra_health_state", "other"}) {
    EXPECT_FALSE(HasSecret(RedactedState(name, file))) << name;
    for (size_t i = 0; i < file.size(); ++i) {
      EXPECT_FALSE(HasSecret(RedactedState(name, file.substr(0, i)))) << name << " cut at " << i;
      std::string flipped = file;
      flipped[i] = static_cast<char>(flipped[i] ^ 1);
      EXPECT_FALSE(HasSecret(RedactedState(name, flipped))) << name << " changed at " << i;
    }
  }
}

TEST(RedactionTest, ADriversOpaqueDataIsHidden) {
  EXPECT_THAT(RedactedState("dra_manager_state", kClaims130),
              AllOf(HasSubstr("\"ClaimUID\": \"u-1\""), HasSubstr("\"data\": \"\\u003credacted\\u003e\""),
                    Not(HasSubstr("opaque"))));
}

TEST(RedactionTest, OfAFileThatNobodyKnowsNothingIsShown) {
  EXPECT_THAT(RedactedState("other", R"({"token":"secret","checksum":1})"),
              AllOf(HasSubstr("\"content\": null"), Not(HasSubstr("secret"))));
}

}  // namespace
}  // namespace kubelet_cm::cmctl
