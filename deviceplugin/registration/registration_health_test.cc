#include "deviceplugin/registration/registration_health.h"

#include <string>

#include "common/status/status_matchers.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

constexpr char kText[] =
    "device registration error: device plugin registration gRPC server failed and no device plugins can register";

TEST(RegistrationHealthTest, IsFineBeforeAnythingWasStarted) { EXPECT_OK(RegistrationHealth().Check()); }

TEST(RegistrationHealthTest, TellsWhyNobodyCanRegister) {
  RegistrationHealth health;
  health.SetFailed(absl::PermissionDeniedError("no"));
  EXPECT_THAT(health.Check(), StatusIs(absl::StatusCode::kUnavailable, std::string(kText) + ": no"));
  health.SetFailed(absl::OkStatus());
  EXPECT_THAT(health.Check(), StatusIs(absl::StatusCode::kUnavailable, std::string(kText)));
}

TEST(RegistrationHealthTest, IsFineAgainOnceItServes) {
  RegistrationHealth health;
  health.SetFailed(absl::InternalError("x"));
  health.SetFine();
  EXPECT_OK(health.Check());
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
