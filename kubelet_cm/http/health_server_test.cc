#include "kubelet_cm/http/health_server.h"

#include <memory>
#include <string>
#include <utility>

#include "common/clock/real_clock.h"
#include "common/log/capturing_logger.h"
#include "common/metrics/registry.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "httplib.h"

namespace kubelet_cm::http {
namespace {

using ::testing::HasSubstr;

class HealthServerTest : public ::testing::Test {
 protected:
  void Serve(HealthServerPages pages) {
    auto server = NewHealthServer(threads_, log_, std::move(pages), {.port = 0});
    ASSERT_OK(server.status());
    server_ = *std::move(server);
    server_->Serve();
  }

  httplib::Response Get(const std::string& path) {
    httplib::Client client("127.0.0.1", server_->port());
    const httplib::Result result = client.Get(path);
    return result ? *result : httplib::Response();
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  CapturingLogger log_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HealthServerTest, HealthAndReadinessAreApart) {
  Serve({.readyz = {{"state", [] { return absl::UnavailableError("not restored"); }}}});
  EXPECT_EQ(Get("/healthz").status, 200);
  EXPECT_EQ(Get("/healthz?verbose").body, "[+]ping ok\nhealthz check passed\n");
  EXPECT_EQ(Get("/readyz").status, 500);
  EXPECT_EQ(Get("/readyz/state").body, "internal server error: not restored\n");
}

TEST_F(HealthServerTest, MetricsAreWhatPrometheusReads) {
  MetricsRegistry metrics;
  metrics.AddCounter({.name = "kubelet_cm_starts_total", .help = "Starts."}).With({}).Increment();
  Serve({.metrics = [&metrics] { return metrics.Text(); }});
  const httplib::Response page = Get("/metrics");
  EXPECT_EQ(page.get_header_value("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_THAT(page.body, HasSubstr("kubelet_cm_starts_total 1\n"));
}

TEST_F(HealthServerTest, PagesHaveTheirContents) {
  Serve({.configz = [] { return "{}\n"; }, .statusz = [] { return "status"; }, .flagz = [] { return "flags"; }});
  EXPECT_EQ(Get("/configz").body, "{}\n");
  EXPECT_EQ(Get("/configz").get_header_value("Content-Type"), "application/json");
  EXPECT_EQ(Get("/statusz").body, "status");
  EXPECT_EQ(Get("/flagz").body, "flags");
  EXPECT_EQ(Get("/metrics").status, 404);
}

}  // namespace
}  // namespace kubelet_cm::http
