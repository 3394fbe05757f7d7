#include "dra/plugin/dra_services.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::Field;
using ::testing::HasSubstr;

constexpr RegistrationStep kValidate = RegistrationStep::kValidate;
constexpr RegistrationStep kRegister = RegistrationStep::kRegister;

absl::StatusOr<DraServices> Choose(std::string_view kubelet, std::vector<std::string> supported,
                                   RegistrationStep step = kValidate, std::string_view registered = "") {
  std::optional<DriverVersion> version;
  if (!registered.empty()) version = *DriverVersion::Parse(registered);
  return ChooseServices((*ParsePersonality(kubelet))->dra_offer, {"gpu.example.com", "/d.sock", std::move(supported)},
                        step, version);
}

auto Speaks(DraApi api) { return IsOkAndHolds(Field(&DraServices::api, api)); }
auto Refused(const std::string& message) { return StatusIs(absl::StatusCode::kInvalidArgument, message); }

TEST(DraServicesTest, NamesAreReadBack) {
  for (const DraApi api : {DraApi::kV1, DraApi::kV1Beta1, DraApi::kV1Alpha4}) {
    EXPECT_EQ(ParseDraService(ServiceName(api)), api);
  }
  EXPECT_EQ(ParseDraService(""), std::nullopt);
  EXPECT_EQ(ParseDraApi("v1alpha1"), DraApi::kV1Alpha1);
  EXPECT_EQ(ParseHealthService("v1alpha1.DRAResourceHealth"), DraHealthApi::kV1Alpha1);
}

TEST(DraServicesTest, OrderOfTheDriverDecidesFor134AndNewer) {
  EXPECT_THAT(Choose("1.37", {"v1beta1.DRAPlugin", "v1.DRAPlugin"}), Speaks(DraApi::kV1Beta1));
  EXPECT_THAT(Choose("1.34", {"x", "v1.DRAPlugin", "v1beta1.DRAPlugin"}), Speaks(DraApi::kV1));
}

TEST(DraServicesTest, NewestDecidesFor132And133AndForOurs) {
  EXPECT_THAT(Choose("1.33", {"v1alpha3.NodeService", "v1.DRAPlugin", "v1beta1.DRAPlugin"}), Speaks(DraApi::kV1Beta1));
  EXPECT_THAT(Choose("latest", {"v1beta1.DRAPlugin", "v1.DRAPlugin"}), Speaks(DraApi::kV1));
  EXPECT_THAT(Choose("latest", {"v1alpha3.NodeService"}), Speaks(DraApi::kV1Alpha4));
}

TEST(DraServicesTest, DriverThatNamesNoKnownServiceSpokeAlphaUntil133) {
  EXPECT_THAT(Choose("1.32", {"1.0.0"}), Speaks(DraApi::kV1Alpha4));
  EXPECT_THAT(
      Choose("1.34", {"1.0.0", "v1alpha3.NodeService"}).status(),
      Refused("invalid supported gRPC versions of DRA driver plugin gpu.example.com at endpoint /d.sock: none of "
              "services supported by the plugin ([\"1.0.0\" \"v1alpha3.NodeService\"]) are supported by the "
              "kubelet ([\"v1.DRAPlugin\" \"v1beta1.DRAPlugin\"])"));
}

TEST(DraServicesTest, DriverWithoutServicesIsRefused) {
  for (const char* kubelet : {"1.34", "1.37", "latest"}) {
    EXPECT_THAT(Choose(kubelet, {}, kRegister).status(),
                Refused("invalid supported gRPC versions of DRA driver plugin gpu.example.com at endpoint /d.sock: "
                        "empty list of supported gRPC services (aka supported versions)"));
  }
}

TEST(DraServicesTest, DriverWithoutServicesWasRefusedInOtherWordsIn132And133) {
  const std::string why = "empty list of supported gRPC services (aka supported versions)";
  for (const char* kubelet : {"1.32", "1.33"}) {
    EXPECT_THAT(Choose(kubelet, {}, kValidate).status(), Refused("invalid versions of plugin gpu.example.com: " + why));
    EXPECT_THAT(Choose(kubelet, {}, kRegister).status(),
                Refused("version check of plugin gpu.example.com failed: " + why));
  }
}

TEST(DraServicesTest, HealthIsNegotiatedSince137InTheOrderOfTheKubelet) {
  const std::vector<std::string> both = {"v1.DRAPlugin", "v1alpha1.DRAResourceHealth", "v1.DRAResourceHealth"};
  EXPECT_EQ(Choose("1.37", both)->health, DraHealthApi::kV1);
  EXPECT_EQ(Choose("1.37", {"v1.DRAPlugin", "v1alpha1.DRAResourceHealth"})->health, DraHealthApi::kV1Alpha1);
  EXPECT_EQ(Choose("1.37", {"v1.DRAPlugin"})->health, std::nullopt);
  EXPECT_EQ(Choose("1.35", {"v1.DRAPlugin"})->health, DraHealthApi::kV1Alpha1);
  EXPECT_EQ(Choose("1.33", {"v1beta1.DRAPlugin"})->health, std::nullopt);
}

TEST(DraServicesTest, DriversWithVersionsSpeakWhatTheirKubeletSpoke) {
  EXPECT_THAT(Choose("1.26", {"1.0.0"}), Speaks(DraApi::kV1Alpha1));
  EXPECT_THAT(Choose("1.27", {"1.0.0"}), Speaks(DraApi::kV1Alpha2));
  EXPECT_THAT(Choose("1.30", {"1.0.0"}), Speaks(DraApi::kV1Alpha3));
  EXPECT_THAT(Choose("1.31", {"1.0.0"}), Speaks(DraApi::kV1Alpha4));
  EXPECT_EQ(Choose("1.31", {"1.0.0", "1.1.0"})->version->ToString(), "1.1.0");
}

TEST(DraServicesTest, VersionThatIsThereOrNewerRefusesAnother) {
  EXPECT_OK(Choose("1.30", {"1.1"}, kRegister, "1.0").status());
  for (const char* registered : {"1.1", "1.2"}) {
    EXPECT_THAT(Choose("1.30", {"1.1"}, kRegister, registered).status(),
                Refused("kubernetes.io/dra: RegisterPlugin for DRA plugin \"gpu.example.com\" failed. Another plugin "
                        "with the same name is already registered with a higher supported version: \"" +
                        std::string(registered) + "\""));
  }
}

TEST(DraServicesTest, VersionsAreRefusedInUpstreamsWords) {
  EXPECT_THAT(Choose("1.26", {}).status(),
              Refused("validation failed for DRA plugin gpu.example.com at endpoint /d.sock: kubernetes.io/dra: "
                      "ValidatePlugin for DRA plugin \"gpu.example.com\" failed. Plugin returned an empty list for "
                      "supported versions"));
  EXPECT_THAT(Choose("1.30", {"v1.DRAPlugin"}, kRegister).status(),
              Refused("kubernetes.io/dra: RegisterPlugin for DRA plugin \"gpu.example.com\" failed. None of the "
                      "versions specified [\"v1.DRAPlugin\"] are supported. err=could not find a highest supported "
                      "version from versions ([v1.DRAPlugin]) reported by this plugin: illegal version string "
                      "\"v1.DRAPlugin\""));
}

TEST(DraServicesTest, VersionsAreRefusedInTheWordsOf131) {
  EXPECT_THAT(Choose("1.31", {}).status(),
              Refused("invalid versions of plugin gpu.example.com: empty list for supported versions"));
  EXPECT_THAT(Choose("1.31", {"v1.DRAPlugin"}, kRegister).status(),
              Refused("version check of plugin gpu.example.com failed: none of the versions are supported: could not "
                      "find a highest supported version from versions ([v1.DRAPlugin]) reported by this plugin: "
                      "illegal version string \"v1.DRAPlugin\""));
  EXPECT_THAT(Choose("1.31", {"1.1"}, kRegister, "1.2").status(),
              Refused("version check of plugin gpu.example.com failed: another plugin instance is already registered "
                      "with a higher supported version: \"1.1\" < \"1.2\""));
}

TEST(DraServicesTest, HostileListsAreCutInMessages) {
  const std::vector<std::string> many(1000, std::string(1000, 'x'));
  for (const char* kubelet : {"1.26", "1.37"}) {
    const absl::Status refused = Choose(kubelet, many).status();
    EXPECT_THAT(refused, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("xxx...")));
    EXPECT_LT(refused.message().size(), 10'000u);
  }
}

}  // namespace
}  // namespace kubelet_cm::dra
