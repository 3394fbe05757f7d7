#include "tools/cmctl/checkpoint/output_file.h"

#include <string>

#include "gmock/gmock.h"
#include "tools/cmctl/checkpoint/verb_fixture.h"

namespace kubelet_cm::cmctl {
namespace {

using OutputFileTest = VerbFixture;

// 1790000000 as people read it.
constexpr char kBackup[] = "/f/a.bak-20260921T141320Z";

TEST_F(OutputFileTest, ReplacesInPlaceAndKeepsTheOldFile) {
  const std::string file = Put("a", "old");
  ASSERT_OK(WriteOutput({.in_place = true}, file, "old", "new", environment_));
  EXPECT_EQ(Get(file), "new");
  EXPECT_EQ(Get(kBackup), "old");
  EXPECT_EQ(err(), "wrote 3 bytes to /f/a; the old file is /f/a.bak-20260921T141320Z\n");
}

TEST_F(OutputFileTest, ABackupNeverReplacesAnother) {
  const std::string file = Put("a", "old");
  ASSERT_OK(WriteOutput({.in_place = true}, file, "old", "new", environment_));
  ASSERT_OK(WriteOutput({.in_place = true}, file, "new", "newer", environment_));
  EXPECT_EQ(Get(kBackup), "old");
  EXPECT_EQ(Get(std::string(kBackup) + ".2"), "new");
}

TEST_F(OutputFileTest, AFileThatIsThereIsReplacedByForceOnly) {
  const std::string file = Put("a", "old");
  EXPECT_THAT(WriteOutput({.out = file}, "/f/in", "", "new", environment_), StatusIs(absl::StatusCode::kAlreadyExists));
  EXPECT_EQ(Get(file), "old");
  ASSERT_OK(WriteOutput({.out = file, .force = true}, "/f/in", "", "new", environment_));
  EXPECT_EQ(Get(file), "new");
}

TEST_F(OutputFileTest, OnlyARegularFileIsReplaced) {
  const std::string file = Put("a", "old");
  ASSERT_OK(file_system_.AddSymlink(file, "/f/link"));
  ASSERT_OK(file_system_.AddSocket("/f/socket"));
  for (const char* there : {"/f/link", "/f/socket", "/f"}) {
    EXPECT_THAT(WriteOutput({.out = there, .force = true}, "/f/in", "", "new", environment_),
                StatusIs(absl::StatusCode::kFailedPrecondition, testing::HasSubstr("is no regular file")));
  }
  EXPECT_EQ(file_system_.Lstat("/f/link")->kind, FileKind::kSymlink);
}

TEST_F(OutputFileTest, ADryRunChangesNothing) {
  const std::string file = Put("a", "old");
  const std::string before = file_system_.Describe();
  ASSERT_OK(WriteOutput({.in_place = true, .dry_run = true}, file, "old", "new", environment_));
  ASSERT_OK(WriteOutput({.out = "/f/b", .dry_run = true}, file, "old", "new", environment_));
  ASSERT_OK(WriteOutput({.out = "-", .dry_run = true}, file, "old", "new", environment_));
  EXPECT_EQ(file_system_.Describe(), before);
  EXPECT_EQ(out(), "");
}

TEST_F(OutputFileTest, ALinkIsNotReplacedInPlace) {
  const std::string file = Put("a", "old");
  ASSERT_OK(file_system_.AddSymlink(file, "/f/link"));
  EXPECT_THAT(WriteOutput({.in_place = true}, "/f/link", "old", "new", environment_),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_F(OutputFileTest, OptionsMustFitTogether) {
  EXPECT_OK(CheckOutputOptions({.out = "-"}, "-"));
  EXPECT_OK(CheckOutputOptions({.in_place = true}, "/f/a"));
  EXPECT_THAT(CheckOutputOptions({}, "/f/a"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(CheckOutputOptions({.in_place = true}, "-"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(CheckOutputOptions({.out = "/f/b", .in_place = true}, "/f/a"),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kubelet_cm::cmctl
