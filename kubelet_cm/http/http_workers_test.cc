#include "kubelet_cm/http/http_workers.h"

#include <atomic>

#include "common/clock/real_clock.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "gtest/gtest.h"

namespace kubelet_cm::http {
namespace {

class HttpWorkersTest : public ::testing::Test {
 protected:
  RealClock clock_;
  RealThreads threads_{clock_};
};

TEST_F(HttpWorkersTest, AllThatWasEnqueuedIsDoneBeforeShutdownReturns) {
  std::atomic<int> done = 0;
  HttpWorkers workers(threads_, {.threads = 3, .waiting = 2});
  for (int i = 0; i < 100; ++i) workers.enqueue([&done] { ++done; });
  workers.shutdown();
  EXPECT_EQ(done, 100);
}

TEST_F(HttpWorkersTest, ConnectionsAreAnsweredSideBySide) {
  Notification second(threads_, "second connection");
  std::atomic<bool> met = false;
  HttpWorkers workers(threads_, {.threads = 2, .waiting = 2});
  workers.enqueue([&] { met = second.WaitFor(absl::Seconds(30)); });
  workers.enqueue([&] { second.Notify(); });
  workers.shutdown();
  EXPECT_TRUE(met);
}

TEST_F(HttpWorkersTest, NoMoreWaitThanAreAllowed) {
  Notification go(threads_, "go");
  std::atomic<int> begun = 0;
  std::atomic<int> enqueued = 0;
  HttpWorkers workers(threads_, {.threads = 1, .waiting = 1});
  const auto task = [&] {
    ++begun;
    go.Wait();
  };
  workers.enqueue(task);
  // One is being done, one waits: the third has no place before the first is done.
  auto acceptor = threads_.Start("acceptor", [&] {
    for (int i = 0; i < 3; ++i) {
      workers.enqueue(task);
      ++enqueued;
    }
  });
  while (begun < 1 || enqueued < 1) threads_.Yield();
  for (int i = 0; i < 100; ++i) threads_.Yield();
  EXPECT_EQ(enqueued, 1);
  EXPECT_EQ(begun, 1);
  go.Notify();
  acceptor.reset();
  workers.shutdown();
  EXPECT_EQ(begun, 4);
}

}  // namespace
}  // namespace kubelet_cm::http
