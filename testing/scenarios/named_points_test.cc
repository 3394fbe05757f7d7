#include "testing/scenarios/named_points.h"

#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/path.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/scenarios/scenario_file.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::Contains;

constexpr size_t kMost = size_t{16} << 20;

std::string TextOf(const std::string& path) {
  PosixFileSystem files;
  const absl::StatusOr<std::string> text = ReadFile(files, path, kMost);
  EXPECT_OK(text);
  return text.ok() ? *text : "";
}

// Of the scenarios in the folder.
void AddPoints(const std::string& folder, std::set<std::string>* points) {
  PosixFileSystem files;
  const auto names = files.List(folder);
  if (!names.ok()) return;  // no folder
  for (const std::string& name : *names) {
    if (!name.ends_with(".textproto")) continue;
    const absl::StatusOr<ScenarioFile> file = LoadScenario(name, TextOf(JoinPath(folder, name)));
    EXPECT_OK(file);
    if (!file.ok()) continue;
    for (const proto::Step& step : file->scenario.steps()) points->insert(step.dies_at().point());
  }
}

// Each scenario is a test, and fails if its kubelet does not come to the point.
std::set<std::string> PointsOfTheLibrary() {
  PosixFileSystem files;
  const std::string scenarios = "testing/scenarios";
  const auto folders = files.List(scenarios);
  EXPECT_OK(folders);
  std::set<std::string> points;
  if (!folders.ok()) return points;
  for (const std::string& folder : *folders) AddPoints(JoinPath(scenarios, folder), &points);
  return points;
}

TEST(NamedPointsTest, AScenarioDiesAtEach) {
  const std::set<std::string> met = PointsOfTheLibrary();
  for (const NamedPoint& point : NamedPoints()) EXPECT_THAT(met, Contains(std::string(point.name)));
}

TEST(NamedPointsTest, TheDocumentHasThemAllAndNoOthers) {
  std::string table = "\n\n| point | when the kubelet dies there |\n|---|---|\n";
  for (const NamedPoint& point : NamedPoints()) {
    absl::StrAppend(&table, "| `", std::string(point.name), "` | ", std::string(point.meaning), " |\n");
  }
  EXPECT_TRUE(absl::StrContains(TextOf("docs/scenarios.md"), table + "\n")) << "docs/scenarios.md is to have:" << table;
}

TEST(NamedPointsTest, EachHasAnotherNameAndOneWay) {
  std::set<std::string_view> names;
  for (const NamedPoint& point : NamedPoints()) {
    EXPECT_TRUE(names.insert(point.name).second) << point.name;
    EXPECT_NE(point.call.empty(), point.op.empty()) << point.name;
  }
}

}  // namespace
}  // namespace kubelet_cm::scenarios
