#include "dra/health/health_state.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kFile =
    R"({"a.example.com":{"Devices":null},"gpu.example.com":{"Devices":{"pool/gpu-0":{"PoolName":"pool","DeviceName":)"
    R"("gpu-0","Health":"Unhealthy","LastUpdated":"2026-08-01T09:30:00.123456789+02:00","HealthCheckTimeout":)"
    R"(30000000000,"Message":"too \u003chot\u003e"}}}})";

std::string File(std::string_view member, std::string_view value) {
  return R"({"d":{"Devices":{"p/g":{"PoolName":"p","DeviceName":"g","Health":"Healthy","LastUpdated":)"
         R"("2026-08-01T09:30:00Z",")" +
         std::string(member) + "\":" + std::string(value) + "}}}}";
}

std::string ErrorText(std::string_view bytes) { return std::string(ReadHealth(bytes).status.message()); }

TEST(HealthStateTest, WritesWhatItReads) {
  const HealthReading reading = ReadHealth(kFile);
  EXPECT_OK(reading.status);
  EXPECT_THAT(reading.problems, IsEmpty());
  EXPECT_EQ(EncodeHealth(reading.state, HealthFormat::k136), kFile);
  EXPECT_EQ(reading.state->at("gpu.example.com").devices->at("pool/gpu-0").message, "too <hot>");
}

TEST(HealthStateTest, VersionsWriteTheFieldsTheyHave) {
  const HealthState state = ReadHealth(kFile).state;
  EXPECT_THAT(EncodeHealth(state, HealthFormat::k135), HasSubstr("HealthCheckTimeout"));
  EXPECT_THAT(EncodeHealth(state, HealthFormat::k135), Not(HasSubstr("Message")));
  EXPECT_THAT(EncodeHealth(state, HealthFormat::k134), Not(HasSubstr("HealthCheckTimeout")));
}

TEST(HealthStateTest, NilAndEmptyAreKept) {
  for (const char* file : {"null", "{}", R"({"d":{"Devices":{}}})"}) {
    EXPECT_EQ(EncodeHealth(ReadHealth(file).state, HealthFormat::k136), file);
  }
}

TEST(HealthStateTest, ErrorsNameGosTypes) {
  EXPECT_EQ(ErrorText("[]"), "json: cannot unmarshal array into Go value of type state.DevicesHealthMap");
  EXPECT_EQ(ErrorText(File("Health", "1")),
            "json: cannot unmarshal number into Go struct field DeviceHealth.Devices.Health of type "
            "state.DeviceHealthStatus");
  EXPECT_EQ(ErrorText(File("HealthCheckTimeout", "1.5")),
            "json: cannot unmarshal number 1.5 into Go struct field DeviceHealth.Devices.HealthCheckTimeout of type "
            "time.Duration");
  EXPECT_EQ(ErrorText("{"), "unexpected end of JSON input");
}

TEST(HealthStateTest, TimesAreThoseThatGoTakes) {
  EXPECT_EQ(ErrorText(File("LastUpdated", "5")), "Time.UnmarshalJSON: input is not a JSON string");
  EXPECT_THAT(ErrorText(File("LastUpdated", "\"yesterday\"")), HasSubstr("parsing time \"yesterday\" as "));
  EXPECT_EQ(ErrorText(File("LastUpdated", "null")), "");
}

TEST(HealthStateTest, OtherDevicesSurviveOneOfAWrongType) {
  const HealthReading reading =
      ReadHealth(R"({"d":{"Devices":{"p/a":5,"p/b":{"PoolName":"p","DeviceName":"b","Health":"Healthy"}}}})");
  EXPECT_FALSE(reading.status.ok());
  EXPECT_EQ(reading.state->at("d").devices->at("p/b").health, "Healthy");
}

TEST(HealthStateTest, ProblemsNameTheDevice) {
  const HealthState state = ReadHealth(R"({"d":{"Devices":{"x":{"PoolName":"p","DeviceName":"b","Health":"Ill",)"
                                       R"("HealthCheckTimeout":-1}}}})")
                                .state;
  EXPECT_THAT(HealthProblems(state),
              ElementsAre("device x of driver d calls itself p/b", HasSubstr("has health \"Ill\""),
                          "device x of driver d was never updated", "device x of driver d has a negative timeout"));
}

}  // namespace
}  // namespace kubelet_cm::dra
