#include "common/threads/real_threads.h"

#include <pthread.h>

#include <array>
#include <string>

#include "common/clock/fake_clock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

std::string NameOfThisThread() {
  std::array<char, 16> name = {};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return name.data();
}

class RealThreadsTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  RealThreads threads_{clock_};
};

TEST_F(RealThreadsTest, DestroyingAThreadWaitsForItsEnd) {
  bool ran = false;
  threads_.Start("runs", [&] { ran = true; }).reset();
  EXPECT_TRUE(ran);
}

TEST_F(RealThreadsTest, ThreadCarriesItsName) {
  std::string seen;
  threads_.Start("checkpoint-writer", [&] { seen = NameOfThisThread(); }).reset();
  EXPECT_EQ(seen, "checkpoint-writ");
}

using RealThreadsDeathTest = RealThreadsTest;

TEST_F(RealThreadsDeathTest, JoiningUnderALockIsABug) {
  EXPECT_DEATH(
      {
        Mutex mu;
        auto thread = threads_.Start("joined", [] {});
        MutexLock lock(&mu);
        thread.reset();
      },
      "holds a Mutex must not wait");
}

}  // namespace
}  // namespace kubelet_cm
