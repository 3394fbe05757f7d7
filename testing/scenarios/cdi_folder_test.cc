#include "testing/scenarios/cdi_folder.h"

#include <string>

#include "common/clock/fake_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/file_functions.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/scenarios/put_file.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CdiFolderTest : public ::testing::Test {
 protected:
  fakes::ScriptedDriver::Options OptionsFor(const std::string& driver) {
    fakes::ScriptedDriver::Options options;
    cdi_.WriteFor(driver, &options);
    return options;
  }

  FakeClock clock_;
  RealThreads threads_{clock_};
  FakeFileSystem files_;
  CdiFolder cdi_{files_, kCdiFolder};
  fakes::ScriptedDriver driver_{threads_, OptionsFor("gpu.example.com")};
  const fakes::DriverScript::SessionId session_ = driver_.script().OpenSession();
  const fakes::ScriptedDriver::Claims claims_ = {{"ns", "a", "uid-a"}, {"ns", "b", "uid-b"}};
};

TEST_F(CdiFolderTest, EachPreparedClaimHasAFile) {
  ASSERT_OK(driver_.Prepare(session_, claims_));
  ASSERT_OK(driver_.Prepare(session_, claims_));  // again
  EXPECT_THAT(*files_.List(kCdiFolder), ElementsAre("gpu.example.com-uid-a.json", "gpu.example.com-uid-b.json"));
  EXPECT_EQ(*ReadFile(files_, "/var/run/cdi/gpu.example.com-uid-a.json", 1024),
            R"({"cdiVersion":"0.6.0","kind":"example.com/fake","devices":[{"name":"uid-a","containerEdits":{}}]})");
  ASSERT_OK(driver_.Unprepare(session_, {claims_[0]}));
  EXPECT_THAT(*files_.List(kCdiFolder), ElementsAre("gpu.example.com-uid-b.json"));
  ASSERT_OK(driver_.Unprepare(session_, claims_));
  EXPECT_THAT(*files_.List(kCdiFolder), IsEmpty());
}

TEST_F(CdiFolderTest, AClaimWithoutDevicesHasNone) {
  driver_.script().Always(fakes::DriverMethod::kPrepare, {.act = fakes::DriverAct::kNoDevices});
  ASSERT_OK(driver_.Prepare(session_, claims_));
  EXPECT_THAT(files_.List(kCdiFolder), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(CdiFolderTest, ADeviceOfAShareHasItsOwnName) {
  fakes::ScriptedDriver::Options options = OptionsFor("shares");
  options.devices = [](const dra::ClaimId& claim) {
    std::vector<dra::ClaimDevice> devices(2, fakes::OneDevice(claim).front());
    devices[0].cdi_device_ids.Set({"example.com/fake=" + claim.uid + "-0"});
    devices[1].cdi_device_ids.Set({"example.com/fake=" + claim.uid + "-1"});
    return devices;
  };
  fakes::ScriptedDriver shares(threads_, options);
  ASSERT_OK(shares.Prepare(shares.script().OpenSession(), {claims_[0]}));
  EXPECT_THAT(*ReadFile(files_, "/var/run/cdi/shares-uid-a.json", 1024),
              HasSubstr(R"({"name":"uid-a-0","containerEdits":{}},{"name":"uid-a-1","containerEdits":{}})"));
}

TEST(EmptyTmpfsTest, FilesOfAllFoldersGoAndFoldersStay) {
  FakeFileSystem files;
  EXPECT_OK(EmptyTmpfs(files, kTmpfs));  // nobody has written there
  ASSERT_OK(PutFile(files, "/var/run/lock", ""));
  ASSERT_OK(PutFile(files, "/var/run/cdi/a.json", "{}"));
  EXPECT_OK(EmptyTmpfs(files, kTmpfs));
  EXPECT_THAT(*files.List(kTmpfs), ElementsAre("cdi"));
  EXPECT_THAT(*files.List(kCdiFolder), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::scenarios
