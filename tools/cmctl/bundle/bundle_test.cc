#include "tools/cmctl/bundle/bundle.h"

#include <cstdlib>
#include <map>
#include <string>

#include "gmock/gmock.h"
#include "tools/cmctl/bundle/bundle_parts.h"
#include "tools/cmctl/checkpoint/sample_files.h"
#include "tools/cmctl/node/node_fixture.h"
#include "tools/cmctl/node/sample_node.h"
#include "zlib.h"

namespace kubelet_cm::cmctl {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::UnorderedElementsAre;

constexpr char kFolder[] = "kubelet_cm-bundle-20260921T141320Z/";

std::string Unzip(std::string packed) {
  z_stream stream = {};
  EXPECT_EQ(inflateInit2(&stream, MAX_WBITS + 16), Z_OK);
  std::string out(1 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

// The files of a bundle, without their folder.
std::map<std::string, std::string> FilesOf(const std::string& packed) {
  const std::string tar = Unzip(packed);
  std::map<std::string, std::string> files;
  for (size_t at = 0; at + 512 <= tar.size() && tar[at] != '\0';) {
    const std::string name = tar.substr(at, 100).c_str();
    const size_t size = std::strtoul(tar.substr(at + 124, 12).c_str(), nullptr, 8);
    EXPECT_THAT(name, testing::StartsWith(kFolder));
    files[name.substr(sizeof(kFolder) - 1)] = tar.substr(at + 512, size);
    at += 512 + (size + 511) / 512 * 512;
  }
  return files;
}

class BundleTest : public NodeFixture {
 protected:
  BundleTest() {
    Set(kPods, &node_.daemon.pods);
    node_.daemon.version.set_root_dir("/r");
    node_.pages["127.0.0.1:10248/metrics"] = "up 1\n";
    EXPECT_OK(file_system_.MakeFolders("/r/device-plugins", 0750));
    EXPECT_OK(file_system_.MakeFolders("/w", 0750));
    EXPECT_OK(AtomicWrite(file_system_, random_, "/r/device-plugins/kubelet_internal_checkpoint", kDevicesV1, 0600));
  }

  int Make(BundleOptions options) {
    options.connection = connection_;
    return RunBundle(options, environment_);
  }
};

TEST_F(BundleTest, HoldsWhatTheDaemonItsFilesAndPagesSay) {
  node_.daemon.happens.push_back([] { return v1::Event(); });
  EXPECT_EQ(Make({}), kOk);
  auto files = FilesOf(Get("/w/kubelet_cm-bundle-20260921T141320Z.tar.gz"));
  EXPECT_THAT(files,
              UnorderedElementsAre(Key("bundle.txt"), Key("folders.txt"), Key("daemon/version.json"),
                                   Key("daemon/pods.json"), Key("daemon/resources.json"), Key("daemon/plugins.json"),
                                   Key("daemon/claims.json"), Key("daemon/events.jsonl"), Key("podresources/list.json"),
                                   Key("podresources/allocatable.json"), Key("pages/metrics.txt"),
                                   Key("state/kubelet_internal_checkpoint.json")));
  EXPECT_EQ(files["pages/metrics.txt"], "up 1\n");
  EXPECT_THAT(files["daemon/pods.json"], HasSubstr("\"uid\": \"uid-web\""));
  EXPECT_THAT(files["folders.txt"], AllOf(HasSubstr("/r/device-plugins:\n  file"), HasSubstr("kubelet_cm.sock")));
  EXPECT_THAT(files["bundle.txt"], AllOf(HasSubstr("made by cmctl 0.1.0 at 2026-09-21T14:13:20Z\n"),
                                         HasSubstr("missing:\n  state/dra_manager_state: ")));
  EXPECT_THAT(err(), HasSubstr("missing: pages/flagz.txt: http://127.0.0.1"));
}

TEST_F(BundleTest, HoldsNoSecrets) {
  EXPECT_EQ(Make({.out = "-"}), kOk);
  const std::string state = FilesOf(out())["state/kubelet_internal_checkpoint.json"];
  EXPECT_THAT(state, AllOf(HasSubstr("redacted"), Not(HasSubstr("CgYKAUESAUI="))));
}

TEST_F(BundleTest, AsksNobodyForSecrets) {
  // They are in the options of containers only.
  (*node_.daemon.options.mutable_envs())["TOKEN"] = "hunter2";
  EXPECT_EQ(Make({.out = "-"}), kOk);
  for (const auto& [name, content] : FilesOf(out())) EXPECT_THAT(content, Not(HasSubstr("hunter2"))) << name;
  EXPECT_THAT(node_.daemon.asked, Not(testing::Contains(testing::StartsWith("ContainerOptions"))));
}

TEST_F(BundleTest, IsMadeOfANodeThatHasNothing) {
  BundleOptions options{.out = "-"};
  options.connection.root_dir = "/nowhere";
  EXPECT_EQ(RunBundle(options, environment_), kOk);
  auto files = FilesOf(out());
  EXPECT_THAT(files, UnorderedElementsAre(Key("bundle.txt"), Key("folders.txt"), Key("pages/metrics.txt")));
  for (const char* missing :
       {"daemon: no kubelet_cm answers at /nowhere/kubelet_cm.sock", "state/kubelet_internal_checkpoint: ",
        "state/dra_manager_state: ", "state/dra_health_state: ", "podresources: ", "pages/healthz.txt: "}) {
    EXPECT_THAT(files["bundle.txt"], HasSubstr(std::string("\n  ") + missing));
    EXPECT_THAT(err(), HasSubstr(std::string("missing: ") + missing));
  }
}

TEST_F(BundleTest, AnArchiveThatCannotBeWrittenIsAFailure) {
  EXPECT_EQ(Make({.out = "/none/b.tar.gz"}), kFailed);
  EXPECT_THAT(err(), HasSubstr("cmctl: open /none/b.tar.gz"));
}

TEST_F(BundleTest, IsMadeWithoutADaemonToo) {
  node_.daemon.error = absl::UnavailableError("refused");
  node_.pod_resources.error = absl::UnavailableError("refused");
  EXPECT_EQ(Make({.out = "-"}), kOk);
  auto files = FilesOf(out());
  EXPECT_THAT(files, testing::Contains(Key("state/kubelet_internal_checkpoint.json")));
  EXPECT_THAT(files["bundle.txt"], HasSubstr("  daemon: no kubelet_cm answers at /r/kubelet_cm.sock"));
}

TEST_F(BundleTest, LeavesAFileThatIsThere) {
  const std::string file = Put("b.tar.gz", "mine");
  EXPECT_EQ(Make({.out = file}), kFailed);
  EXPECT_EQ(Get(file), "mine");
  EXPECT_EQ(Make({.out = file, .force = true}), kOk);
  EXPECT_NE(Get(file), "mine");
}

}  // namespace
}  // namespace kubelet_cm::cmctl
