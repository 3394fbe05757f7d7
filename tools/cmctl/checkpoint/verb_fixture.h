// Runs verbs in memory: a disk, a clock that stands still, and what was printed.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_VERB_FIXTURE_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_VERB_FIXTURE_H_

#include <sstream>
#include <string>

#include "common/clock/fake_clock.h"
#include "common/filesystem/atomic_write.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/file_functions.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "gtest/gtest.h"
#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

class VerbFixture : public testing::Test {
 protected:
  // A file in the folder /f, which is there.
  std::string Put(const std::string& name, const std::string& bytes) {
    EXPECT_OK(file_system_.MakeFolders("/f", 0755));
    EXPECT_OK(AtomicWrite(file_system_, random_, "/f/" + name, bytes, 0600));
    return "/f/" + name;
  }

  // "(error)" and what it was, for a file that cannot be read.
  std::string Get(const std::string& path) {
    const auto bytes = ReadFile(file_system_, path, 1 << 20);
    return bytes.ok() ? *bytes : "(error) " + bytes.status().ToString();
  }

  std::string out() const { return out_.str(); }
  std::string err() const { return err_.str(); }

  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
  FakeFileSystem file_system_;
  FakeClock clock_{absl::FromUnixSeconds(1790000000)};
  SeededRandom random_{1};
  ToolEnvironment environment_{in_, out_, err_, file_system_, clock_, random_};
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_VERB_FIXTURE_H_
