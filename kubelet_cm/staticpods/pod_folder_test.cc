#include "kubelet_cm/staticpods/pod_folder.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/folderwatch/fake_folder_watches.h"
#include "common/log/awaiting_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

std::string Text(const std::string& name, const std::string& uid) {
  return absl::StrCat("apiVersion: v1\nkind: Pod\nmetadata: {name: ", name, ", uid: ", uid,
                      "}\nspec: {containers: [{name: c}]}\n");
}

class Heard : public PodFolderListener {
 public:
  void OnPod(const PodManifest& manifest) override { Add(manifest.pod.uid); }
  void OnPodGone(const std::string& uid) override { Add("-" + uid); }
  void OnReady() override { Add("ready"); }
  void OnLooked(bool whole) override {
    if (std::exchange(whole_, whole) != whole) Add(whole ? "whole" : "broken");
  }

  std::vector<std::string> words() {
    MutexLock lock(&mu_);
    return words_;
  }

 private:
  void Add(const std::string& word) {
    MutexLock lock(&mu_);
    words_.push_back(word);
  }

  bool whole_ = true;  // of the folder's thread
  Mutex mu_;
  std::vector<std::string> words_ ABSL_GUARDED_BY(mu_);
};

class PodFolderTest : public testing::Test {
 protected:
  PodFolderTest() { EXPECT_OK(files_.MakeFolders("/pods", 0755)); }

  void Put(const std::string& name, const std::string& text) {
    ASSERT_OK_AND_ASSIGN(const auto file, files_.Open("/new", OpenMode::kCreate));
    ASSERT_OK(file->Write(text));
    ASSERT_OK(files_.Rename("/new", "/pods/" + name));
    watches_.Push({FolderEvent::Kind::kAppeared, "/pods/" + name});
  }

  void Start() {
    ASSERT_OK_AND_ASSIGN(pods_, PodFolder::New({threads_, files_, watches_, log_},
                                               {.folder = "/pods", .settle = absl::ZeroDuration()}, "node", heard_));
    ASSERT_OK(watches_.AwaitIdle());
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  FakeFileSystem files_;
  FakeFolderWatches watches_{threads_};
  AwaitingLogger log_;
  Heard heard_;
  std::unique_ptr<PodFolder> pods_;
};

TEST_F(PodFolderTest, TellsAllPodsBeforeItIsReady) {
  Put("b.yaml", Text("two", "u2"));
  Put("a.yaml", Text("one", "u1"));
  Start();
  EXPECT_THAT(heard_.words(), ElementsAre("u1", "u2", "ready"));
  EXPECT_THAT(pods_->List(), SizeIs(2));
}

TEST_F(PodFolderTest, IsReadyWhenThereIsNothing) {
  Start();
  EXPECT_THAT(heard_.words(), ElementsAre("ready"));
}

TEST_F(PodFolderTest, TellsWhatIsGoneBeforeWhatIsNew) {
  Put("a.yaml", Text("one", "u1"));
  Start();
  Put("a.yaml", Text("one", "u0"));
  ASSERT_OK(watches_.AwaitIdle());
  EXPECT_THAT(heard_.words(), ElementsAre("u1", "ready", "-u1", "u0"));
}

TEST_F(PodFolderTest, KeepsThePodsOfAFileThatBreaks) {
  Put("a.yaml", Text("one", "u1"));
  Start();
  Put("a.yaml", "apiVersion: [");
  ASSERT_TRUE(log_.AwaitLine("Could not use a manifest of pods"));
  ASSERT_OK(watches_.AwaitIdle());
  EXPECT_THAT(heard_.words(), ElementsAre("u1", "ready", "broken"));
  EXPECT_THAT(pods_->Problems(), SizeIs(1));
  Put("a.yaml", Text("one", "u1"));
  ASSERT_OK(watches_.AwaitIdle());
  EXPECT_THAT(heard_.words(), ElementsAre("u1", "ready", "broken", "whole"));
}

TEST_F(PodFolderTest, TellsOfPodsWhoseFileIsRemoved) {
  Put("a.yaml", Text("one", "u1"));
  Start();
  ASSERT_OK(files_.Unlink("/pods/a.yaml"));
  watches_.Push({FolderEvent::Kind::kVanished, "/pods/a.yaml"});
  ASSERT_OK(watches_.AwaitIdle());
  EXPECT_THAT(heard_.words(), ElementsAre("u1", "ready", "-u1"));
}

}  // namespace
}  // namespace kubelet_cm
