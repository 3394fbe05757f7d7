#include "kubelet_cm/life/tenure_record.h"

#include "common/filesystem/fake_file_system.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::life {
namespace {

constexpr char kSocket[] = "/state/kubelet.sock";

class TenureRecordTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(files_.MakeFolders("/state", 0750));
    ASSERT_OK(files_.SyncFolder("/"));
  }

  // A disk in memory has no sockets; what is looked at is who made the name, and when.
  void MakeSocket() {
    (void)files_.Unlink(kSocket).ok();
    ASSERT_OK(files_.Open(kSocket, OpenMode::kCreateExclusive));
  }
  absl::Status Record() { return RecordTenure(files_, random_, "/state", kSocket); }
  absl::StatusOr<Tenure> Read() { return ReadTenure(files_, "/state", kSocket); }

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
  ASSERT_OK(files_.Unlink(kSocket));
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

TEST_F(TenureRecordTest, ForgettingMakesTheNextStartTheFirst) {
  ASSERT_OK(Record());
  ASSERT_OK(ForgetTenure(files_, "/state"));
  EXPECT_THAT(Read(), IsOkAndHolds(Tenure::kFirst));
  EXPECT_OK(ForgetTenure(files_, "/state"));
}

TEST_F(TenureRecordTest, RecordingAndForgettingSurviveAPowerCut) {
  ASSERT_OK(Record());
  ASSERT_OK_AND_ASSIGN(const auto recorded, files_.AfterPowerCut());
  for (const auto& disk : recorded) EXPECT_THAT(ReadTenure(*disk, "/state", kSocket), IsOkAndHolds(Tenure::kOurs));
  ASSERT_OK(ForgetTenure(files_, "/state"));
  ASSERT_OK_AND_ASSIGN(const auto forgotten, files_.AfterPowerCut());
  for (const auto& disk : forgotten) EXPECT_THAT(ReadTenure(*disk, "/state", kSocket), IsOkAndHolds(Tenure::kFirst));
}

}  // namespace
}  // namespace kubelet_cm::life
