#include "kubelet_cm/claims/claim_files.h"

#include <string>

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
using testing::SizeIs;

std::string Claim(const std::string& name, const std::string& more_metadata = "") {
  return absl::StrCat("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: ", name, more_metadata,
                      "}\nstatus:\n  allocation: {devices: {results: [{request: r, driver: d.example.com, pool: p, "
                      "device: d0}]}}\n");
}

absl::Status Set(ClaimFiles& files, const std::string& file, const std::string& text) {
  return files.Set(file, ParseClaimManifest(text));
}

std::vector<std::string> Names(const ClaimFiles& files) {
  std::vector<std::string> names;
  for (const ListedClaim& listed : files.List()) names.push_back(listed.claim.id.Key() + " in " + listed.file);
  return names;
}

TEST(ClaimFilesTest, GivesClaimsByName) {
  ClaimFiles files;
  ASSERT_OK(Set(files, "a.yaml", Claim("one", ", namespace: ml, uid: u1") + "---\n" + Claim("two")));
  ASSERT_OK_AND_ASSIGN(const dra::ClaimObject claim, files.Get("ml", "one"));
  EXPECT_EQ(claim.id.uid, "u1");
  EXPECT_EQ(claim.allocation->results[0].device, "d0");
  EXPECT_OK(files.Get("default", "two"));
  EXPECT_THAT(Names(files), ElementsAre("default/two in a.yaml", "ml/one in a.yaml"));
  EXPECT_THAT(files.Problems(), IsEmpty());
}

TEST(ClaimFilesTest, SaysInTheServersWordsThatThereIsNone) {
  EXPECT_THAT(ClaimFiles().Get("default", "x"),
              StatusIs(absl::StatusCode::kNotFound, "resourceclaims.resource.k8s.io \"x\" not found"));
}

TEST(ClaimFilesTest, GivesAClaimWithoutUidTheSameOneWhateverIsEdited) {
  ClaimFiles files;
  ASSERT_OK(Set(files, "a.yaml", Claim("one")));
  ASSERT_OK_AND_ASSIGN(const dra::ClaimObject before, files.Get("default", "one"));
  ASSERT_OK(Set(files, "a.yaml", Claim("one") + "  reservedFor: [{resource: pods, name: p, uid: u}]\n"));
  ASSERT_OK_AND_ASSIGN(const dra::ClaimObject after, files.Get("default", "one"));
  EXPECT_EQ(before.id.uid, after.id.uid);
  EXPECT_THAT(after.reserved_for, SizeIs(1));
}

TEST(ClaimFilesTest, ReadsListsAndOldVersions) {
  ClaimFiles files;
  ASSERT_OK(Set(files, "a.json", R"({"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaimList","items":[
      {"metadata":{"name":"one"}},{"metadata":{"name":"two"}}]})"));
  ASSERT_OK(Set(files, "b.json", R"({"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim",
      "metadata":{"name":"old"},"status":{"driverName":"d.example.com"}})"));
  EXPECT_THAT(files.List(), SizeIs(3));
}

TEST(ClaimFilesTest, ForgetsWhatAFileNoLongerHas) {
  ClaimFiles files;
  ASSERT_OK(Set(files, "a", Claim("one")));
  ASSERT_OK(Set(files, "a", Claim("two")));
  EXPECT_THAT(Names(files), ElementsAre("default/two in a"));
  files.Remove("a");
  files.Remove("never there");
  EXPECT_THAT(Names(files), IsEmpty());
  EXPECT_THAT(files.Get("default", "two"), StatusIs(absl::StatusCode::kNotFound));
}

TEST(ClaimFilesTest, ServesTheOthersWhenOneFileIsBroken) {
  ClaimFiles files;
  ASSERT_OK(Set(files, "a", Claim("one")));
  ASSERT_OK(Set(files, "b", Claim("two")));
  EXPECT_THAT(Set(files, "a", "a: ["), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_OK(files.Get("default", "two"));
  EXPECT_THAT(files.Get("default", "one"),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("\"one\" is in a, which is broken: line 1")));
  EXPECT_THAT(Names(files), ElementsAre("default/two in b"));
  ASSERT_THAT(files.Problems(), SizeIs(1));
  EXPECT_EQ(files.Problems()[0].file, "a");
  ASSERT_OK(Set(files, "a", Claim("one")));
  EXPECT_OK(files.Get("default", "one"));
}

TEST(ClaimFilesTest, NamesBothFilesThatHaveAClaim) {
  ClaimFiles files;
  ASSERT_OK(Set(files, "a", Claim("one")));
  ASSERT_OK(Set(files, "b", Claim("one")));
  const auto both =
      StatusIs(absl::StatusCode::kFailedPrecondition, "resourceclaims.resource.k8s.io \"one\" is in a and in b");
  EXPECT_THAT(files.Get("default", "one"), both);
  ASSERT_THAT(files.Problems(), SizeIs(2));
  EXPECT_THAT(files.Problems()[1].error, both);
  files.Remove("a");
  EXPECT_OK(files.Get("default", "one"));
  EXPECT_THAT(files.Problems(), IsEmpty());
}

TEST(ClaimFilesTest, RefusesAFileThatHasAClaimTwice) {
  ClaimFiles files;
  EXPECT_THAT(Set(files, "a", Claim("one") + "---\n" + Claim("one")),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("is in a and in a")));
  EXPECT_THAT(Names(files), IsEmpty());
}

TEST(ClaimFilesTest, NamesThePlaceOfWhatIsWrong) {
  const auto refused = [](const char* message) {
    return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(message));
  };
  EXPECT_THAT(ParseClaimManifest(Claim("one") + "---\nkind: Pod\n"),
              refused("line 7, column 1: kind: \"Pod\" is not ResourceClaim"));
  EXPECT_THAT(ParseClaimManifest("apiVersion: resource.k8s.io/v9\nkind: ResourceClaim\n"),
              refused("line 1, column 1: apiVersion: \"resource.k8s.io/v9\" is no version"));
  EXPECT_THAT(ParseClaimManifest(Claim("UP")), refused("line 1, column 1: metadata.name: \"UP\""));
  EXPECT_THAT(ParseClaimManifest(Claim("[one]")), refused("line 3, column 18: json: cannot unmarshal array"));
}

TEST(ClaimFilesTest, TellsThatAFileCannotBeRead) {
  ClaimFiles files;
  EXPECT_EQ(files.Set("a", absl::PermissionDeniedError("no")), absl::PermissionDeniedError("no"));
  EXPECT_THAT(files.Problems(), ElementsAre(ManifestProblem{"a", absl::PermissionDeniedError("no")}));
}

}  // namespace
}  // namespace kubelet_cm
