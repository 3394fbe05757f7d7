// Baton: what one thread waits for and another one passes to it, in turns: Take and Pass alternate, beginning with
// either. Where that is known a Parker need not be: a hand-over is one wake-up, and the woken thread meets no lock.
//
// Outlives every call.
#ifndef KUBELET_CM_COMMON_THREADS_BATON_H_
#define KUBELET_CM_COMMON_THREADS_BATON_H_

#include <semaphore.h>

#include <cerrno>

#include "common/status/check.h"

namespace kubelet_cm {

class Baton {
 public:
  Baton() { CHECK(sem_init(&passed_, 0, 0) == 0) << "a semaphore of one process"; }
  ~Baton() { sem_destroy(&passed_); }
  Baton(const Baton&) = delete;
  Baton& operator=(const Baton&) = delete;

  void Pass() { CHECK(sem_post(&passed_) == 0) << "a baton that was passed a billion times and never taken"; }
  void Take() {
    while (sem_wait(&passed_) != 0) CHECK(errno == EINTR) << "a semaphore that is there";
  }

 private:
  sem_t passed_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_THREADS_BATON_H_
