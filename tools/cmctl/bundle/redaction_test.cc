#include "tools/cmctl/bundle/redaction.h"

#include <string>

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
