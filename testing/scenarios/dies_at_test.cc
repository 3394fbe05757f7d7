#include "testing/scenarios/dies_at.h"

#include <string>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

// What is wrong with one is said by the loader (scenario_file_test.cc); that a kubelet dies there, by the runner's
// test.
namespace kubelet_cm::scenarios {
namespace {

using ::testing::ElementsAre;

proto::DiesAt Parsed(const std::string& text) {
  proto::DiesAt dies_at;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &dies_at)) << text;
  return dies_at;
}

TEST(DiesAtTest, ACallIsAnEdge) {
  const Fault sent = FaultOf(Parsed("call: 'Allocate' nth: 3"));
  EXPECT_THAT(sent.ops, ElementsAre(FileOp::kStat));
  EXPECT_EQ(sent.path_pattern, "^/call/.*/Allocate/sent$");
  EXPECT_EQ(sent.nth, 3u);
  EXPECT_EQ(sent.effect, FaultEffect::kStopBefore);
  EXPECT_EQ(FaultOf(Parsed("call: 'Register' after: true")).path_pattern, "^/call/.*/Register/answered$");
}

TEST(DiesAtTest, AnOperationStopsBeforeOrAfterItsEffect) {
  const Fault torn = FaultOf(Parsed("op: 'write' path: 'x' written: 7"));
  EXPECT_THAT(torn.ops, ElementsAre(FileOp::kWrite));
  EXPECT_EQ(torn.path_pattern, "x");
  EXPECT_EQ(torn.nth, 1u);
  EXPECT_EQ(torn.effect, FaultEffect::kStopBefore);
  EXPECT_EQ(torn.bytes_written, 7u);
  EXPECT_EQ(FaultOf(Parsed("op: 'fsync folder' after: true")).effect, FaultEffect::kStopAfter);
}

TEST(DiesAtTest, ANamedPointIsAnEdgeOrAnOperation) {
  const Fault chosen = FaultOf(Parsed("point: 'devices_chosen'"));
  EXPECT_EQ(chosen.path_pattern, "^/call/.*/Allocate/sent$");
  EXPECT_EQ(chosen.effect, FaultEffect::kStopBefore);
  EXPECT_EQ(FaultOf(Parsed("point: 'devices_answered'")).path_pattern, "^/call/.*/Allocate/answered$");
  const Fault written = FaultOf(Parsed("point: 'claims_written' nth: 2"));
  EXPECT_THAT(written.ops, ElementsAre(FileOp::kRename, FileOp::kExchange));
  EXPECT_EQ(written.path_pattern, "/dra_manager_state$");
  EXPECT_EQ(written.nth, 2u);
  EXPECT_EQ(written.effect, FaultEffect::kStopAfter);
}

TEST(DiesAtTest, TheCallBeforeWhichItIs) {
  EXPECT_EQ(CallBeforeWhich(Parsed("call: 'Allocate' nth: 2")), "Allocate");
  EXPECT_EQ(CallBeforeWhich(Parsed("point: 'unprepare_due'")), "NodeUnprepareResources");
  EXPECT_EQ(CallBeforeWhich(Parsed("call: 'Allocate' after: true")), std::nullopt);
  EXPECT_EQ(CallBeforeWhich(Parsed("point: 'devices_answered'")), std::nullopt);
  EXPECT_EQ(CallBeforeWhich(Parsed("op: 'write'")), std::nullopt);
}

TEST(DiesAtTest, ItIsToldInWords) {
  EXPECT_EQ(Describe(Parsed("point: 'pod_written' nth: 2")),
            "at the 2nd pod_written (a pod's record is written, and nobody is answered)");
  EXPECT_EQ(Describe(Parsed("call: 'Allocate'")), "before Allocate is sent");
  EXPECT_EQ(Describe(Parsed("call: 'Allocate' nth: 2 after: true")), "when the 2nd Allocate has been answered");
  EXPECT_EQ(Describe(Parsed("op: 'rename' path: 'x' nth: 13")), "before the 13th rename of x");
  EXPECT_EQ(Describe(Parsed("op: 'fsync' after: true")), "after the fsync");
  EXPECT_EQ(Describe(Parsed("op: 'write' nth: 21 written: 4")), "in the 21st write, of which 4 bytes arrive");
}

}  // namespace
}  // namespace kubelet_cm::scenarios
