#include "deviceplugin/allocation/allocation_check.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using Ids = std::vector<std::string>;
using Held = std::optional<Ids>;

constexpr char kChanged[] = R"(pod "p" container "c" changed request for resource "r" from 2 to 1)";
constexpr char kChangedFromNone[] = R"(pod "p" container "c" changed request for resource "r" from 0 to 1)";
constexpr char kUnregistered[] = "cannot allocate unregistered device r";
constexpr char kNoneHealthy[] = "no healthy devices present; cannot allocate unhealthy devices r";
constexpr char kHeldUnhealthy[] =
    "previously allocated devices are no longer healthy; cannot allocate unhealthy devices r";

struct Case {
  std::string name;
  AllocationQuestion question;
  std::string outcome;  // an error, or one of the texts of Outcome()
};

std::string Outcome(const AllocationQuestion& question) {
  const auto need = CheckAllocation(question, [](std::string_view id) { return id != "ill"; });
  if (!need.ok()) return std::string(need.status().message());
  if (*need == AllocationNeed::kDevices) return "allocate";
  return *need == AllocationNeed::kNothingRunning ? "running" : "nothing";
}

// `registered` with a number of healthy devices; less than 0: not registered.
AllocationQuestion Question(int64_t requested, Held held, int64_t healthy, bool ready = true, bool running = false) {
  return {.holder = {"p", "c", "r"},
          .requested = requested,
          .held = std::move(held),
          .sources_ready = ready,
          .container_running = running,
          .resource_registered = healthy >= 0,
          .healthy_count = std::max<int64_t>(healthy, 0)};
}

class AllocationCheckTest : public ::testing::TestWithParam<Case> {};

TEST_P(AllocationCheckTest, Decides) { EXPECT_EQ(Outcome(GetParam().question), GetParam().outcome); }

constexpr bool kReady = true;
constexpr bool kRunning = true;

INSTANTIATE_TEST_SUITE_P(
    AllCases, AllocationCheckTest,
    ::testing::Values(
        Case{"NothingHeldIsAllocated", Question(1, std::nullopt, 3), "allocate"},
        Case{"TooFewDevicesIsNotDecidedHere", Question(9, std::nullopt, 1), "allocate"},
        Case{"WhatIsHeldIsNotAllocatedAgain", Question(1, Ids{"a"}, 3), "nothing"},
        Case{"AnotherNumberThanHeldFails", Question(1, Ids{"a", "b"}, 3), kChanged},
        Case{"AnEntryWithoutDevicesIsAnotherNumber", Question(1, Ids{}, 3), kChangedFromNone},
        Case{"AnotherNumberFailsEvenIfRunning", Question(1, Ids{"a", "b"}, 3, !kReady, kRunning), kChanged},
        Case{"RunningBeforeSourcesAreReadyNeedsNothing", Question(1, Ids{"a"}, -1, !kReady, kRunning), "running"},
        Case{"RunningNeedsNothingThoughItsDeviceIsIll", Question(1, Ids{"ill"}, 3, !kReady, kRunning), "running"},
        Case{"RunningNeedsNothingThoughItHoldsNothing", Question(1, std::nullopt, 3, !kReady, kRunning), "running"},
        Case{"RunningWithWhatItAskedForNeedsNothingEver", Question(1, Ids{"a"}, -1, kReady, kRunning), "running"},
        Case{"RunningWithAnIllDeviceNeedsNothingEver", Question(1, Ids{"ill"}, 3, kReady, kRunning), "running"},
        Case{"RunningWithAnotherNumberFails", Question(1, Ids{"a", "b"}, 3, kReady, kRunning), kChanged},
        Case{"RunningWithNothingIsCheckedOnceSourcesAreReady", Question(1, std::nullopt, -1, kReady, kRunning),
             kUnregistered},
        Case{"NotRunningBeforeSourcesAreReadyIsChecked", Question(1, Ids{"a"}, 0, !kReady, !kRunning), kNoneHealthy},
        Case{"AnUnregisteredResourceFails", Question(1, std::nullopt, -1), kUnregistered},
        Case{"NoHealthyDeviceFails", Question(1, std::nullopt, 0), kNoneHealthy},
        Case{"AHeldDeviceThatIsIllFails", Question(2, Ids{"a", "ill"}, 3), kHeldUnhealthy},
        Case{"NoneRequestedOfAHealthyResourceNeedsNothing", Question(0, std::nullopt, 1), "nothing"},
        Case{"NoneRequestedFailsToo_WithoutResource", Question(0, std::nullopt, -1), kUnregistered},
        Case{"NoneRequestedFailsToo_WithoutHealthyDevice", Question(0, std::nullopt, 0), kNoneHealthy}),
    [](const auto& tested) { return tested.param.name; });

TEST(AllocationCheckCodesTest, TellErrorsApart) {
  const auto healthy = [](std::string_view id) { return id != "ill"; };
  EXPECT_THAT(CheckAllocation(Question(1, Ids{}, 1), healthy), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(CheckAllocation(Question(1, std::nullopt, -1), healthy), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(CheckAllocation(Question(1, std::nullopt, 0), healthy), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(CheckAllocation(Question(1, Ids{"ill"}, 1), healthy), StatusIs(absl::StatusCode::kUnavailable));
}

TEST(AllocationCheckCodesTest, LessThanNoneIsRefused) {
  EXPECT_THAT(CheckAllocation(Question(-1, std::nullopt, 1), [](std::string_view) { return true; }),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(AllocationCheckCodesTest, NamesAreQuotedAsGoDoes) {
  AllocationQuestion question = Question(1, Ids{}, 1);
  question.holder.container_name = "a\"b";
  EXPECT_EQ(Outcome(question), R"(pod "p" container "a\"b" changed request for resource "r" from 0 to 1)");
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
