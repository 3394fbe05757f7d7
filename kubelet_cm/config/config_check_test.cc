#include "kubelet_cm/config/config_check.h"

#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Checked {
  ConfigFindings findings;
  std::string problems;
};

Checked Check(std::string_view text) {
  const auto root = ParseConfigTree(text);
  if (!root.ok()) return {{}, std::string(root.status().message())};
  ConfigProblems problems;
  ConfigFindings findings = CheckKubeletConfig(*root, &problems);
  return {std::move(findings), std::string(problems.ToStatus().message())};
}

TEST(ConfigCheckTest, ValuesOfTheirTypesAreTaken) {
  const Checked checked = Check(
      "port: 10250\nserializeImagePulls: yes\nclusterDNS: [10.0.0.10]\nsyncFrequency: 1m0s\nmemoryThrottlingFactor: "
      "0.8\n"
      "tlsCurvePreferences: [29, 23]\nsystemReserved: {cpu: 100m}\nstaticPodURLHeader: {a: [b]}\n"
      "reservedMemory: [{numaNode: 0, limits: {memory: 1Gi, hugepages-1Gi: 2}}]\nlogging: {flushFrequency: "
      "5000000000}\n");
  EXPECT_EQ(checked.problems, "");
}

TEST(ConfigCheckTest, AWrongTypeIsSaidWithItsPlace) {
  EXPECT_EQ(Check("port: \"10250\"\n").problems,
            "line 1, column 7: port: expected a whole number, got the string \"10250\"");
  EXPECT_EQ(Check("\nfailSwapOn: 0\n").problems,
            "line 2, column 13: failSwapOn: expected true or false, got the number 0");
  EXPECT_EQ(Check("clusterDNS: 10.0.0.10").problems,
            "line 1, column 13: clusterDNS: expected a list of strings, got the string \"10.0.0.10\"");
  EXPECT_EQ(Check("authentication: []").problems, "line 1, column 17: authentication: expected a map, got a list");
  EXPECT_EQ(Check("evictionHard: {memory.available: {}}").problems,
            "line 1, column 34: evictionHard[\"memory.available\"]: expected a string, got a map");
}

TEST(ConfigCheckTest, WhatLooksLikeANumberIsToBeQuotedWhereAStringIsWanted) {
  EXPECT_EQ(Check("systemReserved:\n  pid: 1000\n").problems,
            "line 2, column 8: systemReserved[\"pid\"]: expected a string, got the number 1000 (in quotes it is one: "
            "\"1000\")");
}

TEST(ConfigCheckTest, FieldsOfObjectsAndOfListsOfObjectsAreChecked) {
  EXPECT_THAT(Check("authentication: {webhook: {enabled: sure}}").problems,
              HasSubstr("column 37: authentication.webhook.enabled: expected true or false, got the string \"sure\""));
  EXPECT_THAT(Check("registerWithTaints: [{key: a}, {key: 5}]").problems, HasSubstr("registerWithTaints[1].key: "));
}

TEST(ConfigCheckTest, NumbersHaveTheRangeOfTheirType) {
  EXPECT_EQ(Check("maxPods: 2147483648").problems,
            "line 1, column 10: maxPods: expected a number from -2147483648 to 2147483647, got 2147483648");
  EXPECT_EQ(Check("podPidsLimit: 2147483648").problems, "");
  EXPECT_THAT(Check("logging: {verbosity: -1}").problems, HasSubstr("expected a number from 0 to 4294967295, got -1"));
  EXPECT_THAT(Check("maxPods: 1.5").problems, HasSubstr("expected a whole number, got the number 1.5"));
  EXPECT_EQ(Check("maxPods: 1e2").problems, "");
}

TEST(ConfigCheckTest, DurationsAreGos) {
  EXPECT_EQ(Check("syncFrequency: 60").problems,
            "line 1, column 16: syncFrequency: expected a duration such as \"1m30s\", got the number 60");
  EXPECT_EQ(Check("syncFrequency: 1d").problems, "line 1, column 16: syncFrequency: time: invalid duration \"1d\"");
}

TEST(ConfigCheckTest, AllProblemsAreSaidInTheOrderOfTheText) {
  EXPECT_EQ(Check("port: x\nmaxPods: z\n").problems,
            "line 1, column 7: port: expected a whole number, got the string \"x\"\n"
            "line 2, column 10: maxPods: expected a whole number, got the string \"z\"");
  std::string many = "clusterDNS: [";
  for (int i = 0; i < 25; ++i) many += "1,";
  EXPECT_THAT(Check(many + "]").problems, HasSubstr("\nand 15 more"));
}

TEST(ConfigCheckTest, WhatIsNotHonouredIsListedByItsPath) {
  const Checked checked = Check(
      "podPidsLimit: 100\nfeatureGates: {A: true}\nlogging: {format: json, flushFrequency: 5s}\n"
      "authentication: {webhook: {enabled: true}}\nregisterWithTaints: [{key: a}]\n");
  EXPECT_THAT(checked.findings.not_honoured, ElementsAre("authentication.webhook.enabled", "logging.flushFrequency",
                                                         "podPidsLimit", "registerWithTaints"));
}

TEST(ConfigCheckTest, WhatTheKindDoesNotHaveIsListedByItsPath) {
  const Checked checked = Check("healthzport: 1\nlogging: {sanitization: true}\nregisterWithTaints: [{kee: a}]\n");
  EXPECT_EQ(checked.problems, "");
  EXPECT_THAT(checked.findings.unknown,
              ElementsAre("healthzport", "logging.sanitization", "registerWithTaints[0].kee"));
}

TEST(ConfigCheckTest, NullIsNotSet) {
  const Checked checked = Check("podPidsLimit: null\nclusterDNS:\nauthentication: ~\n");
  EXPECT_EQ(checked.problems, "");
  EXPECT_THAT(checked.findings.not_honoured, IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::config
