#include "kubelet_cm/http/http_workers.h"

#include <utility>

namespace kubelet_cm::http {

HttpWorkers::HttpWorkers(Threads& threads, Size size)
    : most_waiting_(size.waiting), changed_(threads.NewCondition("HTTP connections")) {
  for (int i = 0; i < size.threads; ++i) threads_.push_back(threads.Start("http", [this] { Work(); }));
}

HttpWorkers::~HttpWorkers() { shutdown(); }

void HttpWorkers::enqueue(std::function<void()> connection) {
  MutexLock lock(&mu_);
  while (waiting_.size() >= most_waiting_) changed_->Wait(&mu_);
  waiting_.push_back(std::move(connection));
  changed_->NotifyAll();
}

void HttpWorkers::shutdown() {
  {
    MutexLock lock(&mu_);
    ending_ = true;
    changed_->NotifyAll();
  }
  threads_.clear();
}

void HttpWorkers::Work() {
  while (true) {
    std::function<void()> connection;
    {
      MutexLock lock(&mu_);
      while (waiting_.empty() && !ending_) changed_->Wait(&mu_);
      if (waiting_.empty()) return;
      connection = std::move(waiting_.front());
      waiting_.pop_front();
      changed_->NotifyAll();
    }
    connection();
  }
}

}  // namespace kubelet_cm::http
