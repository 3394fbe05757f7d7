#include "common/filesystem/late_close.h"

#include <utility>

namespace kubelet_cm {

LateClose::LateClose(Threads& threads) : threads_(threads), changed_(threads.NewCondition("file to close")) {}

LateClose::~LateClose() {
  std::unique_ptr<Thread> thread;
  {
    MutexLock lock(&mu_);
    stopping_ = true;
    thread = std::move(thread_);
  }
  changed_->NotifyAll();
  thread.reset();
}

void LateClose::Close(std::unique_ptr<File> file) {
  bool is_first = false;
  {
    MutexLock lock(&mu_);
    if (waiting_ == nullptr) waiting_.swap(file);
    is_first = !std::exchange(has_thread_, true);
  }
  if (is_first) {
    std::unique_ptr<Thread> thread = threads_.Start("late-close", [this] { Run(); });
    MutexLock lock(&mu_);
    thread_ = std::move(thread);
  }
  changed_->NotifyAll();
  file.reset();  // there was one
}

void LateClose::Run() {
  while (std::unique_ptr<File> file = Next()) file.reset();
}

std::unique_ptr<File> LateClose::Next() {
  MutexLock lock(&mu_);
  while (waiting_ == nullptr && !stopping_) changed_->Wait(&mu_);
  return std::move(waiting_);
}

}  // namespace kubelet_cm
