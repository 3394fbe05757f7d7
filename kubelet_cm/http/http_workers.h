// HttpWorkers: the threads that answer HTTP connections, as cpp-httplib wants them: its own pool makes threads behind
// our back and queues connections without limit, each of which is an open file.
#ifndef KUBELET_CM_KUBELET_CM_HTTP_HTTP_WORKERS_H_
#define KUBELET_CM_KUBELET_CM_HTTP_HTTP_WORKERS_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "httplib.h"

namespace kubelet_cm::http {

// enqueue and shutdown by one thread, the one that accepts.
class HttpWorkers : public httplib::TaskQueue {
 public:
  struct Size {
    int threads = 4;
    size_t waiting = 16;
  };

  // `threads` outlives the workers.
  HttpWorkers(Threads& threads, Size size);
  ~HttpWorkers() override;

  // Waits while `size.waiting` are waiting: then the rest wait in the kernel.
  void enqueue(std::function<void()> connection) override;
  // Returns when all that was enqueued is done.
  void shutdown() override;

 private:
  void Work();

  const size_t most_waiting_;
  Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  std::deque<std::function<void()>> waiting_ ABSL_GUARDED_BY(mu_);
  bool ending_ ABSL_GUARDED_BY(mu_) = false;
  std::vector<std::unique_ptr<Thread>> threads_;
};

}  // namespace kubelet_cm::http

#endif  // KUBELET_CM_KUBELET_CM_HTTP_HTTP_WORKERS_H_
