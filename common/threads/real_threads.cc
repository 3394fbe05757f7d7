#include "common/threads/real_threads.h"

#include <pthread.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "common/status/check.h"
#include "common/threads/held_locks.h"
#include "common/threads/patient_start.h"
#include "common/threads/real_condition.h"

namespace kubelet_cm {
namespace {

// pthread_setname_np refuses longer names.
constexpr size_t kLongestThreadName = 15;

class RealThread : public Thread {
 public:
  RealThread(absl::string_view name, absl::AnyInvocable<void()> body, Logger* log) {
    // Shared, since a thread that cannot be made takes what it was given along.
    const auto start = std::make_shared<Beginning>(name.substr(0, kLongestThreadName), std::move(body));
    threads_internal::StartPatiently(
        [&] {
          thread_ = std::thread([start] {
            pthread_setname_np(pthread_self(), start->name.c_str());
            start->body();
          });
        },
        {.log = log, .thread_name = name});
  }

  ~RealThread() override {
    threads_internal::CheckHoldsNoMutex();
    CHECK(thread_.get_id() != std::this_thread::get_id()) << "a thread joins itself";
    thread_.join();
  }

 private:
  struct Beginning {
    Beginning(absl::string_view given_name, absl::AnyInvocable<void()> given_body)
        : name(given_name), body(std::move(given_body)) {}
    const std::string name;
    absl::AnyInvocable<void()> body;
  };

  std::thread thread_;
};

}  // namespace

std::unique_ptr<Thread> RealThreads::Start(absl::string_view name, absl::AnyInvocable<void()> body) {
  return std::make_unique<RealThread>(name, std::move(body), log_);
}

std::unique_ptr<Condition> RealThreads::NewCondition(absl::string_view awaited) {
  return std::make_unique<RealCondition>(clock_, awaited);
}

void RealThreads::Yield() { std::this_thread::yield(); }

}  // namespace kubelet_cm
