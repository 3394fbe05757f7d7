#include "kubelet_cm/manifest/manifest_objects.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> Kinds(std::string_view text) {
  const auto objects = ManifestObjects::Read(text);
  EXPECT_OK(objects);
  std::vector<std::string> kinds;
  if (objects.ok()) {
    for (const ManifestObject& object : objects->all()) kinds.push_back(object.api_version + " " + object.kind);
  }
  return kinds;
}

auto IsRefused(const char* message) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(message)); }

TEST(ManifestObjectsTest, ReadsJson) {
  EXPECT_THAT(Kinds(R"( {"apiVersion":"v1","kind":"Pod"} )"), ElementsAre("v1 Pod"));
}

TEST(ManifestObjectsTest, ReadsManyYamlDocuments) {
  EXPECT_THAT(Kinds("apiVersion: v1\nkind: Pod\n---\napiVersion: v2\nkind: Other\n"),
              ElementsAre("v1 Pod", "v2 Other"));
  EXPECT_THAT(Kinds(""), IsEmpty());
  EXPECT_THAT(Kinds("# a comment\n"), IsEmpty());
}

TEST(ManifestObjectsTest, TakesListsApart) {
  EXPECT_THAT(
      Kinds("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod}\n- {apiVersion: x/v1, kind: Claim}\n"),
      ElementsAre("v1 Pod", "x/v1 Claim"));
  EXPECT_THAT(Kinds(R"({"apiVersion":"x/v1","kind":"ClaimList","items":[{},{"apiVersion":"x/v2","kind":"Claim"}]})"),
              ElementsAre("x/v1 Claim", "x/v2 Claim"));
  EXPECT_THAT(Kinds(R"({"kind":"List","items":null})"), IsEmpty());
  EXPECT_THAT(Kinds(R"({"kind":"List"})"), IsEmpty());
}

TEST(ManifestObjectsTest, RefusesListsInLists) {
  EXPECT_THAT(ManifestObjects::Read("kind: List\nitems:\n- kind: List\n"),
              IsRefused("line 3, column 3: a list in a list"));
  EXPECT_THAT(ManifestObjects::Read("kind: PodList\nitems: 5\n"), IsRefused("line 2, column 8: items: not a list"));
}

TEST(ManifestObjectsTest, NamesThePlaceOfWhatIsWrong) {
  EXPECT_THAT(ManifestObjects::Read("kind: Pod\n---\n- a\n"), IsRefused("line 3, column 1: not an object"));
  EXPECT_THAT(ManifestObjects::Read("kind: [Pod]\n"), IsRefused("line 1, column 7: json: cannot unmarshal array"));
  EXPECT_THAT(ManifestObjects::Read("{\"kind\":\n \"Pod\",}"), IsRefused("line 2, column 8: invalid character '}'"));
}

TEST(ManifestObjectsTest, BoundsSizesAndCounts) {
  EXPECT_THAT(ManifestObjects::Read("{" + std::string(kMaxManifestBytes, ' ')),
              StatusIs(absl::StatusCode::kResourceExhausted));
  std::string list = R"({"kind":"List","items":[{})";
  for (size_t i = 0; i < kMaxManifestObjects; ++i) list += ",{}";
  EXPECT_THAT(ManifestObjects::Read(list + "]}"), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(ManifestObjectsTest, StaysWholeWhenItIsMoved) {
  ASSERT_OK_AND_ASSIGN(ManifestObjects first, ManifestObjects::Read("kind: Pod\n"));
  const ManifestObjects objects = std::move(first);
  EXPECT_EQ(objects.all()[0].value.literal(), R"({"kind":"Pod"})");
  EXPECT_THAT(objects.all()[0].WithPlace(absl::NotFoundError("gone")),
              StatusIs(absl::StatusCode::kNotFound, "line 1, column 1: gone"));
}

}  // namespace
}  // namespace kubelet_cm
