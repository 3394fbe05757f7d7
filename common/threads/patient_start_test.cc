#include "common/threads/patient_start.h"

#include <system_error>

#include "common/log/capturing_logger.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::threads_internal {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::IsEmpty;

void Fail(std::errc error) { throw std::system_error(std::make_error_code(error)); }

TEST(PatientStartTest, AThreadThatTheSystemCannotGiveNowIsWaitedForAndTheLogSaysSoOnce) {
  CapturingLogger log;
  int tries = 0;
  int pauses = 0;
  StartPatiently(
      [&] {
        if (++tries < 4) Fail(std::errc::resource_unavailable_try_again);
      },
      {.log = &log, .thread_name = "reader", .pause = [&] { ++pauses; }});
  EXPECT_EQ(tries, 4);
  EXPECT_EQ(pauses, 3);
  EXPECT_THAT(log.lines(),
              ElementsAre(AllOf(IsLogLine(Severity::kWarning, "The system has no thread to give; waiting until it has"),
                                HasLogField("thread", "reader")),
                          AllOf(IsLogLine(Severity::kInfo, "The system has given the thread"),
                                HasLogField("thread", "reader"))));
}

TEST(PatientStartTest, AThreadThatThereIsIsNoNews) {
  CapturingLogger log;
  int tries = 0;
  StartPatiently([&] { ++tries; }, {.log = &log, .thread_name = "reader"});
  EXPECT_EQ(tries, 1);
  EXPECT_THAT(log.lines(), IsEmpty());
}

TEST(PatientStartTest, OtherErrorsAreNotWaitedFor) {
  EXPECT_THROW(StartPatiently([] { Fail(std::errc::operation_not_permitted); }, {.thread_name = "reader"}),
               std::system_error);
}

}  // namespace
}  // namespace kubelet_cm::threads_internal
