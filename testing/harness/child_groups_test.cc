#include "testing/harness/child_groups.h"

#include <poll.h>
#include <unistd.h>

#include <csignal>

#include "common/clock/real_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gtest/gtest.h"
#include "testing/harness/child_process.h"

namespace kubelet_cm::harness {
namespace {

// It looks at its standard output, and ends when nobody reads that.
constexpr char kScript[] = "tail -f /dev/null >/dev/null & echo up; tail -f /dev/null >/dev/null";

// Starts a process that holds what is open here, and one in its background, and gets a signal itself.
void StartAndGet(int signal) {
  RealClock clock;
  RealThreads threads(clock);
  const auto child = ChildProcess::Start(threads, {.program = "/bin/sh", .arguments = {"-c", kScript}});
  if (child.ok() && (*child)->AwaitOutput("up")) raise(signal);
}

class ChildGroupsTest : public ::testing::TestWithParam<int> {};

TEST_P(ChildGroupsTest, ASignalThatEndsUsEndsThemAll) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EXIT(StartAndGet(GetParam()), testing::KilledBySignal(GetParam()), "");
  close(ends[1]);
  pollfd closed = {.fd = ends[0], .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&closed, 1, 60'000), 1) << "somebody still has it open";
  close(ends[0]);
}

INSTANTIATE_TEST_SUITE_P(Signals, ChildGroupsTest, testing::Values(SIGINT, SIGTERM, SIGHUP, SIGQUIT));

}  // namespace
}  // namespace kubelet_cm::harness
