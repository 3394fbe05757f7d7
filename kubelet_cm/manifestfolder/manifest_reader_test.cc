#include "kubelet_cm/manifestfolder/manifest_reader.h"

#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/filesystem/fake_file_system.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/manifest/manifest_objects.h"

namespace kubelet_cm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ManifestReaderTest : public testing::Test {
 protected:
  ManifestReaderTest() { EXPECT_OK(files_.MakeFolders("/pods", 0755)); }

  // In place of what was there, as a rename brings it.
  void Put(const std::string& name, const std::string& text) {
    ASSERT_OK_AND_ASSIGN(const auto file, files_.Open("/new", OpenMode::kCreate));
    ASSERT_OK(file->Write(text));
    ASSERT_OK(files_.Rename("/new", "/pods/" + name));
  }

  // "name=text", "name!" for an error, "-name" for a file that is gone.
  std::vector<std::string> Changes(const std::set<std::string>& touched = {}) {
    const auto changes = reader_.Read(touched);
    EXPECT_OK(changes);
    std::vector<std::string> shown;
    for (const ManifestFile& file : changes->changed)
      shown.push_back(file.name + (file.text.ok() ? "=" + *file.text : "!"));
    for (const std::string& name : changes->gone) shown.push_back("-" + name);
    return shown;
  }

  FakeFileSystem files_;
  ManifestReader reader_{files_, "/pods"};
};

TEST_F(ManifestReaderTest, TellsEveryFileOnce) {
  Put("b.yaml", "two");
  Put("a.yaml", "one");
  EXPECT_THAT(Changes(), ElementsAre("a.yaml=one", "b.yaml=two"));
  EXPECT_THAT(Changes(), IsEmpty());
}

TEST_F(ManifestReaderTest, TellsWhatChangedAndWhatWent) {
  Put("a", "one");
  Put("b", "two");
  Changes();
  Put("a", "three");
  ASSERT_OK(files_.Unlink("/pods/b"));
  EXPECT_THAT(Changes(), ElementsAre("a=three", "-b"));
}

TEST_F(ManifestReaderTest, IsSilentAboutAFileThatWasWrittenAsItWas) {
  Put("a", "one");
  Changes();
  Put("a", "one");
  EXPECT_THAT(Changes({"a"}), IsEmpty());
}

TEST_F(ManifestReaderTest, LeavesDotFilesAndFoldersAlone) {
  Put(".hidden", "x");
  ASSERT_OK(files_.MakeFolders("/pods/folder", 0755));
  EXPECT_THAT(Changes({".hidden", "folder"}), IsEmpty());
}

TEST_F(ManifestReaderTest, FollowsNoLinks) {
  Put("real", "one");
  ASSERT_OK(files_.AddSymlink("/pods/real", "/pods/link"));
  ASSERT_OK(files_.AddSocket("/pods/socket"));
  ASSERT_OK_AND_ASSIGN(const ManifestChanges changes, reader_.Read({}));
  ASSERT_THAT(changes.changed, SizeIs(3));
  EXPECT_THAT(changes.changed[0].text, StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("symbolic link")));
  EXPECT_THAT(changes.changed[2].text,
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("not a regular file")));
  EXPECT_THAT(Changes(), IsEmpty());
}

TEST_F(ManifestReaderTest, BoundsTheSizeOfAFile) {
  Put("large", std::string(kMaxManifestBytes + 1, 'x'));
  EXPECT_THAT(Changes(), ElementsAre("large!"));
  Put("large", "small");
  EXPECT_THAT(Changes(), ElementsAre("large=small"));
}

TEST_F(ManifestReaderTest, TakesAFolderThatIsNotThereForEmpty) {
  Put("a", "one");
  Changes();
  ASSERT_OK(files_.EraseTree("/pods"));
  EXPECT_THAT(Changes(), ElementsAre("-a"));
  ASSERT_OK(files_.MakeFolders("/pods", 0755));
  Put("a", "one");
  EXPECT_THAT(Changes(), ElementsAre("a=one"));
}

TEST_F(ManifestReaderTest, ForgetsNothingWhenTheFolderCannotBeListed) {
  Put("a", "one");
  Changes();
  ASSERT_OK(files_.EraseTree("/pods"));
  ASSERT_OK_AND_ASSIGN(const auto file, files_.Open("/pods", OpenMode::kCreate));  // a file in the folder's place
  EXPECT_FALSE(reader_.Read({}).ok());
  ASSERT_OK(files_.Unlink("/pods"));
  EXPECT_THAT(Changes(), ElementsAre("-a"));
}

TEST_F(ManifestReaderTest, ReadsABoundedNumberOfFiles) {
  for (size_t i = 0; i < kMaxManifestFiles + 2; ++i) Put(std::to_string(10'000 + i), "x");
  EXPECT_THAT(Changes(), SizeIs(kMaxManifestFiles));
  EXPECT_EQ(reader_.left_out(), 2);
}

}  // namespace
}  // namespace kubelet_cm
