#include "tools/cmctl/node/answer_text.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/api/control.pb.h"

namespace kubelet_cm::cmctl {
namespace {

using ::kubeletcm::v1::ContainerOptionsResponse;
using ::kubeletcm::v1::Event;

TEST(AnswerTextTest, NamesAreThoseOfTheProtocolAndZerosAreThere) {
  Event event;
  event.set_number(uint64_t{1} << 63);
  EXPECT_THAT(AnswerJson(event),
              IsOkAndHolds(R"({"number":"9223372036854775808","unix_nanos":"0","kind":"","subject":"","message":"",)"
                           R"("details":{},"lost":"0"})"));
}

TEST(AnswerTextTest, KeysOfMapsAreSorted) {
  ContainerOptionsResponse options;
  for (const char* key : {"q", "b", "z", "a", "m"}) (*options.mutable_envs())[key] = "v";
  EXPECT_THAT(AnswerJson(options),
              IsOkAndHolds(testing::HasSubstr(R"("envs":{"a":"v","b":"v","m":"v","q":"v","z":"v"})")));
}

TEST(AnswerTextTest, FormatsHoldTheSame) {
  ::kubeletcm::v1::PodReference pod;
  pod.set_name("a: 1");
  EXPECT_THAT(AnswerText(pod, "json"),
              IsOkAndHolds("{\n  \"uid\": \"\",\n  \"namespace\": \"\",\n  \"name\": \"a: 1\"\n}\n"));
  EXPECT_THAT(AnswerText(pod, "yaml"), IsOkAndHolds("\"uid\": \"\"\n\"namespace\": \"\"\n\"name\": \"a: 1\"\n"));
}

}  // namespace
}  // namespace kubelet_cm::cmctl
