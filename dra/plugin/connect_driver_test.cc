#include "dra/plugin/connect_driver.h"

#include <string>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// That each API has its client is in testing/fakes/dra_driver_contract_test.cc.
namespace kubelet_cm::dra {
namespace {

using ::testing::HasSubstr;

TEST(ConnectDriverTest, DriverThatIsNotThereIsUnavailableAtOnce) {
  ASSERT_OK_AND_ASSIGN(const auto client, ConnectDriver({.driver_name = "d", .endpoint = "/nonexistent/d.sock"}));
  EXPECT_THAT(client->Prepare({}, kDraCallTimeout), StatusIs(absl::StatusCode::kUnavailable));
}

TEST(ConnectDriverTest, PathThatNoSocketCanHaveIsRefusedInUpstreamsWords) {
  EXPECT_THAT(ConnectDriver({.driver_name = "d", .endpoint = "relative"}).status().message(),
              HasSubstr("create gRPC connection to DRA driver d plugin at endpoint relative: "));
}

}  // namespace
}  // namespace kubelet_cm::dra
