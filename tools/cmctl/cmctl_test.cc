#include "tools/cmctl/cmctl.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "tools/cmctl/checkpoint/sample_files.h"
#include "tools/cmctl/checkpoint_commands.h"
#include "tools/cmctl/node/node_fixture.h"
#include "tools/cmctl/node_commands.h"

namespace kubelet_cm::cmctl {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

// The commands that a completion script for bash knows: "cmctl", "cmctl get", "cmctl get pods", ...
Words VerbsIn(const std::string& script) {
  Words verbs;
  std::istringstream lines(script);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("    \"cmctl")) verbs.push_back(line.substr(5, line.find('"', 5) - 5));
  }
  return verbs;
}

class CmctlTest : public NodeFixture {
 protected:
  int Run(const Words& arguments) { return RunCmctl(arguments, environment_); }
};

TEST_F(CmctlTest, HelpOfEveryVerbSaysHowItIsUsed) {
  // The completion knows all that is parsed.
  EXPECT_EQ(Run({"completion", "bash"}), kOk);
  const Words verbs = VerbsIn(out());
  EXPECT_GE(verbs.size(), 45u);
  for (const std::string& path : verbs) {
    Words words = absl::StrSplit(path, ' ');
    words.erase(words.begin());
    for (const char* help : {"--help", "-h"}) {
      words.emplace_back(help);
      out_.str("");
      EXPECT_EQ(Run(words), kOk) << path;
      EXPECT_THAT(out(), HasSubstr("Usage: cmctl")) << path;
      EXPECT_THAT(out(), HasSubstr("Examples:\n  ")) << path;
      words.pop_back();
    }
  }
  EXPECT_EQ(err(), "");
}

TEST_F(CmctlTest, HelpOfEveryVerbHasExamples) {
  for (const char* verb : {"show", "verify", "explain", "diff", "convert", "repair"}) {
    out_.str("");
    EXPECT_EQ(Run({"checkpoint", verb, "--help"}), kOk);
    EXPECT_THAT(out(), HasSubstr("Examples:\n  cmctl checkpoint " + std::string(verb)));
  }
}

TEST_F(CmctlTest, HelpOfTheNodesVerbsHasExamples) {
  const Words verbs = {"get pods",    "describe pod", "explain pod", "admit",        "prepare",     "delete pod",
                       "start",       "exit",         "options",     "claim forget", "podres list", "plugin probe",
                       "plugin call", "drain",        "bundle",      "version"};
  for (const std::string& verb : verbs) {
    out_.str("");
    Words words = absl::StrSplit(verb, ' ');
    words.emplace_back("--help");
    EXPECT_EQ(Run(words), kOk) << verb;
    EXPECT_THAT(out(), HasSubstr("Examples:\n  cmctl " + words[0])) << verb;
  }
}

TEST_F(CmctlTest, TheNodesVerbsReachTheirDaemon) {
  node_.daemon.pods.add_pods()->mutable_pod()->set_uid("u");
  Set("claims { uid: 'c' namespace: 'a' name: 'b' }", &node_.daemon.claims);
  node_.daemon.remove.set_removed(true);
  node_.daemon.prepare.set_prepared(true);
  const std::string pod = Put("pod.yaml", "kind: Pod");
  const Words lines = {"get pods -o wide --no-headers",
                       "get pod u -o name",
                       "get devices",
                       "describe pod u",
                       "explain pod u -o json",
                       "explain resource r",
                       "prepare u",
                       "delete pod --force u",
                       "start u c",
                       "exit u c",
                       "options u c --show-secrets",
                       "claim forget a/b --who me",
                       "drain",
                       "version -o yaml",
                       "podres list",
                       "podres get a/b",
                       "podres allocatable --no-headers",
                       "bundle -o - --healthz-port 0"};
  for (const std::string& line : lines) {
    Words words = absl::StrSplit(line, ' ');
    words.insert(words.end(), {"--root-dir", "/r"});
    EXPECT_EQ(Run(words), kOk) << line << err();
  }
  EXPECT_EQ(Run({"admit", "-f", pod, "--endpoint", "/r/kubelet_cm.sock"}), kRefused);
  EXPECT_EQ(Run({"get", "pods", "--root-dir", "/nowhere"}), kFailed);
}

TEST_F(CmctlTest, WhatIsPrintedAsANameIsTakenAsOneByEveryVerb) {
  Set("pods { pod { uid: 'u' namespace: 'default' name: 'web' } }", &node_.daemon.pods);
  Set("claims { uid: 'c' namespace: 'ns' name: 'x' }", &node_.daemon.claims);
  Set("resources { name: 'example.com/gpu' devices { id: 'dev-0' } }", &node_.daemon.resources);
  Set("plugins { name: 'drv' endpoint: '/p/d.sock' state: 'connected' }", &node_.daemon.plugins);
  node_.daemon.remove.set_removed(true);
  node_.daemon.prepare.set_prepared(true);
  for (const char* line : {"get pod/default/web",
                           "get pods pod/default/web",
                           "describe pod/default/web",
                           "describe pod pod/default/web",
                           "explain pod/default/web",
                           "explain pod pod/default/web",
                           "prepare pod/default/web",
                           "options pod/default/web c",
                           "start pod/default/web c",
                           "exit pod/default/web c",
                           "delete pod/default/web",
                           "delete pod pod/default/web",
                           "podres get pod/default/web",
                           "get claim/ns/x",
                           "describe claim/ns/x",
                           "explain claim/ns/x",
                           "explain claim claim/ns/x",
                           "claim forget claim/ns/x",
                           "get device/example.com/gpu/dev-0",
                           "get resource/example.com/gpu",
                           "describe resource/example.com/gpu",
                           "explain resource/example.com/gpu",
                           "get plugin/drv@/p/d.sock",
                           "describe plugin/drv@/p/d.sock",
                           "get endpoint//p/d.sock",
                           "prepare u",
                           "-n default get pods web",
                           "--no-headers -o wide get pods",
                           "-o json explain pod/u"}) {
    Words words = absl::StrSplit(line, ' ');
    words.insert(words.begin(), {"--root-dir", "/r"});
    EXPECT_EQ(Run(words), kOk) << line << ": " << err();
  }
  EXPECT_EQ(node_.pod_resources.asked, "default/web");
  EXPECT_THAT(node_.daemon.asked, testing::Contains("Explain resource: \"example.com/gpu\""));
}

TEST_F(CmctlTest, AVerbOfTheNodeWithoutItsWordsIsUsage) {
  for (const char* line : {"get", "get nothing", "get pods -o xml", "describe", "explain plugin x", "admit", "prepare",
                           "delete", "delete pod", "start u", "options u", "claim", "claim forget", "podres",
                           "podres get", "plugin call /s burn", "plugin probe", "plugin call /s list --api v2"}) {
    EXPECT_EQ(Run(absl::StrSplit(line, ' ')), kUsage) << line;
  }
  EXPECT_EQ(out(), "");
}

TEST_F(CmctlTest, WhatIsUnknownIsUsage) {
  const std::string file = Put("a", kDevicesV1);
  EXPECT_EQ(Run({}), kUsage);
  EXPECT_EQ(Run({"checkpoint"}), kUsage);
  EXPECT_EQ(Run({"checkpoint", "burn"}), kUsage);
  EXPECT_EQ(Run({"checkpoint", "show", file, "--no-such-flag"}), kUsage);
  EXPECT_EQ(Run({"checkpoint", "show", file, "-o", "xml"}), kUsage);
  EXPECT_EQ(Run({"checkpoint", "convert", file, "--to", "v2"}), kUsage);
  EXPECT_EQ(Run({"checkpoint", "convert", file, "--to", "v3", "-o", "-"}), kUsage);
  EXPECT_EQ(out(), "");
}

TEST_F(CmctlTest, TheNearestVerbOrFlagIsSaid) {
  EXPECT_EQ(Run({"get", "pdos"}), kUsage);
  EXPECT_EQ(Run({"desribe", "pod", "web"}), kUsage);
  EXPECT_EQ(Run({"get", "pods", "--namepsace", "x"}), kUsage);
  EXPECT_THAT(err(), HasSubstr("cmctl: pdos (did you mean pods?) is none of get's: devices,"));
  EXPECT_THAT(err(), HasSubstr("cmctl: desribe (did you mean describe?) is none of the verbs: get,"));
  EXPECT_THAT(err(), HasSubstr("cmctl: there is no flag --namepsace (did you mean --namespace?) (--help says more)\n"));
}

TEST_F(CmctlTest, ExitCodesAreThoseOfTheManual) {
  Set("pods { pod { uid: 'u' namespace: 'default' name: 'web' } }", &node_.daemon.pods);
  node_.report = SocketReport();
  const std::string pod = Put("pod.yaml", "kind: Pod");
  const std::string claim = Put("claim.yaml", "kind: ResourceClaim");
  const std::string state = Put("state", kDevicesV1);
  const std::string corrupt = Put("corrupt", Altered(kDevicesV1, "pod1", "pod2"));
  const std::vector<std::pair<int, Words>> lines = {
      {0, {"get", "pods"}},
      // The answer is no.
      {1, {"admit", "-f", pod}},
      {1, {"prepare", "web"}},
      {1, {"delete", "pod", "web"}},
      {1, {"plugin", "probe", "/r/kubelet_cm.sock"}},
      {1, {"checkpoint", "diff", state, corrupt}},
      // Usage.
      {2, {"get", "nothing"}},
      {2, {"get", "pods", "--nothing"}},
      {2, {"get", "pods", "a/b/c"}},
      {2, {"get", "pods", "-w", "-o", "yaml"}},
      {2, {"admit", "-f", claim}},
      {2, {"plugin", "call", "/r/kubelet_cm.sock", "allocate"}},
      {3, {"checkpoint", "verify", corrupt}},
      {4, {"checkpoint", "verify", state, "--kubelet-version=1.20.0"}},
      // Not found.
      {5, {"admit", "-f", "/none"}},
      {5, {"plugin", "probe", "/none"}},
      {5, {"get", "pods", "none"}},
      {5, {"prepare", "none"}},
      {5, {"describe", "claim", "none"}},
      {5, {"claim", "forget", "none"}},
      {5, {"get", "resources", "none"}},
      {5, {"describe", "plugin", "none"}},
      {5, {"checkpoint", "show", "/none"}},
      // Not reached, not got through, not written.
      {6, {"get", "pods", "--endpoint", "/none"}},
      {6, {"podres", "list", "--endpoint", "/none"}},
      {6, {"get", "pods", "-w"}},
      {6, {"bundle", "-o", "/none/b.tar.gz", "--healthz-port", "0"}},
  };
  for (const auto& [code, line] : lines) {
    Words words = line;
    if (words[0] != "checkpoint" && words[0] != "plugin" && words.back() != "/none") {
      words.insert(words.end(), {"--root-dir", "/r"});
    }
    EXPECT_EQ(Run(words), code) << absl::StrJoin(words, " ");
  }
  node_.daemon.error = absl::InternalError("broken");
  EXPECT_EQ(Run({"get", "pods", "--root-dir", "/r"}), 6);
}

TEST_F(CmctlTest, FlagsReachTheirVerbs) {
  const std::string file = Put("a", kDevicesV1);
  EXPECT_EQ(Run({"checkpoint", "show", "-o", "json", "--show-response", "--show-secrets", file}), kOk);
  EXPECT_THAT(out(), HasSubstr("\"A\": \"B\""));
  EXPECT_EQ(Run({"checkpoint", "verify", file, "--kubelet-version=1.20.0"}), kNotReadable);
  EXPECT_EQ(Run({"checkpoint", "explain", "--kubelet-version", "1.20.0", file}), kOk);
  EXPECT_EQ(Run({"checkpoint", "convert", file, "--to", "v2", "-o", "/f/b", "--dry-run"}), kOk);
  EXPECT_THAT(Get("/f/b"), HasSubstr("(error)"));
  EXPECT_EQ(Run({"checkpoint", "convert", file, "--to", "v2", "--in-place"}), kOk);
  EXPECT_EQ(Run({"checkpoint", "diff", file, "/f/a.bak-20260921T141320Z"}), kOk);
  EXPECT_EQ(Run({"checkpoint", "repair", file, "-o", "/f/c"}), kOk);
  EXPECT_EQ(Get("/f/c"), Get(file));
}

TEST_F(CmctlTest, ADashIsStandardInputAndStandardOutput) {
  in_.str(kDevicesV1);
  EXPECT_EQ(Run({"checkpoint", "convert", "-", "--to", "v1", "-o", "-"}), kOk);
  EXPECT_EQ(out(), kDevicesV1);
}

TEST_F(CmctlTest, ColoursAreThereOnlyWhenTheEnvironmentHasThem) {
  const std::string file = Put("a", kDevicesV1);
  EXPECT_EQ(Run({"checkpoint", "verify", file}), kOk);
  EXPECT_EQ(out().find('\x1b'), std::string::npos);
  environment_.colours = true;
  EXPECT_EQ(Run({"checkpoint", "verify", file}), kOk);
  EXPECT_THAT(out(), HasSubstr("\x1b[32mvalid\x1b[0m"));
}

TEST_F(CmctlTest, WhatHasNoPlaceIsNamedInItsOrder) {
  EXPECT_EQ(Run({"get", "pods", "a", "b", "c"}), kUsage);
  EXPECT_EQ(err(), "cmctl: there is no place for b c (--help says more)\n");
}

TEST_F(CmctlTest, SaysItsVersion) {
  EXPECT_EQ(Run({"version", "--client"}), kOk);
  EXPECT_THAT(out(), testing::StartsWith("cmctl 0."));
}

TEST_F(CmctlTest, CompletionKnowsWhatTheHelpOfEachVerbLists) {
  EXPECT_EQ(Run({"completion", "bash"}), kOk);
  const std::string bash = out();
  out_.str("");
  EXPECT_EQ(Run({"completion", "fish"}), kOk);
  const std::string fish = out();
  for (const std::string& path : VerbsIn(bash)) {
    Words words = absl::StrSplit(path, ' ');
    words.erase(words.begin());
    words.emplace_back("--help");
    out_.str("");
    EXPECT_EQ(Run(words), kOk);
    const std::string known = bash.substr(bash.find("    \"" + path + "\") candidates="));
    const std::string known_to_fish = fish.substr(fish.find("printf", fish.find("    case \"" + path + "\"\n")));
    std::istringstream help(out());
    for (std::string row; std::getline(help, row);) {
      // "  -o,--output TEXT:{...}   meaning", "  --endpoint TEXT   meaning"
      const size_t flag = row.starts_with("  -") ? row.find("--") : std::string::npos;
      if (flag == std::string::npos) continue;
      const std::string name = row.substr(flag + 2, row.find(' ', flag) - flag - 2);
      EXPECT_THAT(known.substr(0, known.find('\n')), HasSubstr("--" + name)) << path;
      EXPECT_THAT(known_to_fish.substr(0, known_to_fish.find('\n')), HasSubstr("--" + name)) << path;
    }
  }
}

TEST_F(CmctlTest, CompletionKnowsEveryVerbAndFlag) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    out_.str("");
    EXPECT_EQ(Run({"completion", shell}), kOk);
    for (const char* word : {"checkpoint", "completion", "explain", "show-response", "dry-run", "kubelet-version",
                             "bundle", "devices", "forget", "endpoint", "no-headers", "allocatable"}) {
      EXPECT_THAT(out(), HasSubstr(word)) << shell;
    }
  }
  EXPECT_EQ(Run({"completion", "tcsh"}), kUsage);
}

}  // namespace
}  // namespace kubelet_cm::cmctl
