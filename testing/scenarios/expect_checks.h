// CheckExpect: what an expect step can get wrong that its schema does not say. Pure.
#ifndef KUBELET_CM_TESTING_SCENARIOS_EXPECT_CHECKS_H_
#define KUBELET_CM_TESTING_SCENARIOS_EXPECT_CHECKS_H_

#include <set>
#include <string>

#include "testing/scenarios/scenario.pb.h"
#include "testing/scenarios/text_place.h"

namespace kubelet_cm::scenarios {

// What a scenario has made by the step in question.
struct KnownNames {
  std::set<std::string> plugins = {};
  std::set<std::string> drivers = {};
  std::set<std::string> claims = {};
  std::set<std::string> pods = {};
  std::set<std::string> programs = {};  // those plugins and drivers that are not fakes
};

void CheckExpect(const ::kubeletcm::scenario::v1::Expect& expect, const TextPlace& place, const KnownNames& known,
                 bool running);

void CheckListOften(const ::kubeletcm::scenario::v1::ListOften& list, const TextPlace& place, bool running);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_EXPECT_CHECKS_H_
