// CHECK(condition): what must hold whatever comes in from outside. It stays on in release builds.
//
//   CHECK(entries.size() == sums.size()) << "one sum an entry";
//
// For states that only a bug in this program can bring about; what a file, a socket or a user can cause is an
// absl::Status instead. The message goes to standard error with the place, and the process aborts.
#ifndef KUBELET_CM_COMMON_STATUS_CHECK_H_
#define KUBELET_CM_COMMON_STATUS_CHECK_H_

#include <sstream>

#include "absl/base/optimization.h"

namespace kubelet_cm::check_internal {

// Collects the message of one failed check and aborts when the statement ends.
class Failure {
 public:
  Failure(const char* file, int line, const char* condition);
  [[noreturn]] ~Failure();
  Failure(const Failure&) = delete;
  Failure& operator=(const Failure&) = delete;

  std::ostream& stream() { return message_; }

 private:
  std::ostringstream message_;
};

// Binds less tightly than << and more tightly than ?: so that CHECK is one expression of type void.
struct Voidify {
  void operator&(std::ostream&) const {}
};

}  // namespace kubelet_cm::check_internal

#define CHECK(condition)                      \
  ABSL_PREDICT_TRUE(condition)                \
  ? static_cast<void>(0)                      \
  : ::kubelet_cm::check_internal::Voidify() & \
          ::kubelet_cm::check_internal::Failure(__FILE__, __LINE__, #condition).stream()

#endif  // KUBELET_CM_COMMON_STATUS_CHECK_H_
