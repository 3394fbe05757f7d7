#include "dra/plugin/driver_registry.h"

#include "dra/plugin/registry_scene.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// Wiping is in driver_registry_wiping_test.cc, real sockets are in driver_registry_socket_test.cc.
namespace kubelet_cm::dra {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr char kDriver[] = "gpu.example.com";

TEST(DriverRegistryTest, RegisteredDriverIsFoundBeforeItIsConnected) {
  WithRegistry([](RegistryScene& scene) {
    const absl::Duration before = scene.Now();
    ASSERT_OK(scene.Register("/a"));
    EXPECT_EQ(scene.Now(), before);
    EXPECT_THAT(scene.Call(), StatusIs(absl::StatusCode::kUnavailable));
    scene.drivers.Switch("/a", true);
    EXPECT_OK(scene.Call());
    EXPECT_THAT(scene.LastLine("Creating new gRPC connection"), AllOf(HasLogField("target", "unix:/a")));
    const CapturedLine line = scene.LastLine("Registered DRA plugin");
    EXPECT_EQ(line.verbosity, 3);
    EXPECT_THAT(line.fields, UnorderedElementsAre(testing::Pair("driverName", kDriver), testing::Pair("endpoint", "/a"),
                                                  testing::Pair("chosenService", "v1beta1.DRAPlugin"),
                                                  testing::Pair("numPlugins", "1")));
  });
}

TEST(DriverRegistryTest, LookupsOfNobodyFailInUpstreamsWords) {
  WithRegistry([](RegistryScene& scene) {
    EXPECT_EQ(scene.registry->Find("").status().message(), "DRA driver name is empty");
    EXPECT_EQ(scene.registry->Find(kDriver).status().message(), "DRA driver gpu.example.com is not registered");
    EXPECT_EQ(scene.LastLine("No plugin registered").verbosity, 5);
  });
}

TEST(DriverRegistryTest, DriverWithoutAServiceThatTheKubeletSpeaksIsRefusedBothTimes) {
  WithRegistry([](RegistryScene& scene) {
    const DriverInfo silent{.driver_name = kDriver, .endpoint = "/a", .supported_versions = {}};
    const DriverInfo odd{.driver_name = kDriver, .endpoint = "/a", .supported_versions = {"v9.DRAPlugin"}};
    const char prefix[] = "invalid supported gRPC versions of DRA driver plugin gpu.example.com at endpoint /a: ";
    for (const absl::Status& status : {scene.registry->Validate(silent), scene.registry->Register(silent)}) {
      EXPECT_EQ(status.message(),
                absl::StrCat(prefix, "empty list of supported gRPC services (aka supported versions)"));
    }
    for (const absl::Status& status : {scene.registry->Validate(odd), scene.registry->Register(odd)}) {
      EXPECT_THAT(status.message(), HasSubstr(absl::StrCat(prefix, "none of services supported by the plugin")));
    }
    EXPECT_OK(
        scene.registry->Validate({.driver_name = kDriver, .endpoint = "/a", .supported_versions = {"v1.DRAPlugin"}}));
    EXPECT_FALSE(scene.registry->Find(kDriver).ok());
    EXPECT_THAT(scene.listener.heard, IsEmpty());
  });
}

TEST(DriverRegistryTest, EndpointThatIsThereAlreadyIsRefusedAndServesOn) {
  WithRegistry([](RegistryScene& scene) {
    ASSERT_OK(scene.RegisterConnected("/a"));
    EXPECT_EQ(scene.Register("/a").message(), "endpoint /a already registered for DRA driver plugin gpu.example.com");
    EXPECT_OK(scene.Call());
    scene.Deregister("/a");
    EXPECT_OK(scene.RegisterConnected("/a"));
    EXPECT_OK(scene.Call());
  });
}

TEST(DriverRegistryTest, SameEndpointFromTwoSidesAtOnceIsTakenOnce) {
  WithRegistry([](RegistryScene& scene) {
    int taken = 0;
    auto other = scene.threads.Start("other", [&] { taken += scene.Register("/a").ok(); });
    taken += scene.Register("/a").ok();
    other.reset();
    EXPECT_EQ(taken, 1);
    EXPECT_THAT(scene.listener.heard, testing::SizeIs(1));
  });
}

TEST(DriverRegistryTest, SocketThatCannotBeOneIsRefusedAndChangesNothing) {
  WithRegistry([](RegistryScene& scene) {
    CapturingLogger log;
    SeededRandom random(1);
    DriverRegistry registry({.threads = scene.threads,
                             .log = log,
                             .random = random,
                             .kubelet = LatestPersonality(),
                             .connect = ConnectOverSockets(nullptr)});
    EXPECT_THAT(
        registry.Register({.driver_name = "d", .endpoint = "a", .supported_versions = {"v1.DRAPlugin"}}).message(),
        HasSubstr("create gRPC connection to DRA driver d plugin at endpoint a: "));
    EXPECT_FALSE(registry.Find("d").ok());
  });
}

TEST(DriverRegistryTest, NewestConnectedInstanceIsCalledOrElseTheNewest) {
  WithRegistry([](RegistryScene& scene) {
    ASSERT_OK(scene.Register("/a"));
    ASSERT_OK(scene.Register("/b"));
    ASSERT_OK(scene.registry->Find(kDriver));
    EXPECT_THAT(scene.LastLine("No plugin connected, using latest one"), HasLogField("endpoint", "/b"));
    scene.drivers.Switch("/a", true);
    scene.Settle();
    EXPECT_OK(scene.Call());
    EXPECT_THAT(scene.LastLine("Preferring connected plugin"), HasLogField("endpoint", "/a"));
    scene.drivers.Switch("/b", true);
    scene.Settle();
    EXPECT_OK(scene.Call());
    EXPECT_THAT(scene.LastLine("Preferring connected plugin"), HasLogField("endpoint", "/b"));
    scene.drivers.Switch("/b", false);
    scene.Settle();
    EXPECT_OK(scene.Call());
    EXPECT_THAT(scene.LastLine("Preferring connected plugin"), HasLogField("endpoint", "/a"));
  });
}

TEST(DriverRegistryTest, LostConnectionIsLoggedAndDoesNotDeregister) {
  WithRegistry([](RegistryScene& scene) {
    ASSERT_OK(scene.RegisterConnected("/a"));
    EXPECT_THAT(scene.LastLine("Connection changed"),
                AllOf(HasLogField("connected", "true"), HasLogField("endpoint", "/a")));
    scene.drivers.Switch("/a", false);
    scene.Settle();
    const CapturedLine line = scene.LastLine("Connection changed");
    EXPECT_EQ(line.verbosity, 2);
    EXPECT_THAT(line, AllOf(HasLogField("connected", "false"), HasLogField("driverName", kDriver)));
    scene.LetPass(absl::Hours(1));
    EXPECT_OK(scene.registry->Find(kDriver));
    scene.drivers.Switch("/a", true);
    scene.Settle();
    EXPECT_OK(scene.Call());
  });
}

TEST(DriverRegistryTest, DeregistrationEndsTheCallsOfThatInstanceAlone) {
  WithRegistry([](RegistryScene& scene) {
    ASSERT_OK(scene.RegisterConnected("/a"));
    ASSERT_OK_AND_ASSIGN(const auto first, scene.registry->Find(kDriver));
    ASSERT_OK(scene.RegisterConnected("/b"));
    scene.Deregister("/none");
    scene.registry->Deregister("other.example.com", "/a");
    EXPECT_OK(first->Prepare({}, kDraCallTimeout));
    scene.Deregister("/a");
    EXPECT_THAT(first->Prepare({}, kDraCallTimeout), StatusIs(absl::StatusCode::kCancelled));
    EXPECT_OK(scene.Call());
    EXPECT_THAT(
        scene.LastLine("Unregistered DRA plugin"),
        AllOf(HasLogField("endpoint", "/a"), HasLogField("driverName", kDriver), HasLogField("numPlugins", "1")));
    scene.Deregister("/b");
    EXPECT_FALSE(scene.registry->Find(kDriver).ok());
  });
}

TEST(DriverRegistryTest, ListenerHearsOfEachInstanceWithWhatItSpeaksAboutHealth) {
  WithRegistry([](RegistryScene& scene) {
    ASSERT_OK(scene.registry->Register({.driver_name = kDriver,
                                        .endpoint = "/a",
                                        .supported_versions = {"v1.DRAPlugin", "v1alpha1.DRAResourceHealth"}}));
    ASSERT_OK(scene.Register("/b"));
    scene.Deregister("/a");
    EXPECT_THAT(scene.listener.heard, ElementsAre("+1", "+2", "-1"));
    EXPECT_EQ(scene.listener.drivers[0].health, DraHealthApi::kV1Alpha1);
    EXPECT_EQ(scene.listener.drivers[0].endpoint, "/a");
    EXPECT_EQ(scene.listener.drivers[0].driver_name, kDriver);
    EXPECT_EQ(scene.listener.drivers[1].health, std::nullopt);
  });
}

TEST(DriverRegistryTest, ListenerIsCalledWithoutALockAndMayDeregister) {
  WithRegistry([](RegistryScene& scene) {
    scene.listener.first = [&] {
      scene.registry->Find(kDriver).IgnoreError();
      scene.Deregister("/a");
    };
    ASSERT_OK(scene.Register("/a"));
    EXPECT_THAT(scene.listener.heard, ElementsAre("+1", "-1"));
  });
}

TEST(DriverRegistryTest, ListenerHearsThingsInTheirOrderWhoeverDoesThem) {
  WithRegistry([](RegistryScene& scene) {
    scene.listener.first = [&] { scene.threads.Yield(); };
    auto other = scene.threads.Start("other", [&] {
      for (int i = 0; i < 5; ++i) {
        scene.Deregister("/a");
        scene.threads.Yield();
      }
    });
    for (int i = 0; i < 5; ++i) {
      scene.Register("/a").IgnoreError();
      scene.threads.Yield();
    }
    other.reset();
    scene.Deregister("/a");
    const std::vector<std::string>& heard = scene.listener.heard;
    ASSERT_EQ(heard.size() % 2, 0u);
    for (size_t i = 0; i < heard.size(); i += 2) {
      EXPECT_EQ(heard[i][0], '+');
      EXPECT_EQ("-" + heard[i].substr(1), heard[i + 1]);
    }
  });
}

TEST(DriverRegistryTest, DeregistrationWhileAConnectionChangesLeavesNothingBehind) {
  WithRegistry([](RegistryScene& scene) {
    for (int i = 0; i < 5; ++i) {
      ASSERT_OK(scene.Register("/a"));
      auto flapping = scene.threads.Start("flapping", [&] {
        for (const bool on : {true, false, true}) scene.drivers.Switch("/a", on);
      });
      scene.threads.Yield();
      scene.Deregister("/a");
      EXPECT_FALSE(scene.registry->Find(kDriver).ok());
    }
  });
}

TEST(DriverRegistryTest, DestructionWhileConnectingOrConnectedEndsAtOnceAndIsNotHeardOf) {
  WithRegistry([](RegistryScene& scene) {
    ASSERT_OK(scene.RegisterConnected("/a"));
    ASSERT_OK(scene.Register("/b"));
    ASSERT_OK_AND_ASSIGN(const auto client, scene.registry->Find(kDriver));
    const absl::Duration before = scene.Now();
    scene.registry.reset();
    EXPECT_EQ(scene.Now(), before);
    EXPECT_THAT(scene.listener.heard, ElementsAre("+1", "+2"));
    EXPECT_THAT(client->Prepare({}, kDraCallTimeout), StatusIs(absl::StatusCode::kCancelled));
  });
}

TEST(EmulatedDriverRegistryTest, Until132ADriverThatRegistersAgainReplacesItself) {
  for (const char* version : {"1.31", "1.32"}) {
    WithRegistry(
        [](RegistryScene& scene) {
          scene.drivers.Switch("/a", true);
          scene.drivers.Switch("/b", true);
          ASSERT_OK(scene.Register("/a", "1.0.0"));
          ASSERT_OK_AND_ASSIGN(const auto first, scene.registry->Find(kDriver));
          ASSERT_OK(scene.Register("/b", "1.1.0"));
          EXPECT_THAT(scene.listener.heard, ElementsAre("+1", "+2", "-1"));
          EXPECT_THAT(first->Prepare({}, kDraCallTimeout), StatusIs(absl::StatusCode::kCancelled));
          EXPECT_OK(scene.Call());
          scene.Deregister("/a");  // names the driver, whatever its endpoint
          EXPECT_FALSE(scene.registry->Find(kDriver).ok());
        },
        version);
  }
}

TEST(EmulatedDriverRegistryTest, Until130ADriverOfAnEqualOrHigherVersionStays) {
  WithRegistry(
      [](RegistryScene& scene) {
        ASSERT_OK(scene.Register("/a", "1.1.0"));
        EXPECT_THAT(
            scene.Register("/b", "1.1.0").message(),
            HasSubstr("Another plugin with the same name is already registered with a higher supported version"));
        const DriverInfo older{.driver_name = kDriver, .endpoint = "/b", .supported_versions = {"1.0.0"}};
        EXPECT_THAT(scene.registry->Validate(older).message(), HasSubstr("Another plugin with the same name"));
        EXPECT_OK(scene.Register("/b", "1.2.0"));
        EXPECT_THAT(scene.LastLine("Registered DRA plugin"), HasLogField("chosenService", "v1alpha3"));
      },
      "1.30");
}

TEST(EmulatedDriverRegistryTest, In133TheNewestIsCalledConnectedOrNot) {
  WithRegistry(
      [](RegistryScene& scene) {
        ASSERT_OK(scene.RegisterConnected("/a"));
        ASSERT_OK(scene.Register("/b"));
        scene.Settle();
        EXPECT_THAT(scene.Call(), StatusIs(absl::StatusCode::kUnavailable));
        EXPECT_EQ(scene.LastLine("Connection changed").message, "");
      },
      "1.33");
}

}  // namespace
}  // namespace kubelet_cm::dra
