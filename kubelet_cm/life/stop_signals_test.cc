#include "kubelet_cm/life/stop_signals.h"

#include <unistd.h>

#include <csignal>
#include <vector>

#include "common/clock/real_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/event.h"
#include "common/threads/mutex.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::life {
namespace {

using ::testing::ElementsAre;

// The signals that came, on whichever thread.
class Caught {
 public:
  explicit Caught(Threads& threads) : came_(threads, "a signal") {}

  std::function<void(int)> Catcher() {
    return [this](int signal) {
      {
        MutexLock lock(&mu_);
        signals_.push_back(signal);
      }
      came_.Set();
    };
  }

  std::vector<int> AfterNext() {
    came_.Wait();
    MutexLock lock(&mu_);
    return signals_;
  }

 private:
  Event came_;
  Mutex mu_;
  std::vector<int> signals_ ABSL_GUARDED_BY(mu_);
};

class StopSignalsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { HoldStopSignals(); }

  RealClock clock_;
  RealThreads threads_{clock_};
  Caught caught_{threads_};
};

TEST_F(StopSignalsTest, EachSignalIsACall) {
  ASSERT_OK_AND_ASSIGN(const auto signals, StopSignals::New(threads_, caught_.Catcher()));
  ASSERT_EQ(kill(getpid(), SIGTERM), 0);
  EXPECT_THAT(caught_.AfterNext(), ElementsAre(SIGTERM));
  ASSERT_EQ(kill(getpid(), SIGINT), 0);
  EXPECT_THAT(caught_.AfterNext(), ElementsAre(SIGTERM, SIGINT));
}

TEST_F(StopSignalsTest, ASignalThatCameBeforeIsNotLost) {
  ASSERT_EQ(kill(getpid(), SIGTERM), 0);
  ASSERT_OK_AND_ASSIGN(const auto signals, StopSignals::New(threads_, caught_.Catcher()));
  EXPECT_THAT(caught_.AfterNext(), ElementsAre(SIGTERM));
}

TEST_F(StopSignalsTest, ItEndsWithoutASignal) { ASSERT_OK(StopSignals::New(threads_, caught_.Catcher()).status()); }

TEST_F(StopSignalsTest, AReaderThatIsGoneIsAnError) {
  int ends[2] = {};
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  EXPECT_EQ(write(ends[1], "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
  close(ends[1]);
}

}  // namespace
}  // namespace kubelet_cm::life
