#include "kubelet_cm/staticpods/pod_files.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

PodManifest MakePod(const std::string& uid, const std::string& name, const std::string& fingerprint = "f") {
  return {.pod = {.uid = uid, .namespace_name = "default", .name = name}, .fingerprint = fingerprint};
}

class PodFilesTest : public testing::Test {
 protected:
  // "uid" of pods that came or changed, "-uid" of those that are gone, in their order.
  std::vector<std::string> Changes() {
    const PodChanges changes = files_.TakeChanges();
    std::vector<std::string> shown;
    for (const std::string& uid : changes.gone) shown.push_back("-" + uid);
    for (const PodManifest& pod : changes.pods) shown.push_back(pod.pod.uid);
    return shown;
  }
  absl::Status Set(const std::string& file, std::vector<PodManifest> pods) { return files_.Set(file, std::move(pods)); }

  PodFiles files_{"node"};
};

TEST_F(PodFilesTest, TellsEachPodOnceAsTheNodesOwn) {
  ASSERT_OK(Set("a", {MakePod("u2", "two"), MakePod("u1", "one")}));
  const PodChanges changes = files_.TakeChanges();
  ASSERT_THAT(changes.pods, SizeIs(2));
  EXPECT_EQ(changes.pods[0].pod.name, "one-node");
  EXPECT_EQ(changes.pods[0].node_name, "node");
  EXPECT_THAT(Changes(), IsEmpty());
}

TEST_F(PodFilesTest, TellsAChangedPodAgainIfItsUidStays) {
  ASSERT_OK(Set("a", {MakePod("u1", "one", "before")}));
  Changes();
  ASSERT_OK(Set("a", {MakePod("u1", "one", "after")}));
  EXPECT_THAT(Changes(), ElementsAre("u1"));
}

TEST_F(PodFilesTest, TakesAChangedPodWithoutUidForAnotherOne) {
  ASSERT_OK(Set("a", {MakePod("", "one", "before")}));
  const std::vector<std::string> before = Changes();
  ASSERT_OK(Set("a", {MakePod("", "one", "after")}));
  const std::vector<std::string> changes = Changes();
  ASSERT_THAT(changes, SizeIs(2));
  EXPECT_EQ(changes[0], "-" + before[0]);
  EXPECT_NE(changes[1], before[0]);
  EXPECT_THAT(files_.Problems(), IsEmpty());
}

TEST_F(PodFilesTest, TellsOfPodsThatAreGone) {
  ASSERT_OK(Set("a", {MakePod("u1", "one"), MakePod("u2", "two")}));
  ASSERT_OK(Set("b", {MakePod("u3", "three")}));
  Changes();
  ASSERT_OK(Set("a", {MakePod("u2", "two")}));
  files_.Remove("b");
  EXPECT_THAT(Changes(), ElementsAre("-u1", "-u3"));
  EXPECT_THAT(files_.List(), SizeIs(1));
}

TEST_F(PodFilesTest, KeepsThePodsOfAFileThatBreaks) {
  ASSERT_OK(Set("a", {MakePod("u1", "one")}));
  Changes();
  EXPECT_EQ(files_.Set("a", absl::InvalidArgumentError("typing error")), absl::InvalidArgumentError("typing error"));
  EXPECT_THAT(Changes(), IsEmpty());
  EXPECT_THAT(files_.Problems(), ElementsAre(ManifestProblem{"a", absl::InvalidArgumentError("typing error")}));
  EXPECT_TRUE(files_.AnyBroken());
  ASSERT_OK(Set("a", {MakePod("u1", "one")}));
  EXPECT_THAT(Changes(), IsEmpty());
  EXPECT_THAT(files_.Problems(), IsEmpty());
  EXPECT_FALSE(files_.AnyBroken());
}

TEST_F(PodFilesTest, KeepsAPodAsItIsInTheFileThatHadItFirst) {
  ASSERT_OK(Set("b", {MakePod("u1", "one", "first")}));
  Changes();
  ASSERT_OK(Set("a", {MakePod("u1", "one", "second")}));
  EXPECT_THAT(Changes(), IsEmpty());
  ASSERT_THAT(files_.Problems(), SizeIs(1));
  EXPECT_EQ(files_.Problems()[0].file, "a");
  EXPECT_THAT(files_.Problems()[0].error,
              StatusIs(absl::StatusCode::kAlreadyExists, "pod default/one-node (u1) is in b already"));
  files_.Remove("b");
  EXPECT_THAT(Changes(), ElementsAre("u1"));
  EXPECT_THAT(files_.Problems(), IsEmpty());
}

TEST_F(PodFilesTest, RefusesASecondPodOfTheSameName) {
  ASSERT_OK(Set("a", {MakePod("u1", "one"), MakePod("u2", "one")}));
  EXPECT_THAT(Changes(), ElementsAre("u1"));
  ASSERT_THAT(files_.Problems(), SizeIs(1));
  EXPECT_THAT(files_.Problems()[0].error, StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("is in a already")));
}

TEST_F(PodFilesTest, RefusesAPodThatCannotHaveTheNodesName) {
  EXPECT_THAT(Set("a", {MakePod("u1", std::string(250, 'x'))}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Changes(), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm
