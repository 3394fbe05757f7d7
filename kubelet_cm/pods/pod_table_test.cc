#include "kubelet_cm/pods/pod_table.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class PodTableTest : public ::testing::Test {
 protected:
  void Put(const std::string& uid, PodPhase phase, const std::string& name = "") {
    const Pod pod{.uid = uid, .namespace_name = "default", .name = name.empty() ? "pod-" + uid : name};
    const PodTable::Turn turn(table_, uid);
    table_.Put(turn, {.pod = std::make_shared<const Pod>(pod), .phase = phase});
  }
  void Remove(const std::string& uid) {
    const PodTable::Turn turn(table_, uid);
    table_.Remove(turn);
  }
  std::vector<std::string> AllUids() const {
    std::vector<std::string> uids;
    for (const SharedPodRecord& record : table_.All()) uids.push_back(record->pod->uid);
    return uids;
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  PodTable table_{threads_, {PodSource::kApi, PodSource::kFolder}};
};

TEST_F(PodTableTest, PodsAreActiveFromTheirAdmissionOnUntilTheyAreRemoved) {
  Put("a", PodPhase::kAdmitting);
  Put("b", PodPhase::kTerminating);
  Put("c", PodPhase::kRestored);
  Put("d", PodPhase::kRefused);
  EXPECT_THAT(*table_.Uids(), UnorderedElementsAre("a", "b", "c"));
  Remove("b");
  EXPECT_THAT(*table_.Uids(), UnorderedElementsAre("a", "c"));
}

TEST_F(PodTableTest, PodsOfEarlierRunsAreThereTogether) {
  std::vector<PodRecord> records;
  for (const char* uid : {"b", "a"}) {
    const Pod pod{.uid = uid, .namespace_name = "default", .name = std::string("pod-") + uid};
    records.push_back({.pod = std::make_shared<const Pod>(pod), .phase = PodPhase::kPrepared});
  }
  EXPECT_THAT(*table_.Uids(), IsEmpty());
  table_.Fill(std::move(records));
  EXPECT_THAT(*table_.Uids(), UnorderedElementsAre("a", "b"));
  EXPECT_THAT(AllUids(), ElementsAre("a", "b"));
  EXPECT_EQ((*table_.Find(PodName{.namespace_name = "default", .name = "pod-b"}))->phase, PodPhase::kPrepared);
}

TEST_F(PodTableTest, TheActivePodsAreTheSameObjectWhileNothingChanges) {
  Put("a", PodPhase::kAdmitting);
  const auto before = table_.Uids();
  Put("a", PodPhase::kAdmitted);
  EXPECT_EQ(table_.Uids(), before);
  Put("b", PodPhase::kAdmitting);
  EXPECT_NE(table_.Uids(), before);
}

TEST_F(PodTableTest, DeparturesGrowWhenAPodLeavesOrIsRefused) {
  Put("a", PodPhase::kAdmitting);
  Put("b", PodPhase::kAdmitting);
  EXPECT_EQ(table_.Departures(), 0);
  Put("a", PodPhase::kRefused);
  EXPECT_EQ(table_.Departures(), 1);
  Remove("b");
  EXPECT_EQ(table_.Departures(), 2);
  Remove("a");
  EXPECT_EQ(table_.Departures(), 2);
}

TEST_F(PodTableTest, SourcesAreReadyWhenEachHasSaidSo) {
  EXPECT_FALSE(table_.SourcesReady());
  table_.SetReady(PodSource::kApi);
  table_.SetReady(PodSource::kApi);
  EXPECT_FALSE(table_.SourcesReady());
  EXPECT_EQ(table_.Departures(), 0);
  table_.SetReady(PodSource::kFolder);
  EXPECT_TRUE(table_.SourcesReady());
  EXPECT_EQ(table_.Departures(), 1);
}

TEST_F(PodTableTest, APodIsFoundByItsUidAndByItsName) {
  Put("a", PodPhase::kAdmitted, "web");
  ASSERT_OK_AND_ASSIGN(const SharedPodRecord by_uid, table_.Find(PodName{.uid = "a"}));
  ASSERT_OK_AND_ASSIGN(const SharedPodRecord by_name, table_.Find(PodName{.namespace_name = "default", .name = "web"}));
  EXPECT_EQ(by_uid, by_name);
  EXPECT_THAT(table_.Find(PodName{.uid = "b"}), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(table_.Find(PodName{.namespace_name = "default", .name = "db"}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("pod db in namespace default not found")));
  EXPECT_THAT(table_.Find(PodName{}), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(PodTableTest, ANameOfTwoPodsHasToBeToldApart) {
  Put("a", PodPhase::kTerminating, "web");
  Put("b", PodPhase::kAdmitted, "web");
  EXPECT_THAT(table_.Find(PodName{.namespace_name = "default", .name = "web"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("uid")));
}

TEST_F(PodTableTest, ARefusedPodDoesNotHideTheOneOfItsName) {
  Put("a", PodPhase::kAdmitted, "web");
  Put("b", PodPhase::kRefused, "web");
  EXPECT_EQ((*table_.Find(PodName{.namespace_name = "default", .name = "web"}))->pod->uid, "a");
  Remove("a");
  EXPECT_EQ((*table_.Find(PodName{.namespace_name = "default", .name = "web"}))->pod->uid, "b");
}

TEST_F(PodTableTest, APodThatGetsItsNameLaterIsListedOnce) {
  Put("a", PodPhase::kRestored, "unknown");
  Put("a", PodPhase::kAdmitted, "web");
  EXPECT_THAT(AllUids(), ElementsAre("a"));
}

TEST_F(PodTableTest, ListsByNamespaceAndName) {
  Put("1", PodPhase::kAdmitted, "z");
  Put("2", PodPhase::kAdmitted, "a");
  EXPECT_THAT(AllUids(), ElementsAre("2", "1"));
}

TEST_F(PodTableTest, TheOldestRefusedPodsAreForgotten) {
  for (size_t i = 0; i <= PodTable::kMostRefused; ++i) Put(std::to_string(i), PodPhase::kRefused);
  EXPECT_EQ(table_.Find("0"), nullptr);
  EXPECT_NE(table_.Find("1"), nullptr);
  EXPECT_EQ(AllUids().size(), PodTable::kMostRefused);
}

TEST_F(PodTableTest, ARefusedPodThatWasAdmittedSinceIsNotForgotten) {
  Put("0", PodPhase::kRefused);
  Put("0", PodPhase::kAdmitted);
  for (size_t i = 1; i <= PodTable::kMostRefused; ++i) Put(std::to_string(i), PodPhase::kRefused);
  EXPECT_NE(table_.Find("0"), nullptr);
}

TEST_F(PodTableTest, ATurnWaitsForTheOneBeforeIt) {
  std::vector<std::string> order;  // written with the turn only
  Notification waits(threads_, "the second thread runs");
  auto first = std::make_optional<PodTable::Turn>(table_, "a");
  const auto second = threads_.Start("second", [&] {
    waits.Notify();
    const PodTable::Turn turn(table_, "a");
    order.push_back("second");
  });
  waits.Wait();
  const PodTable::Turn other(table_, "b");  // another pod's does not wait
  order.push_back("first");
  first.reset();
  while (true) {
    const PodTable::Turn turn(table_, "a");
    if (order.size() == 2) break;
  }
  EXPECT_THAT(order, ElementsAre("first", "second"));
}

}  // namespace
}  // namespace kubelet_cm
