// When the DriverRegistry has a driver's ResourceSlices wiped, and when not.
#include "dra/plugin/driver_registry.h"
#include "dra/plugin/registry_scene.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kDriver[] = "gpu.example.com";
constexpr absl::Duration kDelay = absl::Seconds(30);
constexpr absl::Duration kLong = absl::Hours(1);

TEST(DriverRegistryWipingTest, StartWipesTheSlicesOfAllDriversAtOnce) {
  for (const char* version : {"1.31", "1.33", "1.37", "latest"}) {
    WithRegistry(
        [](RegistryScene& scene) {
          ASSERT_THAT(scene.slices.Deletes(), SizeIs(1));
          EXPECT_EQ(scene.slices.Deletes()[0].driver_name, std::nullopt);
          EXPECT_EQ(scene.slices.Deletes()[0].at, MonotonicTime());
        },
        version);
  }
}

TEST(DriverRegistryWipingTest, DriverThatIsConnectedKeepsItsSlices) {
  WithRegistry([](RegistryScene& scene) {
    ASSERT_OK(scene.RegisterConnected("/a"));
    scene.LetPass(kLong);
    EXPECT_THAT(scene.Wipes({}), IsEmpty());
  });
}

TEST(DriverRegistryWipingTest, RegisteredDriverThatNeverConnectsIsWipedAfterHalfAMinute) {
  WithRegistry([](RegistryScene& scene) {
    const absl::Duration registered = scene.Now();
    scene.slices.Publish(kDriver);
    ASSERT_OK(scene.Register("/a"));
    scene.LetPass(kLong);
    EXPECT_THAT(scene.Wipes(registered), ElementsAre(kDelay));
    EXPECT_THAT(scene.slices.Published(), IsEmpty());
    EXPECT_OK(scene.registry->Find(kDriver));
  });
}

TEST(DriverRegistryWipingTest, DriverThatLosesItsConnectionIsWipedAfterHalfAMinute) {
  WithRegistry([](RegistryScene& scene) {
    ASSERT_OK(scene.RegisterConnected("/a"));
    scene.LetPass(kLong);
    const absl::Duration lost = scene.Now();
    scene.drivers.Switch("/a", false);
    scene.LetPass(kLong);
    EXPECT_THAT(scene.Wipes(lost), ElementsAre(kDelay));
  });
}

TEST(DriverRegistryWipingTest, DriverThatConnectsAgainInTimeKeepsItsSlices) {
  WithRegistry([](RegistryScene& scene) {
    ASSERT_OK(scene.RegisterConnected("/a"));
    for (int i = 0; i < 3; ++i) {
      scene.drivers.Switch("/a", false);
      scene.LetPass(absl::Seconds(29));
      scene.drivers.Switch("/a", true);
      scene.LetPass(absl::Seconds(5));
    }
    scene.LetPass(kLong);
    EXPECT_THAT(scene.Wipes({}), IsEmpty());
  });
}

TEST(DriverRegistryWipingTest, LastInstanceThatDeregistersStartsTheClock) {
  WithRegistry([](RegistryScene& scene) {
    ASSERT_OK(scene.RegisterConnected("/a"));
    ASSERT_OK(scene.RegisterConnected("/b"));
    scene.Deregister("/a");
    scene.LetPass(kLong);
    EXPECT_THAT(scene.Wipes({}), IsEmpty());
    const absl::Duration gone = scene.Now();
    scene.Deregister("/b");
    scene.LetPass(kLong);
    EXPECT_THAT(scene.Wipes(gone), ElementsAre(kDelay));
  });
}

TEST(DriverRegistryWipingTest, NewInstanceThatConnectsInTimeKeepsTheSlices) {
  WithRegistry([](RegistryScene& scene) {
    ASSERT_OK(scene.RegisterConnected("/a"));
    scene.Deregister("/a");
    scene.LetPass(absl::Seconds(29));
    ASSERT_OK(scene.RegisterConnected("/b"));
    scene.LetPass(kLong);
    EXPECT_THAT(scene.Wipes({}), IsEmpty());
  });
}

TEST(DriverRegistryWipingTest, RegistrationAloneDoesNotMoveAPendingWipe) {
  WithRegistry([](RegistryScene& scene) {
    ASSERT_OK(scene.RegisterConnected("/a"));
    scene.drivers.Switch("/a", false);
    scene.Settle();
    const absl::Duration gone = scene.Now() - absl::Milliseconds(1);
    scene.Deregister("/a");
    scene.LetPass(absl::Seconds(20));
    ASSERT_OK(scene.Register("/b"));
    scene.LetPass(kDelay);
    EXPECT_THAT(scene.Wipes(gone), ElementsAre(kDelay));
  });
}

TEST(DriverRegistryWipingTest, OneConnectedInstanceIsEnough) {
  WithRegistry([](RegistryScene& scene) {
    ASSERT_OK(scene.RegisterConnected("/a"));
    ASSERT_OK(scene.Register("/b"));
    scene.LetPass(kLong);
    EXPECT_THAT(scene.Wipes({}), IsEmpty());
    scene.drivers.Switch("/a", false);
    scene.LetPass(kLong);
    EXPECT_THAT(scene.Wipes({}), SizeIs(1));
  });
}

TEST(DriverRegistryWipingTest, DriverThatIsBackEndsAWipeThatHasFailedSoFar) {
  WithRegistry([](RegistryScene& scene) {
    ASSERT_OK(scene.RegisterConnected("/a"));
    scene.slices.Publish(kDriver);
    scene.slices.FailAll(absl::UnavailableError("down"));
    scene.drivers.Switch("/a", false);
    EXPECT_OK(scene.slices.WaitForDeletes(1, kLong));
    scene.LetPass(absl::Minutes(2));
    scene.drivers.Switch("/a", true);
    scene.Settle();
    scene.slices.FailAll(absl::OkStatus());
    scene.LetPass(kLong);
    EXPECT_THAT(scene.slices.Published(), ElementsAre(kDriver));
  });
}

TEST(DriverRegistryWipingTest, ApiServerThatIsDownForHoursIsAskedUntilItIsBack) {
  WithRegistry([](RegistryScene& scene) {
    scene.slices.Publish(kDriver);
    scene.slices.FailAll(absl::UnavailableError("down"));
    ASSERT_OK(scene.Register("/a"));
    scene.LetPass(absl::Hours(3));
    EXPECT_THAT(scene.slices.Published(), ElementsAre(kDriver));
    scene.slices.FailAll(absl::OkStatus());
    scene.LetPass(absl::Minutes(6));
    EXPECT_THAT(scene.slices.Published(), IsEmpty());
  });
}

TEST(DriverRegistryWipingTest, KubeletThatStopsWipesNothing) {
  WithRegistry([](RegistryScene& scene) {
    ASSERT_OK(scene.RegisterConnected("/a"));
    ASSERT_OK(scene.Register("/b"));
    scene.Deregister("/a");
    scene.registry.reset();
    scene.LetPass(kLong);
    EXPECT_THAT(scene.Wipes({}), IsEmpty());
  });
}

TEST(DriverRegistryWipingTest, WithoutAnApiServerNothingIsWiped) {
  WithRegistry([](RegistryScene& scene) {
    scene.registry.reset();
    scene.Start(/*with_slices=*/false);
    ASSERT_OK(scene.Register("/a"));
    scene.Deregister("/a");
    scene.LetPass(kLong);
    EXPECT_THAT(scene.slices.Deletes(), SizeIs(1));  // of the one before
  });
}

TEST(DriverRegistryWipingTest, ConnectionThatFlapsWhileTheDriverGoesEndsInAWipe) {
  WithRegistry([](RegistryScene& scene) {
    ASSERT_OK(scene.RegisterConnected("/a"));
    {
      auto flapping = scene.threads.Start("flapping", [&] {
        for (const bool on : {false, true, false, true}) scene.drivers.Switch("/a", on);
      });
      scene.Deregister("/a");
    }
    scene.LetPass(kLong);
    EXPECT_THAT(scene.Wipes({}), SizeIs(1));
  });
}

TEST(EmulatedWipingTest, Until130NothingIsWiped) {
  for (const char* version : {"1.26", "1.30"}) {
    WithRegistry(
        [](RegistryScene& scene) {
          ASSERT_OK(scene.Register("/a", "1.0.0"));
          scene.Deregister("/a");
          scene.LetPass(kLong);
          EXPECT_THAT(scene.slices.Deletes(), IsEmpty());
        },
        version);
  }
}

TEST(EmulatedWipingTest, In131And132DeregistrationWipesAtOnceAndConnectionsDoNotMatter) {
  for (const char* version : {"1.31", "1.32"}) {
    WithRegistry(
        [](RegistryScene& scene) {
          ASSERT_OK(scene.Register("/a", "1.0.0"));
          scene.LetPass(kLong);
          EXPECT_THAT(scene.Wipes({}), IsEmpty());
          const absl::Duration gone = scene.Now();
          scene.Deregister("/a");
          scene.LetPass(kLong);
          EXPECT_THAT(scene.Wipes(gone), ElementsAre(absl::ZeroDuration()));
        },
        version);
  }
}

TEST(EmulatedWipingTest, In133DeregistrationWipesLaterUnlessTheDriverRegistersAgain) {
  WithRegistry(
      [](RegistryScene& scene) {
        ASSERT_OK(scene.Register("/a"));
        scene.Deregister("/a");
        scene.LetPass(absl::Seconds(29));
        ASSERT_OK(scene.Register("/b"));  // never connects
        scene.LetPass(kLong);
        EXPECT_THAT(scene.Wipes({}), IsEmpty());
        const absl::Duration gone = scene.Now();
        scene.Deregister("/b");
        scene.LetPass(kLong);
        EXPECT_THAT(scene.Wipes(gone), ElementsAre(kDelay));
      },
      "1.33");
}

}  // namespace
}  // namespace kubelet_cm::dra
