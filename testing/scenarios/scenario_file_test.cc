#include "testing/scenarios/scenario_file.h"

#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kHead[] = "name: \"x\"\nteaches: \"y\"\n";

std::string MessageOf(const std::string& steps) {
  return std::string(LoadScenario("f", std::string(kHead) + steps).status().message());
}

TEST(ScenarioFileTest, EveryStepKnowsItsLine) {
  ASSERT_OK_AND_ASSIGN(const ScenarioFile file,
                       LoadScenario("f", std::string(kHead) + "steps { kill {} }\n\nsteps { restart {} }\n"));
  EXPECT_EQ(file.scenario.steps_size(), 2);
  EXPECT_THAT(file.step_lines, ElementsAre(3, 5));
}

TEST(ScenarioFileTest, AnUnknownFieldIsSaidWithFileLineAndColumn) {
  EXPECT_THAT(MessageOf("steps {\n  kil {}\n}\n"), AllOf(HasSubstr("f:4:"), HasSubstr("kil")));
}

TEST(ScenarioFileTest, AStartOnEachOfSeveralFilesIsTheStepsThatItStandsFor) {
  ASSERT_OK_AND_ASSIGN(
      const ScenarioFile file,
      LoadScenario("f", std::string(kHead) + "steps { kill {} }\nsteps { no_restart: 'why' start_on_each { file: "
                                             "'claims' folder: 'd' names: ['a', 'b'] set_aside: true } }"));
  ASSERT_EQ(file.scenario.steps_size(), 9);
  EXPECT_THAT(file.step_lines, ElementsAre(3, 4, 4, 4, 4, 4, 4, 4, 4));
  EXPECT_EQ(file.scenario.steps(1).no_restart(), "why");
  EXPECT_EQ(file.scenario.steps(5).place_file().golden(), "d/b.json");
  EXPECT_TRUE(file.scenario.steps(6).has_restart());
  EXPECT_EQ(file.scenario.steps(7).expect().claims_restored(), "corrupt");
  EXPECT_EQ(file.scenario.steps(7).expect().files(0).set_aside_golden(), "d/b.json");
  EXPECT_TRUE(file.scenario.steps(8).has_kill());
}

TEST(ScenarioFileTest, ARefusedStartLeavesTheFileAndNobodyToKill) {
  ASSERT_OK_AND_ASSIGN(
      const ScenarioFile file,
      LoadScenario("f", std::string(kHead) + "steps { kill {} }\nsteps { start_on_each { file: 'devices' "
                                             "folder: 'd' names: 'a' refused_with: 'no' } }"));
  ASSERT_EQ(file.scenario.steps_size(), 4);
  EXPECT_EQ(file.scenario.steps(2).restart().refused_with(), "no");
  EXPECT_EQ(file.scenario.steps(3).expect().files(0).golden(), "d/a.json");
}

struct Wrong {
  const char* steps;
  const char* message;
};

class WrongScenarioTest : public testing::TestWithParam<Wrong> {};

TEST_P(WrongScenarioTest, IsRefusedWithItsPlace) {
  EXPECT_THAT(MessageOf(GetParam().steps), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, WrongScenarioTest,
    testing::Values(
        Wrong{"", "f:1:1: a scenario has steps"}, Wrong{"steps {}", "f:3:1: a step says what happens"},
        Wrong{"steps { kill {} }\nsteps { kill {} }", "f:4:9: no kubelet runs at this step"},
        Wrong{"steps { stop_plugin { plugin: 'p' } }", "f:3:23: there is no plugin \"p\" at this step"},
        Wrong{"steps { start_plugin {} }", "needs a resource"},
        Wrong{"steps { start_plugin { resource: 'a/b' count: 1 devices { id: 'x' } } }", "either devices or count"},
        Wrong{"steps { start_plugin { resource: 'a/b' api: 'v9' } }", "the protocols are"},
        Wrong{"steps { start_plugin { resource: 'a/b' } }\nsteps { plugin_fault { plugin: 'a/b' act: DIE } }",
              "PluginFault needs call"},
        Wrong{"steps { start_plugin { resource: 'a/b' } }\n"
              "steps { plugin_fault { plugin: 'a/b' call: ALLOCATE act: DELAY delay: 'soon' } }",
              "is a duration"},
        Wrong{"steps { start_on_each { file: 'devices' folder: 'd' names: 'a' set_aside: true } }", "kill it first"},
        Wrong{"steps { kill {} }\nsteps { start_on_each { file: '/x' folder: 'd' names: 'a' set_aside: true } }",
              "neither devices nor claims"},
        Wrong{"steps { kill {} }\nsteps { start_on_each { file: 'claims' folder: 'd' set_aside: true } }",
              "needs names"},
        Wrong{"steps { kill {} }\nsteps { start_on_each { file: 'claims' folder: 'd' names: 'a' } }",
              "needs set_aside, refused_with or expect"},
        Wrong{"steps { kill {} }\nsteps { start_on_each { file: 'claims' folder: 'd' names: 'a' refused_with: 'x' "
              "set_aside: true } }",
              "leaves the file as it is"},
        Wrong{"steps { unlink_socket {} }", "needs plugin, driver or kubelet"},
        Wrong{"steps { driver_socket { driver: 'd' } }", "there is no driver \"d\" at this step"},
        Wrong{"steps { expect { connections { driver: 'd' } } }", "there is no driver \"d\" at this step"},
        Wrong{"steps { list_often { calls: 3 refused_at_least: 3 } }", "some of the calls are refused, and not all"},
        Wrong{"steps { unlink_socket { plugin: 'p' } }", "there is no plugin \"p\" at this step"},
        Wrong{"steps { unlink_socket { driver: 'd' } }", "there is no driver \"d\" at this step"},
        Wrong{"steps { start_driver { driver: 'd' } }\nsteps { driver_fault { driver: 'd' act: DIE } }",
              "DriverFault needs call"},
        Wrong{"steps { start_driver { driver: 'd' health_api: 'v1' } }", "goes with tells_health"},
        Wrong{"steps { start_driver { driver: 'd' tells_health: true health_api: 'v2' } }", "is v1 or v1alpha1"},
        Wrong{"steps { add_claim { claim: 'c' } }", "a claim needs drivers"},
        Wrong{"steps { admit { pod: 'a' claims: 'c' } }", "there is no claim \"c\""},
        Wrong{"steps { prepare { pod: 'a' } }", "there is no pod \"a\""},
        Wrong{"steps { admit { pod: 'a' } }\nsteps { start_container { pod: 'a' container: 'x' } }",
              "has no container \"x\""},
        Wrong{"steps { restart { as_version: '0.9' } }", "is no version of a kubelet"},
        Wrong{"steps { advance { by: '-1s' } }", "is no duration"},
        Wrong{"steps { corrupt { file: 'devices' empty: true } }", "a kubelet runs at this step"},
        Wrong{"steps { kill {} }\nsteps { corrupt { file: 'x' empty: true } }", "is neither devices, claims"},
        Wrong{"steps { kill {} }\nsteps { place_devices { format: 'v9' } }", "the formats are"},
        Wrong{"steps { disk_fault { op: 'fly' } }", "is no file operation"},
        Wrong{"steps { disk_fault { path: '(' } }", "is no regular expression"},
        Wrong{"steps { start_plugin { resource: 'a/b' program {} } }", "Program needs name"},
        Wrong{"steps { start_plugin { resource: 'a/b' program { name: 'p' patience: 'long' } } }", "is no duration"},
        Wrong{"steps { start_driver { driver: 'd' program { name: 'p' environment: 'x' } } }", "is no NAME=value"},
        Wrong{"steps { start_plugin { resource: 'a/b' program { name: 'p' } } }\n"
              "steps { change_devices { plugin: 'a/b' none: true } }",
              "f:4:26: \"a/b\" is a program: only fakes do as they are told"},
        Wrong{"steps { start_plugin { resource: 'a/b' program { name: 'p' } } }\n"
              "steps { expect { calls { plugin: 'a/b' call: 'Allocate' count: 1 } } }",
              "\"a/b\" is a program"},
        Wrong{"steps { start_driver { driver: 'd' program { name: 'p' } } }\n"
              "steps { driver_fault { driver: 'd' call: GET_INFO act: FAIL } }",
              "\"d\" is a program"},
        Wrong{"steps { settle {} dies_at {} }", "needs one of call, op and point"},
        Wrong{"steps { settle {} dies_at { call: 'Allocate' op: 'write' } }", "needs one of call, op and point"},
        Wrong{"steps { settle {} dies_at { op: 'write' point: 'pod_written' } }", "needs one of call, op and point"},
        Wrong{"steps { settle {} dies_at { point: 'devices_gone' } }",
              "f:3:29: there is no such point; these are known: registration_sent, options_answered, "},
        Wrong{"steps { settle {} dies_at { point: 'pod_written' after: true } }", "says by itself what has been done"},
        Wrong{"steps { settle {} dies_at { call: 'GetInfo' } }", "is no call of which it is known"},
        Wrong{"steps { settle {} dies_at { op: 'fly' } }", "is no file operation"},
        Wrong{"steps { settle {} dies_at { op: 'write' path: '(' } }", "is no regular expression"},
        Wrong{"steps { settle {} dies_at { call: 'Allocate' path: 'x' } }", "goes with op"},
        Wrong{"steps { settle {} dies_at { op: 'write' nth: -1 } }", "counted from 1"},
        Wrong{"steps { settle {} dies_at { op: 'write' written: 1 after: true } }", "does not take effect as a whole"},
        Wrong{"steps { settle {} dies_at { op: 'write' } }\nsteps { kill {} }", "f:4:9: no kubelet runs at this step"},
        Wrong{"steps { kill {} }\nsteps { settle {} dies_at { op: 'write' } }", "no kubelet runs at this step"},
        Wrong{"steps { disk_fault { error: 'EWHAT' } }", "is no error that is known"},
        Wrong{"steps { admit { pod: 'a' } }\nsteps { expect { listed { pod: 'a' } } }",
              "needs resource, claims or missing"},
        Wrong{"steps { admit { pod: 'a' } }\nsteps { expect { listed { pod: 'a' claims: 'c' } } }",
              "f:4:36: there is no claim \"c\" at this step"},
        Wrong{"steps { admit { pod: 'a' } }\nsteps { expect { listed { pod: 'a' resource: 'a/b' cdi_devices: 'x' } } }",
              "goes with claims"},
        Wrong{"steps { expect {} }", "an expectation expects something"},
        Wrong{"steps { kill {} }\nsteps { expect { devices_restored: 'fresh' } }", "no kubelet runs"},
        Wrong{"steps { expect { devices_restored: 'good' } }", "the outcomes are"},
        Wrong{"steps { expect { files { file: 'devices' format: 'dra-1.31' } } }", "is no format of"},
        Wrong{"steps { start_plugin { resource: 'a/b' } }\nsteps { expect { calls { plugin: 'a/b' call: 'Sing' } } }",
              "is no call of its protocol"}));

TEST(ScenarioFileTest, EverythingThatIsWrongIsSaidAtOnce) {
  const std::string message = MessageOf("steps { advance { by: 'x' } }\nsteps { restart { as_version: 'y' } }");
  EXPECT_THAT(message, AllOf(HasSubstr("f:3:"), HasSubstr("f:4:")));
}

TEST(ScenarioFileTest, AfterACrashAKubeletRunsWhateverTheLastStepWas) {
  EXPECT_THAT(MessageOf("steps { kill {} }\nafter_crash { expect { devices_restored: 'restored' } }"),
              Not(HasSubstr("no kubelet")));
}

TEST(ScenarioWordsTest, FilesErrorsAndOperationsHaveNames) {
  EXPECT_EQ(PathOfFile("claims"), "/var/lib/kubelet/dra_manager_state");
  EXPECT_EQ(PathOfFile("/a/../b"), std::nullopt);
  EXPECT_EQ(ErrnoOfName("ENOSPC"), ENOSPC);
  EXPECT_EQ(FileOpOf("fsync folder"), FileOp::kSyncFolder);
  EXPECT_EQ(CodeOfName("UNAVAILABLE"), absl::StatusCode::kUnavailable);
  EXPECT_EQ(DurationOf("90s"), absl::Seconds(90));
  EXPECT_EQ(MethodOf(proto::PluginFault::ALLOCATE), "Allocate");
  EXPECT_EQ(MethodOf(proto::DriverFault::NODE_UNPREPARE_RESOURCES), "NodeUnprepareResources");
}

}  // namespace
}  // namespace kubelet_cm::scenarios
