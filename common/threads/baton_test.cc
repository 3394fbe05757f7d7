#include "common/threads/baton.h"

#include <thread>

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(BatonTest, OneThatWasPassedBeforeItIsWaitedForIsTaken) {
  Baton baton;
  baton.Pass();
  baton.Take();
}

TEST(BatonTest, TwoThreadsRunInTurns) {
  Baton there;
  Baton back;
  int unguarded = 0;  // under --config=tsan: passing the baton orders the accesses
  std::thread other([&] {
    for (int i = 0; i < 1000; ++i) {
      there.Take();
      ++unguarded;
      back.Pass();
    }
  });
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(unguarded, i);
    there.Pass();
    back.Take();
  }
  other.join();
}

}  // namespace
}  // namespace kubelet_cm
