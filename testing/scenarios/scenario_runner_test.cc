#include "testing/scenarios/scenario_runner.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/scenarios/memory_run.h"
#include "testing/scenarios/scenario_of.h"
#include "testing/scenarios/still_node.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Story Play(const std::string& steps, const std::string& version = "") {
  return RunInMemory(ScenarioOf(steps), version);
}

constexpr char kAdmitted[] = R"(steps { start_plugin { resource: 'a/b' count: 2 } }
steps { admit { pod: 'p' limits { resource: 'a/b' count: 1 } } }
)";

TEST(ScenarioRunnerTest, AStoryThatIsAsTheScenarioHasItPasses) {
  const Story story = Play(kAdmitted);
  EXPECT_TRUE(story.passed()) << StoryText(story);
  EXPECT_EQ(FailureText(story), "");
}

TEST(ScenarioRunnerTest, AFailureNamesTheStepItsLineAndWhatWasThere) {
  const Story story =
      Play(std::string(kAdmitted) + "steps { expect { holds { pod: 'p' resource: 'a/b' ids: 'dev-1' } } }\n");
  EXPECT_THAT(FailureText(story), AllOf(HasSubstr("f:4: step 3"), HasSubstr("expected dev-1, got dev-0")));
}

TEST(ScenarioRunnerTest, AnAnswerThatIsAnotherThanExpectedFails) {
  EXPECT_THAT(FailureText(Play("steps { admit { pod: 'p' outcome: REFUSED } }")),
              HasSubstr("expected it to be refused, but it went well"));
  EXPECT_THAT(FailureText(Play("steps { start_plugin { resource: 'a/b' count: 1 } }\n"
                               "steps { admit { pod: 'p' limits { resource: 'a/b' count: 2 } } }")),
              HasSubstr("expected it to be granted, but it was refused: UnexpectedAdmissionError"));
}

TEST(ScenarioRunnerTest, NothingIsPlayedAfterAFailure) {
  const Story story = Play("steps { admit { pod: 'p' outcome: REFUSED } }\nsteps { kill {} }");
  EXPECT_EQ(story.steps.back().number, 1);
}

TEST(ScenarioRunnerTest, AnInvariantThatTheScenarioSaysToBeBrokenHasToBe) {
  EXPECT_THAT(FailureText(Play("breaks { invariant: 'D1' because: 'z' }\nsteps { settle {} }")),
              HasSubstr("says that D1 is broken, and it is not"));
}

TEST(ScenarioRunnerTest, AKubeletThatForgetsIsCaught) {
  const Story story = Play(
      "steps { start_plugin { resource: 'a/b' count: 2 stays_away: true } }\n"
      "steps { admit { pod: 'p' limits { resource: 'a/b' count: 1 } } }\n"
      "steps { restart { as_version: '1.20.0' } }",
      "1.19");
  EXPECT_THAT(FailureText(story), AllOf(HasSubstr("D3 is broken"), HasSubstr("as kubelet 1.19")));
}

TEST(ScenarioRunnerTest, ACallThatIsUnderWayIsCutByAKill) {
  const Story story = Play(R"(steps { start_plugin { resource: 'a/b' count: 2 } }
steps { plugin_fault { plugin: 'a/b' call: ALLOCATE act: HANG } }
steps { admit { pod: 'p' limits { resource: 'a/b' count: 1 } outcome: UNDER_WAY } }
steps { restart {} }
steps { expect { holds { pod: 'p' resource: 'a/b' } } })");
  EXPECT_TRUE(story.passed()) << StoryText(story);
}

TEST(ScenarioRunnerTest, AKubeletDiesWhereTheStepSaysAndAgainInTheNextLife) {
  const Story story = Play(R"(steps { start_plugin { resource: 'a/b' count: 1 } }
steps { admit { pod: 'p' limits { resource: 'a/b' count: 1 } } dies_at { call: 'Allocate' after: true } }
steps { restart {} dies_at { op: 'read' nth: 2 } }
steps { restart {} }
steps { expect { holds { pod: 'p' resource: 'a/b' } calls { plugin: 'a/b' call: 'Allocate' count: 1 } } })");
  EXPECT_TRUE(story.passed()) << StoryText(story);
  EXPECT_THAT(StoryText(story), HasSubstr("; the kubelet dies when Allocate has been answered"));
}

TEST(ScenarioRunnerTest, AKubeletThatDoesNotComeWhereItWasToDieFails) {
  EXPECT_THAT(FailureText(Play("steps { admit { pod: 'p' } dies_at { call: 'Allocate' } }")),
              HasSubstr("the kubelet does not die before Allocate is sent: it does not come there"));
}

// Of the steps of the scenario.
std::vector<std::vector<KubeletEvent>> KubeletEventsOf(const Story& story) {
  std::vector<std::vector<KubeletEvent>> events;
  for (const StoryStep& step : story.steps) {
    if (step.number > 0) events.push_back(step.kubelet);
  }
  return events;
}

TEST(ScenarioRunnerTest, TheStoryTellsWhatBecameOfTheKubelet) {
  const Story story = Play(R"(node { recover: STRICT }
steps { start_plugin { resource: 'a/b' count: 1 } }
steps { restart {} }
steps { kill {} }
steps { power_cut {} }
steps { corrupt { file: 'devices' garbage: 9 } }
steps { restart { refused_with: 'kubelet_internal_checkpoint' } }
steps { corrupt { file: 'devices' missing: true } }
steps { restart {} dies_at { op: 'read' } }
steps { restart {} })");
  EXPECT_TRUE(story.passed()) << StoryText(story);
  EXPECT_THAT(story.steps[0].kubelet, ElementsAre(KubeletEvent::kStarted));
  EXPECT_THAT(KubeletEventsOf(story),
              ElementsAre(IsEmpty(), ElementsAre(KubeletEvent::kEnded, KubeletEvent::kStarted),
                          ElementsAre(KubeletEvent::kEnded), IsEmpty(), IsEmpty(), ElementsAre(KubeletEvent::kRefused),
                          IsEmpty(), ElementsAre(KubeletEvent::kEnded), ElementsAre(KubeletEvent::kStarted)));
}

TEST(ScenarioRunnerTest, ACallThatIsUnderWayIsAnsweredWhenItsTimeIsOver) {
  const Story story = Play(R"(steps { start_plugin { resource: 'a/b' count: 2 } }
steps { plugin_fault { plugin: 'a/b' call: ALLOCATE act: DELAY delay: '20s' } }
steps { admit { pod: 'p' limits { resource: 'a/b' count: 1 } outcome: UNDER_WAY } }
steps { expect { holds { pod: 'p' resource: 'a/b' } } }
steps { advance { by: '20s' } }
steps { expect { holds { pod: 'p' resource: 'a/b' ids: 'dev-0' } } })");
  EXPECT_TRUE(story.passed()) << StoryText(story);
}

class NodeThatDoesNotBoot : public StillNode {
 public:
  absl::Status Reboot() override { return absl::DeadlineExceededError("process 7: it did not end within 1m"); }
};

TEST(ScenarioRunnerTest, AMachineOnWhichSomethingDoesNotDieIsAFailureOfTheStep) {
  NodeThatDoesNotBoot node;
  const ScenarioFile file = ScenarioOf("steps { reboot {} }");
  ScenarioRunner runner(node, file);
  EXPECT_THAT(FailureText(runner.Run()), AllOf(HasSubstr("f:2: step 1"), HasSubstr("process 7: it did not end")));
}

// Whose plugin dies of what it is asked.
class NodeWithAProgramThatPanics : public StillNode {
 public:
  Reply Admit(const Pod&) override { return {.ok = false, .message = "Allocate: connection reset"}; }
  absl::Status LookForEnds() override {
    return absl::AbortedError("yours: the program ended with exit code 2; it said:\npanic: no such device");
  }
};

TEST(ScenarioRunnerTest, AStepThatFailsTellsOfAProgramThatHasEnded) {
  NodeWithAProgramThatPanics node;
  const ScenarioFile file = ScenarioOf("steps { admit { pod: 'p' } }");
  ScenarioRunner runner(node, file);
  EXPECT_THAT(FailureText(runner.Run()), AllOf(HasSubstr("Allocate: connection reset"), HasSubstr("exit code 2"),
                                               HasSubstr("panic: no such device")));
}

TEST(ScenarioRunnerTest, TheSameSeedTellsTheSameStory) {
  EXPECT_EQ(StoryText(Play(kAdmitted)), StoryText(Play(kAdmitted)));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
