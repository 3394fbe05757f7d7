#include "kubelet_cm/http/http_server.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/clock/real_clock.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/http/raw_connection.h"

namespace kubelet_cm::http {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class HttpServerTest : public ::testing::Test {
 protected:
  void Serve(HttpPages pages, HttpServerOptions options = {}) {
    options.port = 0;
    auto server = HttpServer::New(threads_, log_, std::move(pages), options);
    ASSERT_OK(server.status());
    server_ = *std::move(server);
  }

  // All of what the server says to `request`.
  std::string Answer(const std::string& request) { return RawConnection(server_->port()).Exchange(request); }

  std::string Get(const std::string& path) { return Answer("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n"); }

  RealClock clock_;
  RealThreads threads_{clock_};
  CapturingLogger log_;
  std::unique_ptr<HttpServer> server_;
};

HttpPages HelloPages() {
  return {{"/hello",
           [](const HttpRequest& request) { return HttpAnswer{.body = request.Has("loud") ? "HELLO" : "hello"}; }},
          {"/below/", [](const HttpRequest& request) { return HttpAnswer{.body = request.path}; }}};
}

TEST_F(HttpServerTest, PagesAreFoundByPathAndHaveParameters) {
  Serve(HelloPages());
  EXPECT_THAT(Get("/hello"), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(Get("/hello"), HasSubstr("\r\n\r\nhello"));
  EXPECT_THAT(Get("/hello?loud"), HasSubstr("\r\n\r\nHELLO"));
  EXPECT_THAT(Get("/below/it"), HasSubstr("\r\n\r\n/below/it"));
  for (const char* path : {"/", "/hell", "/hello/", "/below", "/below/it/too", "/../hello"}) {
    EXPECT_THAT(Get(path), StartsWith("HTTP/1.1 404 ")) << path;
  }
}

TEST_F(HttpServerTest, AnswersAreNotGuessedAt) {
  Serve(HelloPages());
  const std::string answer = Get("/hello");
  EXPECT_THAT(answer, HasSubstr("Content-Type: text/plain; charset=utf-8\r\n"));
  EXPECT_THAT(answer, HasSubstr("X-Content-Type-Options: nosniff\r\n"));
  EXPECT_THAT(answer, HasSubstr("Connection: close\r\n"));
}

TEST_F(HttpServerTest, OnlyReadingIsAllowed) {
  Serve(HelloPages());
  for (const std::string method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE"}) {
    const std::string answer = Answer(method + " /hello HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 405 ")) << method;
    EXPECT_THAT(answer, HasSubstr("Allow: GET, HEAD\r\n")) << method;
  }
}

TEST_F(HttpServerTest, HeadHasNoBody) {
  Serve(HelloPages());
  const std::string answer = Answer("HEAD /hello HTTP/1.1\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 "));
  EXPECT_TRUE(answer.ends_with("\r\n\r\n"));
}

TEST_F(HttpServerTest, RangesAndCompressionAreNotDone) {
  Serve({{"/x", [](const HttpRequest&) { return HttpAnswer{.body = std::string(10'000, 'x')}; }}});
  std::string ranges = "bytes=0-";
  for (int i = 0; i < 1000; ++i) ranges += ",0-";
  const std::string answer = Answer("GET /x HTTP/1.1\r\nAccept-Encoding: gzip, br\r\nRange: " + ranges + "\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 "));
  EXPECT_TRUE(answer.ends_with("\r\n\r\n" + std::string(10'000, 'x')));
}

TEST_F(HttpServerTest, WhatIsNoRequestIsRefused) {
  Serve(HelloPages());
  EXPECT_THAT(Answer("hello\r\n\r\n"), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(Answer("GET /hello HTTP/1.1\r\nA: " + std::string(9000, 'x') + "\r\n\r\n"), StartsWith("HTTP/1.1 400 "));
}

TEST_F(HttpServerTest, HeadersWithoutEndAreCutOff) {
  Serve(HelloPages(), {.workers = {.threads = 1, .waiting = 1}, .limits = {.request_bytes = 4096}});
  RawConnection connection(server_->port());
  connection.Send("GET /hello HTTP/1.1\r\n");
  for (int i = 0; i < 1000 && connection.Send("A: b\r\nC: d\r\n"); ++i) {
  }
  EXPECT_THAT(connection.ReadAll(), Not(HasSubstr("200 OK")));
  EXPECT_THAT(Get("/hello"), HasSubstr("hello"));  // the one thread is free again
}

TEST_F(HttpServerTest, ASilentClientIsCutOff) {
  Serve(HelloPages(), {.workers = {.threads = 1, .waiting = 1}, .limits = {.request_time = absl::Milliseconds(500)}});
  RawConnection connection(server_->port());
  connection.Send("GET /hel");
  EXPECT_THAT(connection.ReadAll(), Not(HasSubstr("200 OK")));
  EXPECT_THAT(Get("/hello"), HasSubstr("hello"));  // the one thread is free again
}

TEST_F(HttpServerTest, ManyConnectionsAreAnsweredInTurn) {
  Serve(HelloPages(), {.workers = {.threads = 2, .waiting = 4}});
  std::vector<std::unique_ptr<RawConnection>> connections;
  for (int i = 0; i < 100; ++i) {
    connections.push_back(std::make_unique<RawConnection>(server_->port()));
    connections.back()->Send("GET /hello HTTP/1.1\r\n\r\n");
  }
  for (const auto& connection : connections) EXPECT_THAT(connection->ReadAll(), HasSubstr("hello"));
}

TEST_F(HttpServerTest, ShutdownCutsConnectionsAndDoesNotWaitForThem) {
  Serve(HelloPages(), {.workers = {.threads = 1, .waiting = 1}, .limits = {.request_time = absl::Hours(1)}});
  std::vector<std::unique_ptr<RawConnection>> silent;
  for (int i = 0; i < 4; ++i) silent.push_back(std::make_unique<RawConnection>(server_->port()));
  server_->Shutdown();
  for (const auto& connection : silent) connection->ReadAll();
  server_->Shutdown();
}

TEST_F(HttpServerTest, ShutdownWaitsForPages) {
  Notification asked(threads_, "page asked for");
  Notification go(threads_, "go");
  bool answered = false;
  Serve({{"/slow", [&](const HttpRequest&) {
            asked.Notify();
            go.Wait();
            answered = true;
            return HttpAnswer();
          }}});
  RawConnection connection(server_->port());
  connection.Send("GET /slow HTTP/1.1\r\n\r\n");
  asked.Wait();
  auto other = threads_.Start("other", [&] { go.Notify(); });
  server_->Shutdown();
  EXPECT_TRUE(answered);
}

TEST_F(HttpServerTest, APortThatIsTakenIsAnError) {
  Serve({});
  const HttpServerOptions same = {.port = server_->port()};
  EXPECT_THAT(HttpServer::New(threads_, log_, {}, same),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("Address already in use")));
}

TEST_F(HttpServerTest, AServerHasItsPortAndAnswersNobodyBeforeItServes) {
  ASSERT_OK_AND_ASSIGN(const auto server, HttpServer::Bind(threads_, log_, HelloPages(), {.port = 0}));
  EXPECT_THAT(HttpServer::New(threads_, log_, {}, {.port = server->port()}),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("Address already in use")));
  RawConnection waiting(server->port());
  waiting.Send("GET /hello HTTP/1.1\r\n\r\n");
  server->Serve();
  EXPECT_THAT(waiting.ReadAll(), HasSubstr("hello"));
}

TEST_F(HttpServerTest, AServerThatNeverServedGivesItsPortBack) {
  ASSERT_OK_AND_ASSIGN(auto server, HttpServer::Bind(threads_, log_, HelloPages(), {.port = 0}));
  const HttpServerOptions same = {.port = server->port()};
  server.reset();
  EXPECT_OK(HttpServer::New(threads_, log_, {}, same).status());
}

TEST_F(HttpServerTest, APortCanBeHadAgainAtOnce) {
  Serve(HelloPages());
  const HttpServerOptions same = {.port = server_->port()};
  Get("/hello");
  server_.reset();
  EXPECT_OK(HttpServer::New(threads_, log_, {}, same).status());
}

TEST_F(HttpServerTest, OtherInterfacesAreRefused) {
  for (const char* address : {"0.0.0.0", "::", "localhost", "192.0.2.1"}) {
    EXPECT_THAT(HttpServer::New(threads_, log_, {}, {.address = address}),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("loopback interface only")))
        << address;
  }
}

}  // namespace
}  // namespace kubelet_cm::http
