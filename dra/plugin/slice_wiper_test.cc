#include "dra/plugin/slice_wiper.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/clock/fake_clock.h"
#include "common/log/capturing_logger.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "common/threads/event.h"
#include "common/threads/seeded_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_slice_client.h"

namespace kubelet_cm::dra {
namespace {

using fakes::FakeSliceClient;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kDriver[] = "gpu.example.com";
constexpr char kFailed[] = "Deleting ResourceSlice failed, retrying";

// No jitter: every number drawn is 0.
class NoJitter : public Random {
 public:
  uint64_t Uint64() override { return 0; }
};

// A wiper whose time passes when all threads wait.
struct Scene {
  Scene(Threads& threads_used, Random& random)
      : threads(threads_used), wiper(std::in_place, SliceWiper::Dependencies{threads, log, random, slices}) {}

  MonotonicTime In(absl::Duration delay) const { return threads.clock().MonotonicNow() + delay; }
  void LetPass(absl::Duration time) { Event(threads, "time").WaitFor(time); }
  std::vector<double> Seconds() const {
    std::vector<double> seconds;
    for (const FakeSliceClient::Delete& one : slices.Deletes()) {
      seconds.push_back(absl::ToDoubleSeconds(one.at.since_start()));
    }
    return seconds;
  }

  Threads& threads;
  CapturingLogger log;
  FakeSliceClient slices{threads};
  std::optional<SliceWiper> wiper;
};

void WithWiper(const std::function<void(Scene&)>& body) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    FakeClock clock;
    SeededThreads threads(clock, {.seed = seed});
    NoJitter random;
    ASSERT_OK(threads.Run([&] {
      Scene scene(threads, random);
      body(scene);
    }));
  }
}

TEST(SliceWiperTest, AtTheStartSlicesOfAllDriversGoAtOnce) {
  WithWiper([](Scene& scene) {
    scene.slices.Publish("a");
    scene.slices.Publish("b");
    scene.wiper->WipeAll();
    EXPECT_OK(scene.slices.WaitForDeletes(1));
    scene.LetPass(absl::Hours(1));
    EXPECT_THAT(scene.slices.Published(), IsEmpty());
    EXPECT_THAT(scene.Seconds(), ElementsAre(0));
    EXPECT_EQ(scene.slices.Deletes()[0].driver_name, std::nullopt);
    EXPECT_THAT(scene.log.lines(), Contains(AllOf(IsLogLine(Severity::kInfo, "Deleted ResourceSlices"),
                                                  HasLogField("fieldSelector", "spec.nodeName=node"))));
  });
}

TEST(SliceWiperTest, SlicesOfADriverGoWhenItsTimeHasComeAndOthersStay) {
  WithWiper([](Scene& scene) {
    scene.slices.Publish(kDriver);
    scene.slices.Publish("other");
    scene.wiper->Schedule(kDriver, scene.In(absl::Seconds(30)));
    scene.LetPass(absl::Milliseconds(29999));
    EXPECT_THAT(scene.Seconds(), IsEmpty());
    scene.LetPass(absl::Minutes(10));
    EXPECT_THAT(scene.Seconds(), ElementsAre(30));
    EXPECT_THAT(scene.slices.Published(), ElementsAre("other"));
    EXPECT_THAT(scene.log.lines(),
                Contains(HasLogField("fieldSelector", "spec.driver=gpu.example.com,spec.nodeName=node")));
  });
}

TEST(SliceWiperTest, PendingWipeKeepsItsOriginalTime) {
  WithWiper([](Scene& scene) {
    scene.wiper->Schedule(kDriver, scene.In(absl::Seconds(30)));
    scene.LetPass(absl::Seconds(20));
    scene.wiper->Schedule(kDriver, scene.In(absl::Seconds(30)));
    scene.LetPass(absl::Minutes(10));
    EXPECT_THAT(scene.Seconds(), ElementsAre(30));
  });
}

TEST(SliceWiperTest, CancelledWipeNeverBeginsAndTheNextOneCountsAnew) {
  WithWiper([](Scene& scene) {
    scene.wiper->Schedule(kDriver, scene.In(absl::Seconds(30)));
    scene.LetPass(absl::Seconds(20));
    scene.wiper->Cancel(kDriver);
    scene.wiper->Cancel("nobody");
    scene.LetPass(absl::Seconds(40));
    EXPECT_THAT(scene.Seconds(), IsEmpty());
    scene.wiper->Schedule(kDriver, scene.In(absl::Seconds(30)));
    scene.LetPass(absl::Minutes(10));
    EXPECT_THAT(scene.Seconds(), ElementsAre(90));
  });
}

TEST(SliceWiperTest, EarlierWipeIsNotHeldUpByALaterOne) {
  WithWiper([](Scene& scene) {
    scene.wiper->Schedule("late", scene.In(absl::Seconds(30)));
    scene.LetPass(absl::Seconds(1));
    scene.wiper->Schedule("early", scene.In(absl::Seconds(9)));
    scene.LetPass(absl::Minutes(10));
    EXPECT_THAT(scene.Seconds(), ElementsAre(10, 30));
  });
}

TEST(SliceWiperTest, FailedWipeIsTriedAgainEverLaterAndNeverGivenUp) {
  WithWiper([](Scene& scene) {
    scene.slices.Publish(kDriver);
    scene.slices.FailDeletes(std::vector<absl::Status>(12, absl::UnavailableError("down")));
    scene.wiper->Schedule(kDriver, scene.In(absl::ZeroDuration()));
    EXPECT_OK(scene.slices.WaitForDeletes(13, absl::Hours(24)));
    EXPECT_THAT(scene.Seconds(),
                ElementsAre(0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811, 1111, 1411));  // upstream stops after the ninth
    scene.LetPass(absl::Hours(24));
    EXPECT_THAT(scene.slices.Published(), IsEmpty());
    EXPECT_THAT(scene.Seconds(), SizeIs(13));
  });
}

TEST(SliceWiperTest, JitterMakesEachPauseUpToAFifthLonger) {
  FakeClock clock;
  SeededThreads threads(clock, {.seed = 1});
  SeededRandom random(1);
  ASSERT_OK(threads.Run([&] {
    Scene scene(threads, random);
    scene.slices.FailDeletes(std::vector<absl::Status>(20, absl::UnavailableError("down")));
    scene.wiper->WipeAll();
    EXPECT_OK(scene.slices.WaitForDeletes(20, absl::Hours(24)));
    const std::vector<double> at = scene.Seconds();
    double pause = 1;
    bool any = false;
    for (size_t i = 1; i < at.size(); ++i, pause = std::min(pause * 2, 300.0)) {
      EXPECT_GE(at[i] - at[i - 1], pause);
      EXPECT_LE(at[i] - at[i - 1], pause * 1.2 + 1e-9);
      any |= at[i] - at[i - 1] > pause * 1.1;
    }
    EXPECT_TRUE(any);
  }));
}

TEST(SliceWiperTest, NodeThatIsNotThereYetIsWaitedForWithoutALine) {
  WithWiper([](Scene& scene) {
    scene.slices.FailNodeChecks({absl::NotFoundError("no node"), absl::InternalError("odd")});
    scene.wiper->WipeAll();
    EXPECT_OK(scene.slices.WaitForDeletes(1));
    EXPECT_THAT(scene.Seconds(), ElementsAre(3));
    EXPECT_THAT(scene.log.lines(), Contains(AllOf(IsLogLine(Severity::kError, "Unexpected error checking for node"),
                                                  HasLogError(HasSubstr("odd")))));
    EXPECT_THAT(scene.log.lines(), Each(HasLogError(Not(HasSubstr("no node")))));
  });
}

TEST(SliceWiperTest, NoSlicesToDeleteIsSuccess) {
  WithWiper([](Scene& scene) {
    scene.slices.FailDeletes({absl::NotFoundError("none")});
    scene.wiper->Schedule(kDriver, scene.In(absl::ZeroDuration()));
    scene.LetPass(absl::Hours(1));
    EXPECT_THAT(scene.Seconds(), ElementsAre(0));
    EXPECT_THAT(scene.log.lines(),
                Contains(IsLogLine(Severity::kInfo, "ResourceSlices not found, nothing to delete.")));
  });
}

TEST(SliceWiperTest, UnauthorizedAndOtherErrorsAreTriedAgainOneQuieterThanTheOther) {
  WithWiper([](Scene& scene) {
    scene.slices.FailDeletes({absl::UnauthenticatedError("who?"), absl::PermissionDeniedError("no")});
    scene.wiper->WipeAll();
    EXPECT_OK(scene.slices.WaitForDeletes(3));
    std::vector<int> verbosities;
    for (const CapturedLine& line : scene.log.lines()) {
      if (line.message == kFailed) verbosities.push_back(line.verbosity);
    }
    EXPECT_THAT(verbosities, ElementsAre(5, 3));
  });
}

TEST(SliceWiperTest, DriverThatIsBackEndsAWipeThatIsBeingRetried) {
  WithWiper([](Scene& scene) {
    scene.slices.Publish(kDriver);
    scene.slices.FailDeletes({absl::UnavailableError("down")});
    scene.wiper->Schedule(kDriver, scene.In(absl::ZeroDuration()));
    EXPECT_OK(scene.slices.WaitForDeletes(1));
    scene.wiper->Cancel(kDriver);
    scene.LetPass(absl::Hours(1));
    EXPECT_THAT(scene.Seconds(), ElementsAre(0));
    EXPECT_THAT(scene.slices.Published(), ElementsAre(kDriver));
  });
}

TEST(SliceWiperTest, AWipeOfAllThatComesLateSparesDriversThatAreBack) {
  WithWiper([](Scene& scene) {
    for (const char* driver : {kDriver, "away.example.com", "gone.example.com"}) scene.slices.Publish(driver);
    scene.slices.FailDeletes({absl::UnavailableError("down")});
    scene.wiper->WipeAll();
    EXPECT_OK(scene.slices.WaitForDeletes(1));
    scene.wiper->Cancel(kDriver);
    scene.wiper->Cancel("away.example.com");
    scene.wiper->Schedule("away.example.com", scene.In(absl::Hours(2)));
    scene.LetPass(absl::Hours(1));
    EXPECT_THAT(scene.slices.Published(), ElementsAre(kDriver));
    EXPECT_THAT(scene.log.lines(),
                Contains(HasLogField("fieldSelector", "spec.driver!=gpu.example.com,spec.nodeName=node")));
  });
}

TEST(SliceWiperTest, AttemptUnderWayThatWasCancelledSaysNothingAboutTheWipeAfterIt) {
  WithWiper([](Scene& scene) {
    scene.slices.HoldDeletes();
    scene.wiper->Schedule(kDriver, scene.In(absl::ZeroDuration()));
    EXPECT_OK(scene.slices.WaitForDeletes(1));
    scene.wiper->Cancel(kDriver);
    scene.wiper->Schedule(kDriver, scene.In(absl::Seconds(30)));
    scene.slices.LetDeletesGo();  // this one succeeds
    scene.LetPass(absl::Hours(1));
    EXPECT_THAT(scene.Seconds(), ElementsAre(0, 30));
  });
}

TEST(SliceWiperTest, AnotherWipeWhileOneIsUnderWayAddsNone) {
  WithWiper([](Scene& scene) {
    scene.slices.HoldDeletes();
    scene.wiper->Schedule(kDriver, scene.In(absl::ZeroDuration()));
    EXPECT_OK(scene.slices.WaitForDeletes(1));
    scene.wiper->Schedule(kDriver, scene.In(absl::Seconds(30)));
    scene.slices.LetDeletesGo();
    scene.LetPass(absl::Hours(1));
    EXPECT_THAT(scene.Seconds(), ElementsAre(0));
  });
}

TEST(SliceWiperTest, EndsAtOnceWhateverIsPending) {
  WithWiper([](Scene& scene) {
    scene.slices.FailDeletes({absl::UnavailableError("down")});
    scene.wiper->WipeAll();
    scene.wiper->Schedule(kDriver, scene.In(absl::Seconds(30)));
    EXPECT_OK(scene.slices.WaitForDeletes(1));
    const MonotonicTime before = scene.In(absl::ZeroDuration());
    scene.wiper.reset();
    EXPECT_EQ(scene.In(absl::ZeroDuration()), before);
    scene.LetPass(absl::Hours(1));
    EXPECT_THAT(scene.Seconds(), SizeIs(1));
  });
}

TEST(SliceWiperTest, TooManyPendingWipesAreRefused) {
  FakeClock clock;
  SeededThreads threads(clock, {.seed = 1});
  NoJitter random;
  ASSERT_OK(threads.Run([&] {
    Scene scene(threads, random);
    for (size_t i = 0; i < kMaxPendingWipes; ++i) {
      ASSERT_TRUE(scene.wiper->Schedule(absl::StrCat(i), scene.In(absl::Hours(1))));
    }
    EXPECT_FALSE(scene.wiper->Schedule(kDriver, scene.In(absl::Hours(1))));
    EXPECT_TRUE(scene.wiper->Schedule("0", scene.In(absl::Hours(1))));  // is pending
    scene.wiper->Cancel("0");
    EXPECT_TRUE(scene.wiper->Schedule(kDriver, scene.In(absl::Hours(1))));
  }));
}

}  // namespace
}  // namespace kubelet_cm::dra
