#include "testing/scenarios/restart_twins.h"

#include <string>

#include "absl/functional/function_ref.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/scenarios/memory_run.h"
#include "testing/scenarios/scenario_of.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kAdmitted[] = R"(steps { start_plugin { resource: 'a/b' count: 2 } }
steps { admit { pod: 'p' limits { resource: 'a/b' count: 1 } } }
)";

TwinsResult Twins(const ScenarioFile& file, const std::string& version = "") {
  return PlayRestartTwins(file, version, [&](absl::FunctionRef<void(BenchNode&)> body) {
    return WithMemoryNode(file.scenario, /*seed=*/1, body);
  });
}

TEST(RestartTwinsTest, TheKubeletIsRestartedAfterTheStartAndAfterEachStep) {
  const TwinsResult twins = Twins(ScenarioOf(kAdmitted));
  EXPECT_EQ(twins.restarts, 3u);
  EXPECT_THAT(twins.failures, IsEmpty());
}

TEST(RestartTwinsTest, ARestartThatMattersIsFound) {
  const TwinsResult twins =
      Twins(ScenarioOf("steps { start_plugin { resource: 'a/b' count: 2 } }\n"
                       "steps { expect { calls { plugin: 'a/b' call: 'ListAndWatch' count: 1 } } }"));
  ASSERT_THAT(twins.failures, SizeIs(1));
  EXPECT_EQ(twins.failures[0].where, "with a restart after step 1 (line 2)");
  EXPECT_THAT(FailureText(twins.failures[0].story),
              AllOf(HasSubstr("f:3: step 2"), HasSubstr("ListAndWatch calls of a/b: expected 1, got 2")));
}

TEST(RestartTwinsTest, AnOldKubeletKnowsWhatItWroteItself) {
  const TwinsResult twins =
      Twins(ScenarioOf(std::string(kAdmitted) + "steps { start_container { pod: 'p' } }"), "1.20.0");
  EXPECT_THAT(twins.failures, IsEmpty());
}

TEST(RestartTwinsTest, AWindowIsLeftAloneUpToItsEnd) {
  const TwinsResult twins = Twins(ScenarioOf(
      "steps { start_plugin { resource: 'a/b' count: 2 } }\n"
      "steps { no_restart: 'calls are counted' expect { calls { plugin: 'a/b' call: 'ListAndWatch' count: 1 } } }\n"
      "steps { settle {} }\n"
      "steps { may_restart: true settle {} }"));
  EXPECT_THAT(twins.failures, IsEmpty());
  EXPECT_EQ(twins.restarts, 3u) << "after the start, after the third step and after the last";
}

TEST(RestartTwinsTest, NobodyIsRestartedWhoDoesNotRunOrIsBeingAsked) {
  EXPECT_EQ(Twins(ScenarioOf("steps { kill {} } steps { restart {} }")).restarts, 2u);
  const TwinsResult twins =
      Twins(ScenarioOf(std::string(kAdmitted) + "steps { plugin_fault { plugin: 'a/b' call: ALLOCATE act: HANG } }\n"
                                                "steps { admit { pod: 'q' limits { resource: 'a/b' count: 1 } "
                                                "outcome: UNDER_WAY } }"));
  EXPECT_EQ(twins.restarts, 4u);
  EXPECT_THAT(twins.failures, IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::scenarios
