// Whatever daemons, kubelets and plugins write into their answers, it does not steer the terminal.
#include <string>
#include <vector>

#include "common/gotext/quote.h"
#include "common/gotext/utf8.h"
#include "gmock/gmock.h"
#include "tools/cmctl/node/get.h"
#include "tools/cmctl/node/node_fixture.h"
#include "tools/cmctl/node/node_verbs.h"
#include "tools/cmctl/node/plugin_verbs.h"
#include "tools/cmctl/node/pod_verbs.h"
#include "tools/cmctl/node/podres_verbs.h"

namespace kubelet_cm::cmctl {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Writes every text of the message and of one of each kind that is in it.
void Fill(const std::string& text, Message* message) {
  const google::protobuf::Reflection& reflection = *message->GetReflection();
  for (int i = 0; i < message->GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor* const field = message->GetDescriptor()->field(i);
    if (field->type() == FieldDescriptor::TYPE_STRING) {
      field->is_repeated() ? reflection.AddString(message, field, text) : reflection.SetString(message, field, text);
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      Fill(text,
           field->is_repeated() ? reflection.AddMessage(message, field) : reflection.MutableMessage(message, field));
    }
  }
}

class HostileTextTest : public NodeFixture, public testing::WithParamInterface<std::string> {
 protected:
  HostileTextTest() {
    const std::string text = GetParam();
    for (Message* message :
         std::vector<Message*>{&node_.daemon.admit, &node_.daemon.prepare, &node_.daemon.options, &node_.daemon.remove,
                               &node_.daemon.pods, &node_.daemon.resources, &node_.daemon.plugins, &node_.daemon.claims,
                               &node_.daemon.explain, &node_.daemon.forget, &node_.daemon.version,
                               &node_.pod_resources.list, &node_.pod_resources.get, &node_.pod_resources.allocatable}) {
      Fill(text, message);
    }
    SocketReport report{.services = {{.name = "s", .meaning = "m"}}, .problems = {text}};
    Fill(text, &report.registration.emplace());
    Fill(text, &report.devices.emplace());
    node_.report = report;
  }

  // Lines of what prints.
  static void ExpectHarmless(const std::string& text) {
    for (std::string_view rest = text; !rest.empty();) {
      const DecodedRune rune = DecodeRune(rest);
      ASSERT_FALSE(rune.malformed()) << testing::PrintToString(text);
      ASSERT_TRUE(rune.rune == '\n' || IsPrintableRune(rune.rune)) << testing::PrintToString(text);
      rest.remove_prefix(rune.width);
    }
  }
};

TEST_P(HostileTextTest, NothingOfItIsPrintedAsItIs) {
  const std::string text = GetParam();
  for (const char* kind : {"devices", "resources", "plugins", "pods", "claims", "endpoints", "events"}) {
    for (const char* output : {"table", "wide", "name", "json", "yaml"}) {
      node_.daemon.happens.push_back([&] {
        v1::Event event;
        Fill(text, &event);
        return event;
      });
      RunGet({.kind = kind, .output = output, .connection = connection_}, environment_);
    }
    RunGet({.kind = kind, .name = text + "x", .connection = connection_}, environment_);
  }
  for (const char* kind : {"pod", "claim", "resource", "plugin"}) {
    EXPECT_EQ(RunDescribe({.kind = kind, .name = text, .connection = connection_}, environment_), kOk) << kind << err();
    for (const char* output : {"text", "json", "yaml"}) {
      RunExplainNode({.kind = kind, .name = text, .output = output, .connection = connection_}, environment_);
    }
  }
  const PodChoice pod{.pod = text, .connection = connection_};
  RunAdmit({.file = Put("pod.yaml", "kind: Pod"), .connection = connection_}, environment_);
  EXPECT_EQ(RunPrepare(pod, environment_), kRefused);
  EXPECT_EQ(RunDelete({.choice = pod}, environment_), kRefused);
  EXPECT_EQ(RunStarted(pod, text, environment_), kOk);
  EXPECT_EQ(RunExited(pod, text, environment_), kOk);
  EXPECT_EQ(RunContainerOptions({.choice = pod, .container = text, .show_secrets = true}, environment_), kOk);
  EXPECT_EQ(RunForgetClaim({.claim = text, .connection = connection_}, environment_), kOk);
  EXPECT_EQ(RunVersion({.connection = connection_}, environment_), kOk);
  for (const char* call : {"list", "get", "allocatable"}) {
    for (const char* output : {"table", "json", "yaml"}) {
      EXPECT_EQ(RunPodres({.call = call, .pod = "web", .output = output, .root_dir = "/r"}, environment_), kOk);
    }
  }
  for (const char* output : {"text", "json", "yaml"}) {
    EXPECT_EQ(RunProbe({.socket = "/r/kubelet_cm.sock", .output = output}, environment_), kOk);
  }
  RunProbe({.socket = "/" + text}, environment_);
  ExpectHarmless(out());
  ExpectHarmless(err());
}

TEST_P(HostileTextTest, NothingOfAnErrorIsPrintedAsItIs) {
  node_.daemon.error = absl::InternalError(GetParam());
  node_.pod_resources.error = node_.daemon.error;
  node_.report = node_.daemon.error;
  RunGet({.kind = "pods", .connection = connection_}, environment_);
  RunPodres({.call = "list", .root_dir = "/r"}, environment_);
  RunProbe({.socket = "/r/kubelet_cm.sock"}, environment_);
  EXPECT_EQ(out(), "");
  EXPECT_NE(err(), "");
  ExpectHarmless(err());
}

// An escape sequence, a line of its own, a mark that turns the writing around, and bytes that are no text.
INSTANTIATE_TEST_SUITE_P(Texts, HostileTextTest,
                         testing::Values("a\x1b[31m", "a\nb", "a\rb",
                                         "\xe2\x80\xae"
                                         "cba",
                                         "\xe2\x81\xa6x", "a\xff\xfe", "a\x7f",
                                         "\xc2\x9b"
                                         "31m",
                                         "\xf3\xa0\x81\x81"));

}  // namespace
}  // namespace kubelet_cm::cmctl
