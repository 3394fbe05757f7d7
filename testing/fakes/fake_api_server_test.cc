#include "testing/fakes/fake_api_server.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/clock/real_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::fakes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr char kApi[] = "/apis/resource.k8s.io/v1/";

class FakeApiServerTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(server_, FakeApiServer::New(threads_, {}));
    client_ = std::make_unique<httplib::Client>(server_->url());
  }
  void TearDown() override { client_.reset(); }

  // "code body".
  std::string Get(const std::string& path) { return Shown(client_->Get(path)); }
  static std::string Shown(const httplib::Result& result) {
    return result ? absl::StrCat(result->status, " ", result->body) : "no answer";
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  std::unique_ptr<FakeApiServer> server_;
  std::unique_ptr<httplib::Client> client_;
};

TEST_F(FakeApiServerTest, TellsItsVersions) {
  EXPECT_THAT(Get("/apis/resource.k8s.io"), HasSubstr(R"({"groupVersion":"resource.k8s.io/v1","version":"v1"})"));
  server_->SetVersions({});
  EXPECT_EQ(Get("/apis/resource.k8s.io"), "404 404 page not found\n");
}

TEST_F(FakeApiServerTest, HasClaims) {
  server_->PutClaim({.id = {"ns", "a", "u1"}});
  EXPECT_THAT(Get(absl::StrCat(kApi, "namespaces/ns/resourceclaims/a")), HasSubstr("\"uid\":\"u1\""));
  server_->DeleteClaim("ns", "a");
  EXPECT_THAT(Get(absl::StrCat(kApi, "namespaces/ns/resourceclaims/a")), HasSubstr("404 {\"kind\":\"Status\""));
  EXPECT_EQ(Get("/apis/resource.k8s.io/v9/resourceclaims"), "404 404 page not found\n");
}

TEST_F(FakeApiServerTest, ListsInPages) {
  for (const char* name : {"a", "b", "c"}) server_->PutClaim({.id = {"ns", name, name}});
  const std::string first = Get(absl::StrCat(kApi, "resourceclaims?limit=2"));
  EXPECT_THAT(first, testing::AllOf(HasSubstr("\"continue\":\"ns/b\""), Not(HasSubstr("\"name\":\"c\""))));
  const std::string second = Get(absl::StrCat(kApi, "resourceclaims?limit=2&continue=ns%2Fb"));
  EXPECT_THAT(second, testing::AllOf(Not(HasSubstr("continue")), HasSubstr("\"name\":\"c\"")));
}

TEST_F(FakeApiServerTest, DeletesTheSlicesThatAreSelected) {
  server_->PutSlice("1", {.node = "n1", .driver = "a,b"});
  server_->PutSlice("2", {.node = "n1", .driver = "c"});
  server_->PutSlice("3", {.node = "n2", .driver = "c"});
  client_->Delete(absl::StrCat(kApi, "resourceslices?fieldSelector=spec.nodeName%3Dn1%2Cspec.driver%3Da%5C%2Cb"));
  EXPECT_THAT(server_->Slices(), ElementsAre("2", "3"));
  client_->Delete(absl::StrCat(kApi, "resourceslices?fieldSelector=spec.nodeName%3Dn1"));
  EXPECT_THAT(server_->Slices(), ElementsAre("3"));
}

TEST_F(FakeApiServerTest, SlicesOfV1alpha2AreMadeReplacedAndDeleted) {
  server_->SetVersions({"v1alpha2"});
  const std::string path = "/apis/resource.k8s.io/v1alpha2/resourceslices";
  const auto slice = [](const std::string& metadata, const std::string& resources) {
    return absl::StrCat(R"({"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1alpha2","metadata":{)", metadata,
                        R"(},"nodeName":"n1","driverName":"d","namedResources":)", resources, "}");
  };
  const std::string mine = slice(R"("generateName":"n1-d-","labels":{"a":"b"})", R"({"instances":[]})");
  EXPECT_THAT(Shown(client_->Post(path, mine, "application/json")), HasSubstr("201 "));
  EXPECT_THAT(Get(path + "?fieldSelector=nodeName%3Dn1"),
              HasSubstr(R"("name":"n1-d-1","resourceVersion":"1","labels":{"a":"b"}})"));
  EXPECT_THAT(Get(path + "?fieldSelector=nodeName%3Dn2"), HasSubstr(R"("items":[])"));
  const std::string next = slice(R"("name":"n1-d-1","resourceVersion":"1")", "{}");
  EXPECT_THAT(Shown(client_->Put(path + "/n1-d-1", next, "application/json")), HasSubstr("200 "));
  EXPECT_THAT(Shown(client_->Put(path + "/n1-d-1", next, "application/json")), HasSubstr("409 "));
  EXPECT_THAT(Shown(client_->Put(path + "/x", next, "application/json")), HasSubstr("404 "));
  EXPECT_THAT(Shown(client_->Put(path + "/n1-d-1", "{}", "application/json")), HasSubstr("422 "));
  EXPECT_THAT(Shown(client_->Post(path, "{}", "application/json")), HasSubstr("422 "));
  EXPECT_THAT(Shown(client_->Delete(path + "/n1-d-1")), HasSubstr("200 "));
  EXPECT_THAT(Shown(client_->Delete(path + "/n1-d-1")), HasSubstr("404 "));
}

TEST_F(FakeApiServerTest, KnowsWhoMayAsk) {
  server_->SetToken("secret");
  EXPECT_THAT(Get("/apis/resource.k8s.io"), HasSubstr("401 "));
  EXPECT_EQ(client_->Get("/apis/resource.k8s.io", {{"Authorization", "Bearer secret"}})->status, 200);
}

TEST_F(FakeApiServerTest, FailsAsOftenAsItIsTold) {
  server_->Fail({.path = "/nodes/", .code = 503, .body = "down", .times = 2});
  EXPECT_EQ(Get("/api/v1/nodes/n"), "503 down");
  EXPECT_THAT(Get("/apis/resource.k8s.io"), HasSubstr("200 "));
  EXPECT_EQ(Get("/api/v1/nodes/n"), "503 down");
  EXPECT_THAT(Get("/api/v1/nodes/n"), HasSubstr("404 "));
}

TEST_F(FakeApiServerTest, TellsWatchesOfWhatHappens) {
  server_->PutClaim({.id = {"ns", "old", "u0"}});
  server_->PutClaim({.id = {"ns", "new", "u1"}});
  std::string heard;
  client_->Get(absl::StrCat(kApi, "resourceclaims?watch=1&resourceVersion=2"), [&](const char* data, size_t size) {
    if (heard.empty()) server_->DeleteClaim("ns", "old");
    heard.append(data, size);
    if (heard.find("DELETED") != std::string::npos) server_->EndWatches();
    return true;
  });
  EXPECT_THAT(heard, testing::MatchesRegex("[{]\"type\":\"ADDED\".*\"new\".*\n[{]\"type\":\"DELETED\".*\"old\".*\n"));
}

TEST_F(FakeApiServerTest, TellsWatchesThatBeginTooFarBack) {
  server_->PutClaim({.id = {"ns", "a", "u"}});
  server_->Compact();
  std::string heard;
  client_->Get(absl::StrCat(kApi, "resourceclaims?watch=1&resourceVersion=1"), [&](const char* data, size_t size) {
    heard.append(data, size);
    server_->EndWatches();
    return true;
  });
  EXPECT_THAT(heard, testing::AllOf(HasSubstr("\"type\":\"ERROR\""), HasSubstr("\"code\":410")));
}

}  // namespace
}  // namespace kubelet_cm::fakes
