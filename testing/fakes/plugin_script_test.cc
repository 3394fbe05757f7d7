#include "testing/fakes/plugin_script.h"

#include <memory>

#include "absl/status/status.h"
#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/threads/seeded_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::fakes {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PluginScriptTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  RealThreads threads_{clock_};
  PluginScript script_{threads_};
  const PluginScript::SessionId session_ = script_.OpenSession();
};

TEST_F(PluginScriptTest, RecordsCallsInOrder) {
  const PluginCall first = {.method = PluginMethod::kAllocate, .ids = {"b", "a"}};
  const PluginCall second = {.method = PluginMethod::kPreStartContainer, .ids = {"a"}};
  ASSERT_OK(script_.Begin(session_, first));
  ASSERT_OK(script_.Begin(session_, second));
  EXPECT_THAT(script_.Calls(), ElementsAre(first, second));
  EXPECT_EQ(script_.CallCount(PluginMethod::kAllocate), 1);
}

TEST_F(PluginScriptTest, OnlyTheNthCallOfItsMethodFails) {
  script_.At(PluginMethod::kAllocate, 2, {.act = PluginAct::kFail, .error = absl::AbortedError("no")});
  EXPECT_OK(script_.Begin(session_, {.method = PluginMethod::kAllocate}));
  EXPECT_OK(script_.Begin(session_, {.method = PluginMethod::kPreStartContainer}));
  EXPECT_THAT(script_.Begin(session_, {.method = PluginMethod::kAllocate}), StatusIs(absl::StatusCode::kAborted, "no"));
  EXPECT_OK(script_.Begin(session_, {.method = PluginMethod::kAllocate}));
}

TEST_F(PluginScriptTest, WhatWasToComeIsForgotten) {
  script_.At(PluginMethod::kAllocate, 1, {.act = PluginAct::kFail});
  script_.At(PluginMethod::kPreStartContainer, 1, {.act = PluginAct::kFail});
  script_.Forget(PluginMethod::kAllocate);
  EXPECT_OK(script_.Begin(session_, {.method = PluginMethod::kAllocate}));
  EXPECT_FALSE(script_.Begin(session_, {.method = PluginMethod::kPreStartContainer}).ok());
}

TEST_F(PluginScriptTest, CallsThatNobodyHasReleasedAreCounted) {
  script_.At(PluginMethod::kAllocate, 2, {.held = true});
  EXPECT_OK(script_.Begin(session_, {.method = PluginMethod::kAllocate}));
  EXPECT_EQ(script_.HeldCount(), 0);
  EXPECT_THAT(script_.Begin(session_, {.method = PluginMethod::kAllocate}, clock_.MonotonicNow()),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_EQ(script_.HeldCount(), 1);
  script_.Forget(PluginMethod::kAllocate);
  EXPECT_EQ(script_.HeldCount(), 0);
}

TEST_F(PluginScriptTest, CallsOfSomebodyWhoHasDiedAreNotCounted) {
  script_.At(PluginMethod::kAllocate, 1, {.held = true});
  EXPECT_THAT(script_.Begin(session_, {.method = PluginMethod::kAllocate}, clock_.MonotonicNow()),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  script_.CallersAreGone();
  EXPECT_EQ(script_.HeldCount(), 0);
}

TEST_F(PluginScriptTest, ACallThatTheGuardDoesNotLetInHasNotCome) {
  script_.Guard([](PluginMethod method) {
    return method == PluginMethod::kAllocate ? absl::CancelledError("guarded") : absl::OkStatus();
  });
  EXPECT_THAT(script_.Begin(session_, {.method = PluginMethod::kAllocate}), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_OK(script_.Begin(session_, {.method = PluginMethod::kPreStartContainer}));
  EXPECT_EQ(script_.CallCount(PluginMethod::kAllocate), 0);
  EXPECT_EQ(script_.CallCount(PluginMethod::kPreStartContainer), 1);
}

TEST_F(PluginScriptTest, DelayedCallOfSomebodyWhoHasDiedHasNoEffect) {
  script_.At(PluginMethod::kAllocate, 1, {.delay = absl::Hours(1)});  // the clock stands still
  const std::unique_ptr<Thread> caller = threads_.Start("caller", [&] {
    EXPECT_THAT(script_.Begin(session_, {.method = PluginMethod::kAllocate}), StatusIs(absl::StatusCode::kCancelled));
  });
  EXPECT_OK(script_.WaitForCall(PluginMethod::kAllocate, 1));
  script_.CallersAreGone();
}

TEST_F(PluginScriptTest, AlwaysHoldsForCallsThatAtDoesNotMention) {
  script_.Always(PluginMethod::kAllocate, {.act = PluginAct::kNoContainers});
  script_.At(PluginMethod::kAllocate, 1, {});
  ASSERT_OK_AND_ASSIGN(const PluginStep first, script_.Begin(session_, {.method = PluginMethod::kAllocate}));
  ASSERT_OK_AND_ASSIGN(const PluginStep second, script_.Begin(session_, {.method = PluginMethod::kAllocate}));
  EXPECT_EQ(first.act, PluginAct::kAnswer);
  EXPECT_EQ(second.act, PluginAct::kNoContainers);
}

TEST_F(PluginScriptTest, HeldCallGoesOnWhenItIsReleased) {
  script_.At(PluginMethod::kAllocate, 1, {.held = true});
  const std::unique_ptr<Thread> caller =
      threads_.Start("caller", [&] { EXPECT_OK(script_.Begin(session_, {.method = PluginMethod::kAllocate})); });
  EXPECT_OK(script_.WaitForCall(PluginMethod::kAllocate, 1));
  script_.Release(PluginMethod::kAllocate, 1);
}

TEST_F(PluginScriptTest, DelayedCallCountsAsHeldAndGoesOnWhenItIsReleased) {
  script_.At(PluginMethod::kAllocate, 1, {.delay = absl::Hours(1)});  // the clock stands still
  const std::unique_ptr<Thread> caller =
      threads_.Start("caller", [&] { EXPECT_OK(script_.Begin(session_, {.method = PluginMethod::kAllocate})); });
  EXPECT_OK(script_.WaitForCall(PluginMethod::kAllocate, 1));
  EXPECT_EQ(script_.HeldCount(), 1);
  script_.Release(PluginMethod::kAllocate, 1);
}

TEST_F(PluginScriptTest, ClosingTheSessionEndsHeldCallsAndRefusesLaterOnes) {
  script_.At(PluginMethod::kAllocate, 1, {.held = true});
  const auto begin = [&] { return script_.Begin(session_, {.method = PluginMethod::kAllocate}).status(); };
  const std::unique_ptr<Thread> caller =
      threads_.Start("caller", [&] { EXPECT_THAT(begin(), StatusIs(absl::StatusCode::kUnavailable, "gone")); });
  EXPECT_OK(script_.WaitForCall(PluginMethod::kAllocate, 1));
  script_.CloseSession(session_, absl::UnavailableError("gone"));
  EXPECT_THAT(begin(), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_EQ(script_.CallCount(PluginMethod::kAllocate), 1);
}

TEST_F(PluginScriptTest, WaitingForACallThatNeverComesTellsWhatCame) {
  ASSERT_OK(script_.Begin(session_, {.method = PluginMethod::kAllocate, .ids = {"a", "b"}}));
  EXPECT_THAT(script_.WaitForCall(PluginMethod::kAllocate, 2, absl::ZeroDuration()),
              StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("Allocate(a,b)")));
}

TEST(PluginScriptUnderSeededThreadsTest, HeldCallEndsAtItsDeadline) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    FakeClock clock;
    SeededThreads threads(clock, {.seed = seed});
    EXPECT_OK(threads.Run([&] {
      PluginScript script(threads);
      script.Always(PluginMethod::kAllocate, {.held = true});
      EXPECT_THAT(script.Begin(script.OpenSession(), {.method = PluginMethod::kAllocate},
                               clock.MonotonicNow() + absl::Seconds(10)),
                  StatusIs(absl::StatusCode::kDeadlineExceeded));
    }));
  }
}

TEST(PluginScriptUnderSeededThreadsTest, DelayedCallGoesOnWhenItsDelayIsOverAndEndsAtADeadlineBeforeThat) {
  FakeClock clock;
  SeededThreads threads(clock, {.seed = 1});
  EXPECT_OK(threads.Run([&] {
    PluginScript script(threads);
    script.Always(PluginMethod::kAllocate, {.delay = absl::Seconds(10)});
    const MonotonicTime begun = clock.MonotonicNow();
    const auto begin = [&](absl::Duration limit) {
      return script.Begin(script.OpenSession(), {.method = PluginMethod::kAllocate}, begun + limit).status();
    };
    EXPECT_OK(begin(absl::Seconds(11)));
    EXPECT_EQ(clock.MonotonicNow() - begun, absl::Seconds(10));
    EXPECT_THAT(begin(absl::Seconds(11)), StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_EQ(clock.MonotonicNow() - begun, absl::Seconds(11));
    EXPECT_EQ(script.HeldCount(), 0);
  }));
}

}  // namespace
}  // namespace kubelet_cm::fakes
