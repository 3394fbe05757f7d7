#include "kubelet_cm/http/health_checks.h"

#include <string>
#include <utility>
#include <vector>

#include "common/log/capturing_logger.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::http {
namespace {

class HealthChecksTest : public ::testing::Test {
 protected:
  HttpAnswer Ask(const std::string& path, std::multimap<std::string, std::string> parameters = {}) {
    const HttpPages pages = HealthPages("/healthz", checks_, log_);
    const bool is_root = path == "/healthz";
    return pages.at(is_root ? "/healthz" : "/healthz/")({.path = path, .parameters = std::move(parameters)});
  }

  absl::Status sockets_ = absl::OkStatus();
  std::vector<HealthCheck> checks_ = {{"device-plugin", [] { return absl::OkStatus(); }},
                                      {"sockets", [this] { return sockets_; }}};
  CapturingLogger log_{/*verbosity=*/2};
};

TEST_F(HealthChecksTest, HealthIsOneWord) {
  EXPECT_EQ(Ask("/healthz").status, 200);
  EXPECT_EQ(Ask("/healthz").body, "ok");
  EXPECT_TRUE(log_.lines().empty());
}

TEST_F(HealthChecksTest, VerboseListsTheChecks) {
  EXPECT_EQ(Ask("/healthz", {{"verbose", ""}}).body, "[+]device-plugin ok\n[+]sockets ok\nhealthz check passed\n");
}

TEST_F(HealthChecksTest, AFailureIsAlwaysVerboseAndLogged) {
  sockets_ = absl::UnavailableError("connect /run/x.sock: Connection refused");
  const HttpAnswer answer = Ask("/healthz");
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(answer.body,
            "[+]device-plugin ok\n[-]sockets failed: connect /run/x.sock: Connection refused\nhealthz check failed\n");
  EXPECT_EQ(log_.lines().size(), 1u);
}

TEST_F(HealthChecksTest, AnExcludedCheckIsNotAsked) {
  sockets_ = absl::UnavailableError("gone");
  EXPECT_EQ(Ask("/healthz", {{"exclude", "sockets"}, {"exclude", "other"}, {"verbose", ""}}).body,
            "[+]device-plugin ok\n[+]sockets excluded: ok\n"
            "warn: some health checks cannot be excluded: no matches for \"other\"\nhealthz check passed\n");
}

TEST_F(HealthChecksTest, EachCheckHasAPage) {
  EXPECT_EQ(Ask("/healthz/sockets").body, "ok");
  sockets_ = absl::UnavailableError("gone");
  EXPECT_EQ(Ask("/healthz/sockets").status, 500);
  EXPECT_EQ(Ask("/healthz/sockets").body, "internal server error: gone\n");
  EXPECT_EQ(Ask("/healthz/device-plugin").body, "ok");
  EXPECT_EQ(Ask("/healthz/other").status, 404);
}

TEST_F(HealthChecksTest, WithoutChecksThereIsPing) {
  checks_.clear();
  EXPECT_EQ(Ask("/healthz", {{"verbose", ""}}).body, "[+]ping ok\nhealthz check passed\n");
}

}  // namespace
}  // namespace kubelet_cm::http
