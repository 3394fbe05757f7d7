#include "common/status/check.h"

#include <cstdio>
#include <cstdlib>

namespace kubelet_cm::check_internal {

Failure::Failure(const char* file, int line, const char* condition) {
  message_ << file << ":" << line << "] Check failed: " << condition << " ";
}

Failure::~Failure() {
  std::fprintf(stderr, "%s\n", message_.str().c_str());
  std::abort();
}

}  // namespace kubelet_cm::check_internal
