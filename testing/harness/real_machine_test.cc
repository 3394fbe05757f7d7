#include "testing/harness/real_machine.h"

#include "common/filesystem/file_functions.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::harness {
namespace {

TEST(RealMachineTest, AFileIsWrittenWithItsFoldersAndInPlaceOfWhatWasThere) {
  RealMachine machine;
  machine.WriteFile("manifests/web.yaml", "what was there, and longer");
  machine.WriteFile("manifests/web.yaml", "kind: Pod\n");
  EXPECT_THAT(ReadFile(machine.files, machine.folder.File("manifests/web.yaml"), 1024), IsOkAndHolds("kind: Pod\n"));
}

}  // namespace
}  // namespace kubelet_cm::harness
