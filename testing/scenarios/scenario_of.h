// ScenarioOf: a scenario of these steps, for tests of what plays scenarios. Steps that are wrong fail the test.
#ifndef KUBELET_CM_TESTING_SCENARIOS_SCENARIO_OF_H_
#define KUBELET_CM_TESTING_SCENARIOS_SCENARIO_OF_H_

#include <string>
#include <utility>

#include "common/status/status_matchers.h"
#include "gtest/gtest.h"
#include "testing/scenarios/scenario_file.h"

namespace kubelet_cm::scenarios {

inline ScenarioFile ScenarioOf(const std::string& steps) {
  auto file = LoadScenario("f", "name: 'x' teaches: 'y'\n" + steps);
  EXPECT_OK(file);
  return *std::move(file);
}

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_SCENARIO_OF_H_
