#include "testing/harness/restart_twin.h"

#include <cstdlib>
#include <iostream>

namespace kubelet_cm::harness {

bool IsRestartTwin() {
  return std::getenv("KUBELET_CM_RESTART_TWIN") != nullptr;  // NOLINT(concurrency-mt-unsafe): nobody changes it
}

bool RestartTwin::RestartsHere() const {
  if (!IsRestartTwin()) return false;
  if (!why_not_.empty()) {
    std::cout << "no restart here: " << why_not_ << "\n";
    return false;
  }
  std::cout << "restart twin: a restart\n";  // restart_twin.sh counts these
  return true;
}

}  // namespace kubelet_cm::harness
