#include "common/filesystem/late_close.h"

#include <memory>
#include <string>
#include <vector>

#include "common/clock/real_clock.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Files that say when they are closed, and the first of which can take its time.
class LateCloseTest : public ::testing::Test {
 protected:
  class TellingFile : public File {
   public:
    TellingFile(LateCloseTest& test, int number) : test_(test), number_(number) {}
    ~TellingFile() override {
      if (number_ == 1) {
        test_.begun_.Notify();
        test_.may_close_.Wait();
      }
      MutexLock lock(&test_.mu_);
      test_.closed_.push_back(number_);
    }
    absl::StatusOr<FileStat> Stat() override { return FileStat(); }
    absl::StatusOr<std::string> Read(size_t) override { return ""; }
    absl::Status Write(absl::string_view) override { return absl::OkStatus(); }
    absl::Status WriteAt(uint64_t, absl::string_view) override { return absl::OkStatus(); }
    absl::Status Resize(uint64_t) override { return absl::OkStatus(); }
    absl::Status Sync() override { return absl::OkStatus(); }
    absl::Status Lock() override { return absl::OkStatus(); }
    absl::Status TakeAlone() override { return absl::OkStatus(); }
    absl::Status Close() override { return absl::OkStatus(); }

   private:
    LateCloseTest& test_;
    const int number_;
  };

  void Close(int number) { late_.Close(std::make_unique<TellingFile>(*this, number)); }
  std::vector<int> Closed() {
    MutexLock lock(&mu_);
    return closed_;
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  Notification begun_{threads_, "first file to be closed"};
  Notification may_close_{threads_, "first file may be closed"};
  Mutex mu_;
  std::vector<int> closed_ ABSL_GUARDED_BY(mu_);
  LateClose late_{threads_};
};

TEST_F(LateCloseTest, NobodyWaitsForAFileToBeClosed) {
  Close(1);
  begun_.Wait();
  EXPECT_THAT(Closed(), IsEmpty());
  may_close_.Notify();
}

TEST_F(LateCloseTest, NoMoreThanOneFileWaitsForItsTurn) {
  Close(1);
  begun_.Wait();
  Close(2);
  EXPECT_THAT(Closed(), IsEmpty());
  Close(3);
  EXPECT_THAT(Closed(), ElementsAre(3));
  may_close_.Notify();
}

TEST_F(LateCloseTest, TheEndWaitsUntilAllAreClosed) {
  may_close_.Notify();
  {
    LateClose late(threads_);
    late.Close(std::make_unique<TellingFile>(*this, 1));
    begun_.Wait();
    late.Close(std::make_unique<TellingFile>(*this, 2));
  }
  EXPECT_EQ(Closed().size(), 2u);
}

}  // namespace
}  // namespace kubelet_cm
