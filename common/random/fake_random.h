// FakeRandom: gives the numbers of a list, one after the other; drawing more than there are is an error of the test.
#ifndef KUBELET_CM_COMMON_RANDOM_FAKE_RANDOM_H_
#define KUBELET_CM_COMMON_RANDOM_FAKE_RANDOM_H_

#include <cstdint>
#include <deque>
#include <initializer_list>

#include "absl/base/thread_annotations.h"
#include "common/random/random.h"
#include "common/status/check.h"
#include "common/threads/mutex.h"

namespace kubelet_cm {

class FakeRandom : public Random {
 public:
  FakeRandom(std::initializer_list<uint64_t> numbers) : numbers_(numbers) {}

  uint64_t Uint64() override {
    MutexLock lock(&mu_);
    CHECK(!numbers_.empty()) << "the list of random numbers is used up";
    const uint64_t next = numbers_.front();
    numbers_.pop_front();
    return next;
  }

 private:
  Mutex mu_;
  std::deque<uint64_t> numbers_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_RANDOM_FAKE_RANDOM_H_
