#include "kubelet_cm/life/tenure_record.h"

#include "common/filesystem/fake_file_system.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::life {
namespace {

constexpr char kRegistration[] = "/state/kubelet.sock";
constexpr char kPodResources[] = "/state/pod-resources.sock";

class TenureRecordTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(files_.MakeFolders("/state", 0750));
    ASSERT_OK(files_.SyncFolder("/"));
  }

  // A disk in memory has no sockets; what is looked at is who made the name, and when.
  void Make(const char* socket) {
    (void)files_.Unlink(socket).ok();
    ASSERT_OK(files_.Open(socket, OpenMode::kCreateExclusive));
  }
  void MakeSocket() { Make(kRegistration); }
  absl::Status Begin() { return BeginTenure(files_, random_, "/state", sockets_); }
  absl::Status Record() { return RecordTenure(files_, random_, "/state", sockets_); }
  absl::StatusOr<Tenure> Read() { return ReadTenure(files_, "/state", sockets_); }

  const TenureSockets sockets_{.registration = kRegistration, .pod_resources = kPodResources};
  FakeFileSystem files_;
  SeededRandom random_{1};
};

TEST_F(TenureRecordTest, WithoutARecordNobodyKnows) {
  EXPECT_THAT(Read(), IsOkAndHolds(Tenure::kFirst));
  MakeSocket();
  EXPECT_THAT(Read(), IsOkAndHolds(Tenure::kFirst));
}

TEST_F(TenureRecordTest, TheSocketThatWasRecordedIsOurs) {
  MakeSocket();
  ASSERT_OK(Record());
  EXPECT_THAT(Read(), IsOkAndHolds(Tenure::kOurs));
}

TEST_F(TenureRecordTest, ASocketThatIsGoneIsNobodyElses) {
  MakeSocket();
  ASSERT_OK(Record());
  ASSERT_OK(files_.Unlink(kRegistration));
  EXPECT_THAT(Read(), IsOkAndHolds(Tenure::kOurs));
}

TEST_F(TenureRecordTest, ASocketThatWasMadeAnewIsSomebodyElses) {
  MakeSocket();
  ASSERT_OK(Record());
  MakeSocket();
  EXPECT_THAT(Read(), IsOkAndHolds(Tenure::kOthers));
}

TEST_F(TenureRecordTest, ASocketWhereThereWasNoneIsSomebodyElses) {
  ASSERT_OK(Record());
  MakeSocket();
  EXPECT_THAT(Read(), IsOkAndHolds(Tenure::kOthers));
}

TEST_F(TenureRecordTest, TheSocketOfAStartThatWasKilledIsOurs) {
  MakeSocket();
  Make(kPodResources);
  ASSERT_OK(Record());
  ASSERT_OK(Begin());
  EXPECT_THAT(Read(), IsOkAndHolds(Tenure::kOurs));
  MakeSocket();
  EXPECT_THAT(Read(), IsOkAndHolds(Tenure::kOurs));
}

TEST_F(TenureRecordTest, TheSocketOfAFirstStartThatLeftNoneBesideItIsOurs) {
  ASSERT_OK(Begin());
  MakeSocket();
  EXPECT_THAT(Read(), IsOkAndHolds(Tenure::kOurs));
}

TEST_F(TenureRecordTest, AKubeletAfterAStartThatWasKilledIsSomebodyElse) {
  MakeSocket();
  Make(kPodResources);
  ASSERT_OK(Record());
  ASSERT_OK(Begin());
  MakeSocket();
  Make(kPodResources);
  EXPECT_THAT(Read(), IsOkAndHolds(Tenure::kOthers));
}

TEST_F(TenureRecordTest, AStartThatWentThroughIsNotStartingAnyMore) {
  ASSERT_OK(Begin());
  MakeSocket();
  ASSERT_OK(Record());
  MakeSocket();
  EXPECT_THAT(Read(), IsOkAndHolds(Tenure::kOthers));
}

TEST_F(TenureRecordTest, ForgettingMakesTheNextStartTheFirst) {
  ASSERT_OK(Record());
  ASSERT_OK(ForgetTenure(files_, "/state"));
  EXPECT_THAT(Read(), IsOkAndHolds(Tenure::kFirst));
  EXPECT_OK(ForgetTenure(files_, "/state"));
}

TEST_F(TenureRecordTest, RecordingAndForgettingSurviveAPowerCut) {
  ASSERT_OK(Record());
  ASSERT_OK_AND_ASSIGN(const auto recorded, files_.AfterPowerCut());
  for (const auto& disk : recorded) EXPECT_THAT(ReadTenure(*disk, "/state", sockets_), IsOkAndHolds(Tenure::kOurs));
  ASSERT_OK(ForgetTenure(files_, "/state"));
  ASSERT_OK_AND_ASSIGN(const auto forgotten, files_.AfterPowerCut());
  for (const auto& disk : forgotten) EXPECT_THAT(ReadTenure(*disk, "/state", sockets_), IsOkAndHolds(Tenure::kFirst));
}

}  // namespace
}  // namespace kubelet_cm::life
