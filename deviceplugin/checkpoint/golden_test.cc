// golden_test FOLDER...: every checkpoint file in the folders has a sidecar, and this project agrees with all of them.
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "common/gotext/json_document.h"
#include "deviceplugin/checkpoint/golden_case.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

constexpr std::string_view kSidecar = ".expect.json";
constexpr std::string_view kFile = ".json";
constexpr size_t kMaxBytes = size_t{16} << 20;
constexpr size_t kShown = 4000;

class GoldenTest : public testing::Test {
 public:
  explicit GoldenTest(std::string folder) : folder_(std::move(folder)) {}

  void TestBody() override {
    const auto names = files_.List(folder_);
    ASSERT_TRUE(names.ok()) << names.status();
    size_t cases = 0;
    for (const std::string& name : *names) {
      if (!name.ends_with(kSidecar)) continue;
      Check(name.substr(0, name.size() - kSidecar.size()));
      ++cases;
    }
    EXPECT_GT(cases, 0u) << "no sidecars in " << folder_;
    std::printf("%zu files of %s\n", cases, folder_.c_str());
  }

 private:
  void Check(const std::string& name) {
    const auto file = ReadFile(files_, absl::StrCat(folder_, "/", name, std::string(kFile)), kMaxBytes);
    ASSERT_TRUE(file.ok()) << file.status();
    const auto sidecar = ReadFile(files_, absl::StrCat(folder_, "/", name, std::string(kSidecar)), kMaxBytes);
    ASSERT_TRUE(sidecar.ok()) << sidecar.status();
    const auto document = JsonDocument::Parse(*sidecar);
    ASSERT_TRUE(document.ok()) << name << ": " << document.status();
    for (const std::string& wrong : DisagreementsWithGolden(*file, document->root())) {
      ADD_FAILURE() << folder_ << "/" << name << ": " << wrong.substr(0, kShown);
    }
  }

  const std::string folder_;
  PosixFileSystem files_;
};

}  // namespace
}  // namespace kubelet_cm::deviceplugin

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string folder = argv[i];
    testing::RegisterTest("Golden", folder.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [folder]() -> testing::Test* { return new kubelet_cm::deviceplugin::GoldenTest(folder); });
  }
  return argc > 1 ? RUN_ALL_TESTS() : 1;
}
