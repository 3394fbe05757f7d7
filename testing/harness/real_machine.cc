#include "testing/harness/real_machine.h"

#include "gtest/gtest.h"

namespace kubelet_cm::harness {

void RealMachine::WriteFile(const std::string& name, const std::string& text) {
  const std::string path = folder.File(name);
  EXPECT_TRUE(files.MakeFolders(path.substr(0, path.rfind('/')), 0750).ok());
  (void)files.Unlink(path).ok();
  auto file = files.Open(path, OpenMode::kCreateExclusive, 0640);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE((*file)->Write(text).ok());
  EXPECT_TRUE((*file)->Close().ok());
}

}  // namespace kubelet_cm::harness
