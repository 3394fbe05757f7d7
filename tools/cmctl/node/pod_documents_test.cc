#include "tools/cmctl/node/pod_documents.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::cmctl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(PodDocumentsTest, ASinglePodIsHandedOnAsItStands) {
  const std::string text = "# a comment\nkind: Pod\nmetadata: {name: a}\n";
  ASSERT_OK_AND_ASSIGN(const PodDocuments documents, SplitPods(text));
  EXPECT_THAT(documents.pods, ElementsAre(text));
}

TEST(PodDocumentsTest, DocumentsAndListsAreTakenApart) {
  ASSERT_OK_AND_ASSIGN(const PodDocuments documents,
                       SplitPods("kind: Pod\napiVersion: v1\nmetadata: {name: a}\n---\nkind: ConfigMap\n---\n"
                                 "kind: PodList\napiVersion: v1\nitems:\n- metadata: {name: b}\n"));
  EXPECT_THAT(documents.pods, ElementsAre(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}})",
                                          R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"b"}})"));
  EXPECT_THAT(documents.passed_over, ElementsAre("ConfigMap"));
}

TEST(PodDocumentsTest, JsonIsReadToo) {
  ASSERT_OK_AND_ASSIGN(const PodDocuments documents,
                       SplitPods(R"({"kind":"List","apiVersion":"v1","items":[{"kind":"Pod","apiVersion":"v1"}]})"));
  EXPECT_EQ(documents.pods.size(), 1u);
  EXPECT_THAT(documents.passed_over, IsEmpty());
}

TEST(PodDocumentsTest, WhatHasNoPodIsRefused) {
  EXPECT_THAT(SplitPods("").status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(SplitPods("kind: Job\n").status(), StatusIs(absl::StatusCode::kInvalidArgument, "there is no pod in it"));
  EXPECT_THAT(SplitPods("a: [").status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kubelet_cm::cmctl
