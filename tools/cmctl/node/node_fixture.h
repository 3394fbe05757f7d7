// Runs the verbs that talk to a node in memory: a fake daemon at /r/kubelet_cm.sock, and golden files.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_NODE_FIXTURE_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_NODE_FIXTURE_H_

#include <string>

#include "common/filesystem/posix_file_system.h"
#include "google/protobuf/text_format.h"
#include "tools/cmctl/checkpoint/verb_fixture.h"
#include "tools/cmctl/node/daemon_connection.h"
#include "tools/cmctl/node/fake_connections.h"

namespace kubelet_cm::cmctl {

class NodeFixture : public VerbFixture {
 protected:
  NodeFixture() {
    environment_.node = &node_;
    environment_.user = {.user = "alice", .working_folder = "/w"};
    EXPECT_OK(file_system_.MakeFolders("/r/pod-resources", 0755));
    EXPECT_OK(file_system_.AddSocket("/r/kubelet_cm.sock"));
    EXPECT_OK(file_system_.AddSocket("/r/pod-resources/kubelet.sock"));
  }

  // A message in the text format.
  template <typename Message>
  static void Set(const std::string& text, Message* message) {
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, message)) << text;
  }

  // What was printed since the last call is what the file in testdata says. If it is not, what was printed lies in the
  // test's folder for temporary files.
  void ExpectGolden(const std::string& name) {
    const auto wanted = ReadFile(posix_, "tools/cmctl/node/testdata/" + name, 1 << 20);
    if (wanted.value_or("(none)") != out()) {
      EXPECT_OK(AtomicWrite(posix_, random_, testing::TempDir() + "/" + name, out(), 0600));
    }
    EXPECT_EQ(wanted.value_or("(none)"), out()) << name;
    out_.str("");
  }

  PosixFileSystem posix_;
  FakeConnections node_;
  const ConnectionFlags connection_{.root_dir = "/r"};
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_NODE_FIXTURE_H_
