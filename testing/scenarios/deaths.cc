#include "testing/scenarios/deaths.h"

#include <utility>

#include "testing/scenarios/dies_at.h"

namespace kubelet_cm::scenarios {

void Deaths::Begin(const proto::DiesAt& place) {
  Fault fault = FaultOf(place);
  fault.name = kAtTheStep;
  plan().Arm(std::move(fault));
}

void Deaths::End() {
  if (died_there()) plan().Resume();
  plan().Disarm(kAtTheStep);
}

}  // namespace kubelet_cm::scenarios
