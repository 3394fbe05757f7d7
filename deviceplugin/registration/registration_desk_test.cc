#include "deviceplugin/registration/registration_desk.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/log/capturing_logger.h"
#include "common/metrics/metric_value.h"
#include "common/status/status_matchers.h"
#include "deviceplugin/registration/recording_handler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kTotal[] = "kubelet_device_plugin_registration_total";

const RegistrationRequest kGood = {.wire = RegistrationWire::kV1Beta1,
                                   .version = "v1beta1",
                                   .endpoint = "gpu.sock",
                                   .resource_name = "example.com/gpu"};

class RegistrationDeskTest : public ::testing::Test {
 protected:
  absl::Status Register(RegistrationRequest request) { return desk_.Register(request); }
  // `kGood` at the service of the old protocols, with this version.
  static RegistrationRequest Old(const std::string& version) {
    RegistrationRequest request = kGood;
    request.wire = RegistrationWire::kV1Alpha;
    request.version = version;
    return request;
  }

  CapturingLogger log_;
  MetricsRegistry metrics_;
  RecordingHandler handler_;
  RegistrationDesk desk_{
      {log_, metrics_, handler_},
      {.folder = "/plugins", .offered = {PluginApi::kV1Beta1, PluginApi::kV1Alpha2, PluginApi::k01}}};
};

TEST_F(RegistrationDeskTest, WhatIsGoodGoesToTheHandler) {
  EXPECT_OK(Register(kGood));
  EXPECT_THAT(handler_.registered(),
              ElementsAre(RegisterPlugin{PluginApi::kV1Beta1, "example.com/gpu", "gpu.sock", "/plugins/gpu.sock"}));
  EXPECT_THAT(log_.lines(),
              ElementsAre(AllOf(IsLogLine(Severity::kInfo, "Got registration request from device plugin with resource"),
                                HasLogField("resourceName", "example.com/gpu"))));
}

TEST_F(RegistrationDeskTest, TheOldServiceTellsItsTwoProtocolsApartByTheirVersion) {
  EXPECT_OK(Register(Old("v1alpha2")));
  EXPECT_OK(Register(Old("0.1")));
  ASSERT_EQ(handler_.registered().size(), 2);
  EXPECT_EQ(handler_.registered()[0].api, PluginApi::kV1Alpha2);
  EXPECT_EQ(handler_.registered()[1].api, PluginApi::k01);
}

TEST_F(RegistrationDeskTest, AVersionOfTheOtherServiceIsNotSupported) {
  EXPECT_THAT(Register(Old("v1beta1")),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Supported version is [\"v1alpha2\" \"0.1\"]")));
  RegistrationRequest request = kGood;
  request.version = "v1alpha2";
  EXPECT_THAT(Register(request),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Supported version is [\"v1beta1\"]")));
  EXPECT_THAT(handler_.registered(), IsEmpty());
}

TEST_F(RegistrationDeskTest, TheVersionIsCheckedFirstThenTheNameThenTheEndpoint) {
  RegistrationRequest request = {.version = "v2", .endpoint = "../x", .resource_name = "gpu"};
  EXPECT_THAT(Register(request), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("API version \"v2\"")));
  request.version = "v1beta1";
  EXPECT_THAT(Register(request),
              StatusIs(absl::StatusCode::kInvalidArgument, std::string("the ResourceName \"gpu\" is invalid")));
  request.resource_name = "example.com/gpu";
  EXPECT_THAT(Register(request), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("the endpoint \"../x\"")));
  request.endpoint = "x";
  EXPECT_OK(Register(request));
  EXPECT_EQ(handler_.registered().size(), 1);
}

TEST_F(RegistrationDeskTest, EachProtocolHasItsOwnRuleForNames) {
  RegistrationRequest request = Old("0.1");
  request.resource_name = "Some Thing/gpu";
  EXPECT_OK(Register(request));
  request = kGood;
  request.resource_name = "Some Thing/gpu";
  EXPECT_THAT(Register(request), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(RegistrationDeskTest, ARefusalIsLoggedAndCounted) {
  RegistrationRequest request = kGood;
  request.version = "v2";
  EXPECT_THAT(Register(request), Not(IsOk()));
  EXPECT_THAT(log_.lines(),
              Contains(AllOf(IsLogLine(Severity::kError, "Bad registration request from device plugin with resource"),
                             HasLogField("resourceName", "example.com/gpu"), HasLogError(HasSubstr("v2")))));
  EXPECT_OK(Register(kGood));
  EXPECT_EQ(MetricValue(metrics_, kTotal, {{"resource_name", "example.com/gpu"}}), 2);
}

TEST_F(RegistrationDeskTest, ABadNameAndAPluginThatCannotBeReachedAreLoggedInTheirOwnWords) {
  RegistrationRequest request = kGood;
  request.resource_name = "gpu";
  EXPECT_THAT(Register(request), Not(IsOk()));
  handler_.Answer([] { return absl::UnavailableError("failed to dial device plugin: x"); });
  EXPECT_THAT(Register(kGood), Not(IsOk()));
  EXPECT_THAT(log_.lines(), Contains(AllOf(IsLogLine(Severity::kError, "Bad registration request from device plugin"),
                                           HasLogError(HasSubstr("\"gpu\" is invalid")))));
  EXPECT_THAT(log_.lines(), Contains(AllOf(IsLogLine(Severity::kError, "Error connecting to device plugin client"),
                                           HasLogError(HasSubstr("failed to dial device plugin: x")))));
}

TEST_F(RegistrationDeskTest, TheHandlersErrorIsTheAnswer) {
  handler_.Answer([] { return absl::UnavailableError("failed to dial device plugin: x"); });
  EXPECT_THAT(Register(kGood),
              StatusIs(absl::StatusCode::kUnavailable, std::string("failed to dial device plugin: x")));
}

TEST_F(RegistrationDeskTest, OnlySoManyNamesAreCountedOneByOne) {
  RegistrationRequest request = kGood;
  for (size_t i = 0; i <= RegistrationDesk::kMaxCountedNames + 1; ++i) {
    request.resource_name = absl::StrCat("example.com/", i);
    EXPECT_OK(Register(request));
  }
  EXPECT_EQ(MetricValue(metrics_, kTotal, {{"resource_name", "other"}}), 2);
  EXPECT_EQ(MetricValue(metrics_, kTotal, {{"resource_name", "example.com/999"}}), 1);
  request.resource_name = "example.com/7";
  EXPECT_OK(Register(request));
  EXPECT_EQ(MetricValue(metrics_, kTotal, {{"resource_name", "example.com/7"}}), 2);
}

TEST_F(RegistrationDeskTest, ALongNameIsCountedAndLoggedInPart) {
  RegistrationRequest request = kGood;
  request.resource_name = std::string(1 << 20, 'x');
  EXPECT_THAT(Register(request), Not(IsOk()));
  const std::string shown = std::string(256, 'x') + "...";
  EXPECT_EQ(MetricValue(metrics_, kTotal, {{"resource_name", shown}}), 1);
  EXPECT_THAT(log_.lines(), Contains(HasLogField("resourceName", shown)));
}

TEST_F(RegistrationDeskTest, OnlySoManyPluginsWaitForTheHandlerAtOnce) {
  // Each call registers the next plugin from within the handler, until one is refused.
  size_t depth = 0;
  absl::Status refusal;
  handler_.Answer([&] {
    ++depth;
    const absl::Status inner = Register(kGood);
    if (!inner.ok()) refusal = inner;
    return absl::OkStatus();
  });
  EXPECT_OK(Register(kGood));
  EXPECT_EQ(depth, RegistrationDesk::kMaxUnderWay);
  EXPECT_THAT(refusal, StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("try again later")));
  handler_.Answer(nullptr);
  EXPECT_OK(Register(kGood)) << "all of them have left";
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
