#include "kubelet_cm/http/raw_connection.h"

#include "common/clock/real_clock.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gtest/gtest.h"
#include "kubelet_cm/http/http_server.h"

namespace kubelet_cm::http {
namespace {

TEST(RawConnectionTest, SendsBytesAndReadsToTheEnd) {
  RealClock clock;
  RealThreads threads(clock);
  CapturingLogger log;
  ASSERT_OK_AND_ASSIGN(const auto server, HttpServer::New(threads, log, {}, {.port = 0}));
  EXPECT_TRUE(RawConnection(server->port()).Exchange("GET / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404 "));
}

}  // namespace
}  // namespace kubelet_cm::http
