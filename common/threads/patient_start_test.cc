#include "common/threads/patient_start.h"

#include <system_error>

#include "gtest/gtest.h"

namespace kubelet_cm::threads_internal {
namespace {

[[noreturn]] void Fail(std::errc error) { throw std::system_error(std::make_error_code(error)); }

TEST(PatientStartTest, AThreadThatTheSystemCannotGiveNowIsWaitedFor) {
  int tries = 0;
  bool ran = false;
  std::thread thread = StartPatiently(
      [&] {
        if (++tries < 4) Fail(std::errc::resource_unavailable_try_again);
        return std::thread([&ran] { ran = true; });
      },
      absl::ZeroDuration());
  thread.join();
  EXPECT_EQ(tries, 4);
  EXPECT_TRUE(ran);
}

TEST(PatientStartTest, OtherErrorsAreNotWaitedFor) {
  EXPECT_THROW(StartPatiently([]() -> std::thread { Fail(std::errc::operation_not_permitted); }), std::system_error);
}

}  // namespace
}  // namespace kubelet_cm::threads_internal
