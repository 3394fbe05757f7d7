#include "testing/scenarios/fault_text.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "testing/scenarios/scenario_words.h"
#include "testing/scenarios/text_message.h"

namespace kubelet_cm::scenarios {
namespace {

template <typename Fault>
void CheckCallAndAct(const Fault& fault, const TextPlace& place) {
  if (fault.call() == 0) place.Complain("call", absl::StrCat(fault.GetDescriptor()->name(), " needs call"));
  if (fault.act() == 0) place.Complain("act", absl::StrCat(fault.GetDescriptor()->name(), " needs act"));
  if (fault.nth() < 0) place.Complain("nth", "calls are counted from 1");
  if (!CodeOfName(fault.code()).has_value()) place.Complain("code", "is no gRPC code that a call can end with");
  const bool delays = fault.act() == Fault::DELAY;
  if (delays != DurationOf(fault.delay()).has_value() && (delays || !fault.delay().empty())) {
    place.Complain("delay", "goes with act: DELAY, and is a duration as \"5s\"");
  }
}

template <typename Fault>
absl::StatusOr<Fault> FaultOf(const std::string& text) {
  Fault fault;
  RETURN_IF_ERROR(ReadText("fault", text, &fault, [&](const TextPlace::Tree& tree, std::vector<Complaint>* complaints) {
    CheckFault(fault, TextPlace(fault, tree, complaints));
  }));
  return fault;
}

}  // namespace

void CheckFault(const proto::PluginFault& fault, const TextPlace& place) { CheckCallAndAct(fault, place); }

void CheckFault(const proto::DriverFault& fault, const TextPlace& place) {
  CheckCallAndAct(fault, place);
  const bool registers = fault.call() >= proto::DriverFault::GET_INFO;
  if (registers && fault.act() > proto::DriverFault::HANG) {
    place.Complain("act", "a call of a registration may FAIL or HANG");
  }
}

absl::StatusOr<proto::PluginFault> PluginFaultOf(const std::string& text) { return FaultOf<proto::PluginFault>(text); }

absl::StatusOr<proto::DriverFault> DriverFaultOf(const std::string& text) { return FaultOf<proto::DriverFault>(text); }

}  // namespace kubelet_cm::scenarios
