#include "testing/scenarios/expand_steps.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace kubelet_cm::scenarios {
namespace {

using proto::Step;

// What is seen after a start on the file `golden`.
proto::Expect ExpectedOf(const proto::StartOnEach& each, const std::string& golden) {
  proto::Expect expect = each.expect();
  if (!each.refused_with().empty()) {
    proto::Expect::File& file = *expect.add_files();
    file.set_file(each.file());
    file.set_golden(golden);
  }
  if (each.set_aside()) {
    proto::Expect::File& file = *expect.add_files();
    file.set_file(each.file());
    file.set_set_aside_golden(golden);
    each.file() == "devices" ? expect.set_devices_restored("corrupt") : expect.set_claims_restored("corrupt");
  }
  return expect;
}

std::vector<Step> StepsOf(const Step& step) {
  if (step.kind_case() != Step::kStartOnEach) return {step};
  const proto::StartOnEach& each = step.start_on_each();
  std::vector<Step> steps;
  for (const std::string& name : each.names()) {
    const std::string golden = absl::StrCat(each.folder(), "/", name, ".json");
    proto::PlaceFile& place = *steps.emplace_back().mutable_place_file();
    place.set_file(each.file());
    place.set_golden(golden);
    if (!step.say().empty()) steps.back().set_say(absl::StrCat(step.say(), ": ", name));
    steps.emplace_back().mutable_restart()->set_refused_with(each.refused_with());
    *steps.emplace_back().mutable_expect() = ExpectedOf(each, golden);
    if (each.refused_with().empty()) steps.emplace_back().mutable_kill();
  }
  steps.front().set_no_restart(step.no_restart());
  steps.front().set_may_restart(step.may_restart());
  return steps;
}

}  // namespace

void ExpandSteps(google::protobuf::RepeatedPtrField<Step>* steps, std::vector<int>* lines) {
  google::protobuf::RepeatedPtrField<Step> all;
  std::vector<int> all_lines;
  for (int i = 0; i < steps->size(); ++i) {
    for (Step& step : StepsOf(steps->Get(i))) {
      *all.Add() = std::move(step);
      all_lines.push_back((*lines)[static_cast<size_t>(i)]);
    }
  }
  steps->Swap(&all);
  *lines = std::move(all_lines);
}

}  // namespace kubelet_cm::scenarios
