#include "testing/harness/restart_twin.h"

#include <cstdlib>

namespace kubelet_cm::harness {

bool IsRestartTwin() {
  return std::getenv("KUBELET_CM_RESTART_TWIN") != nullptr;  // NOLINT(concurrency-mt-unsafe): nobody changes it
}

}  // namespace kubelet_cm::harness
