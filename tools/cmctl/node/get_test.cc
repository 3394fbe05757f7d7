#include "tools/cmctl/node/get.h"

#include <string>
#include <utility>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "tools/cmctl/node/node_fixture.h"
#include "tools/cmctl/node/sample_node.h"

namespace kubelet_cm::cmctl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class GetTest : public NodeFixture {
 protected:
  GetTest() {
    Set(kPods, &node_.daemon.pods);
    Set(kResources, &node_.daemon.resources);
    Set(kPlugins, &node_.daemon.plugins);
    Set(kClaims, &node_.daemon.claims);
  }

  int Get(GetOptions options) {
    options.connection = connection_;
    return RunGet(options, environment_);
  }

  static v1::Event EventOf(uint64_t number, const std::string& kind) {
    v1::Event event;
    event.set_number(number);
    event.set_unix_nanos(1'790'000'000'000'000'000);
    event.set_kind(kind);
    event.set_subject("default/web");
    event.set_message("m");
    (*event.mutable_details())["b"] = "2";
    (*event.mutable_details())["a"] = "1";
    return event;
  }
};

TEST_F(GetTest, EveryKindIsATable) {
  for (const char* kind : {"devices", "resources", "plugins", "pods", "claims", "endpoints"}) {
    EXPECT_EQ(Get({.kind = kind}), kOk);
  }
  ExpectGolden("get_table.txt");
}

TEST_F(GetTest, EveryKindHasMoreColumnsWhenWide) {
  for (const char* kind : {"devices", "resources", "plugins", "pods", "claims", "endpoints"}) {
    EXPECT_EQ(Get({.kind = kind, .output = "wide"}), kOk);
  }
  ExpectGolden("get_wide.txt");
}

TEST_F(GetTest, JsonIsTheAnswerOfTheApi) {
  for (const char* kind : {"resources", "plugins", "pods", "claims"}) {
    EXPECT_EQ(Get({.kind = kind, .output = "json"}), kOk);
    ExpectGolden(std::string("get_") + kind + ".json");
  }
}

TEST_F(GetTest, YamlIsTheSame) {
  EXPECT_EQ(Get({.kind = "claims", .output = "yaml"}), kOk);
  ExpectGolden("get_claims.yaml");
}

TEST_F(GetTest, NamesAreOneALine) {
  for (const char* kind : {"devices", "resources", "plugins", "pods", "claims", "endpoints"}) {
    EXPECT_EQ(Get({.kind = kind, .output = "name"}), kOk);
  }
  ExpectGolden("get_name.txt");
}

TEST_F(GetTest, ANameLeavesOutTheOthers) {
  EXPECT_EQ(Get({.kind = "pods", .name = "web", .no_headers = true}), kOk);
  EXPECT_THAT(out(), testing::StartsWith("default   web   Prepared"));
  out_.str("");
  EXPECT_EQ(Get({.kind = "pods", .name = "job", .namespace_name = "batch", .output = "name"}), kOk);
  EXPECT_EQ(Get({.kind = "pods", .name = "uid-old", .output = "name"}), kOk);
  EXPECT_EQ(Get({.kind = "claims", .name = "batch/old", .output = "name"}), kOk);
  EXPECT_EQ(Get({.kind = "plugins", .name = "drv.example.com", .output = "name"}), kOk);
  EXPECT_EQ(out(), "pod/batch/job\npod/uid-old\nclaim/batch/old\nplugin/drv.example.com@/r/plugins/drv/dra.sock\n");
}

TEST_F(GetTest, WhatIsPrintedAsANameIsTakenAsOne) {
  for (const std::string kind : {"devices", "resources", "plugins", "pods", "claims", "endpoints"}) {
    EXPECT_EQ(Get({.kind = kind, .output = "name"}), kOk);
    const std::vector<std::string> names = absl::StrSplit(out(), '\n', absl::SkipEmpty());
    EXPECT_FALSE(names.empty());
    for (const std::string& name : names) {
      if (name.front() == '"') continue;  // quoted, for it would not print
      out_.str("");
      EXPECT_EQ(Get({.kind = kind, .name = name, .output = "name"}), kOk);
      EXPECT_EQ(out(), name + "\n");
    }
    out_.str("");
  }
}

TEST_F(GetTest, PodsOfOneNameAreToldApartByTheirUids) {
  node_.daemon.pods.add_pods()->CopyFrom(node_.daemon.pods.pods(0));
  node_.daemon.pods.mutable_pods(5)->mutable_pod()->set_uid("uid-web-2");
  EXPECT_EQ(Get({.kind = "pods", .name = "web", .output = "name"}), kOk);
  EXPECT_EQ(out(), "pod/uid-web\npod/uid-web-2\n");
}

TEST_F(GetTest, ADeviceLeavesOutTheOthers) {
  EXPECT_EQ(Get({.kind = "devices", .name = "example.com/widget/dev-1", .no_headers = true}), kOk);
  EXPECT_EQ(Get({.kind = "devices", .name = "resource/example.com/nic", .output = "name"}), kOk);
  EXPECT_EQ(out(), "example.com/widget   dev-1   Unhealthy   1   uid-old:main\ndevice/example.com/nic/n0\n");
  EXPECT_EQ(Get({.kind = "resources", .name = "example.com/widget/dev-1"}), kNotFound);
}

TEST_F(GetTest, AnEventIsTakenByItsNumber) {
  for (const uint64_t number : {7, 8}) {
    node_.daemon.happens.push_back([number] { return EventOf(number, "PodAdmitted"); });
  }
  EXPECT_EQ(Get({.kind = "events", .name = "event/8", .output = "name"}), kOk);
  EXPECT_EQ(out(), "event/8\n");
  EXPECT_EQ(Get({.kind = "events", .name = "9"}), kNotFound);
  EXPECT_EQ(err(), "cmctl: no event 9 is kept\n");
}

TEST_F(GetTest, ANameThatIsNotThereIsNotFound) {
  EXPECT_EQ(Get({.kind = "pods", .name = "job"}), kNotFound);
  EXPECT_EQ(err(), "cmctl: no pod default/job is known; there is batch/job\n");
  for (const char* kind : {"devices", "resources", "plugins", "claims", "endpoints"}) {
    EXPECT_EQ(Get({.kind = kind, .name = "x"}), kNotFound) << kind;
  }
  EXPECT_EQ(Get({.kind = "claims", .name = "a/b/c"}), kUsage);
  EXPECT_EQ(out(), "");
}

TEST_F(GetTest, NothingIsSaidAsSuch) {
  node_.daemon.pods.Clear();
  EXPECT_EQ(Get({.kind = "pods"}), kOk);
  EXPECT_EQ(out(), "");
  EXPECT_EQ(err(), "no pods are known\n");
  EXPECT_EQ(Get({.kind = "pods", .output = "json"}), kOk);
  EXPECT_EQ(out(), "{\n  \"pods\": []\n}\n");
}

TEST_F(GetTest, AWatchTellsWhatChangedAndWhatIsGone) {
  node_.daemon.happens.push_back([&] {
    node_.daemon.pods.mutable_pods(0)->set_state(v1::POD_STATE_TERMINATING);
    return EventOf(1, "PodTerminating");
  });
  node_.daemon.happens.push_back([&] { return EventOf(2, "StateWritten"); });
  node_.daemon.happens.push_back([&] {
    clock_.Advance(absl::Seconds(30));  // is no change
    return EventOf(2, "DevicesChanged");
  });
  node_.daemon.happens.push_back([&] {
    node_.daemon.pods.mutable_pods()->DeleteSubrange(0, 1);
    return EventOf(3, "PodRemoved");
  });
  EXPECT_EQ(Get({.kind = "pods", .watch = true}), kFailed);
  ExpectGolden("get_pods_watch.txt");
  EXPECT_EQ(err(), "cmctl: the watch has ended: the daemon has ended the watch\n");
}

TEST_F(GetTest, AWatchInJsonIsALineAChange) {
  node_.daemon.happens.push_back([&] { return EventOf(1, "DevicesChanged"); });
  node_.daemon.happens.push_back([&] {
    node_.daemon.pods.Clear();
    return EventOf(2, "PodRemoved");
  });
  EXPECT_EQ(Get({.kind = "pods", .name = "", .output = "json", .watch = true}), kFailed);
  const std::vector<std::string> lines = absl::StrSplit(out(), '\n');
  EXPECT_THAT(lines, ElementsAre(testing::StartsWith("{\"pods\":[{"), "{\"pods\":[]}", ""));
  EXPECT_EQ(Get({.kind = "pods", .output = "yaml", .watch = true}), kUsage);
}

TEST_F(GetTest, AWatchLooksAnewWhenNothingHappens) {
  node_.daemon.happens.push_back([&] {
    node_.daemon.pods.mutable_pods()->DeleteSubrange(1, 4);
    return absl::DeadlineExceededError("Deadline Exceeded");
  });
  EXPECT_EQ(Get({.kind = "pods", .watch = true, .no_headers = true}), kFailed);
  EXPECT_THAT(out(), HasSubstr("job       Gone"));
  EXPECT_THAT(node_.daemon.asked, ElementsAre("Watch ", "Watch "));
}

TEST_F(GetTest, AWatchWaitsForWhatIsNotThereYet) {
  v1::ListPodsResponse later = std::exchange(node_.daemon.pods, {});
  node_.daemon.happens.push_back([&] {
    node_.daemon.pods = later;
    return EventOf(1, "PodAdmitted");
  });
  EXPECT_EQ(Get({.kind = "pods", .name = "web", .output = "name", .watch = true}), kFailed);
  EXPECT_EQ(out(), "pod/default/web\n");
}

TEST_F(GetTest, EventsAreThoseThatAreKept) {
  const auto happen = [&] {
    for (const uint64_t number : {7, 8}) {
      node_.daemon.happens.push_back([number] { return EventOf(number, "PodAdmitted"); });
    }
  };
  for (const char* output : {"table", "wide", "json", "yaml", "name"}) {
    happen();
    EXPECT_EQ(Get({.kind = "events", .output = output}), kOk);
  }
  ExpectGolden("get_events.txt");
  EXPECT_THAT(node_.daemon.asked, testing::Contains("Watch from_start: true until_now: true"));
}

TEST_F(GetTest, EventsThatWereLostAreCounted) {
  node_.daemon.happens.push_back([&] {
    v1::Event event = EventOf(7, "PodAdmitted");
    event.set_lost(6);
    return event;
  });
  EXPECT_EQ(Get({.kind = "events", .name = "PodAdmitted", .watch = true}), kFailed);
  EXPECT_THAT(err(), HasSubstr("cmctl: 6 events are not kept any more, before number 7\n"));
  EXPECT_THAT(node_.daemon.asked, ElementsAre("Watch from_start: true kinds: \"PodAdmitted\""));
}

}  // namespace
}  // namespace kubelet_cm::cmctl
