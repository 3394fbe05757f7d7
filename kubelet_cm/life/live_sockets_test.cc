#include "kubelet_cm/life/live_sockets.h"

#include <memory>
#include <string>

#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "common/unixsocket/short_temp_dir.h"
#include "common/unixsocket/silent_socket.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::life {
namespace {

using ::testing::HasSubstr;

class LiveSocketsTest : public ::testing::Test {
 protected:
  const ShortTempDir folder_;
  const std::string path_ = folder_.File("kubelet.sock");
};

TEST_F(LiveSocketsTest, NothingIsNobody) {
  EXPECT_THAT(SomebodyListens(path_), IsOkAndHolds(false));
  EXPECT_THAT(SomebodyListens(folder_.File("no/such/folder.sock")), IsOkAndHolds(false));
}

TEST_F(LiveSocketsTest, WhoListensIsSomebodyAndIsNotAfterwards) {
  auto kubelet = std::make_unique<SilentSocket>(path_);
  EXPECT_THAT(SomebodyListens(path_), IsOkAndHolds(true));
  kubelet.reset();
  EXPECT_THAT(SomebodyListens(path_), IsOkAndHolds(false));
}

TEST_F(LiveSocketsTest, WhoIsTooBusyToAnswerIsSomebody) {
  const SilentSocket kubelet(path_);
  for (int i = 0; i < 10'000; ++i) ASSERT_THAT(SomebodyListens(path_), IsOkAndHolds(true));
}

TEST_F(LiveSocketsTest, TheErrorNamesTheSocket) {
  const SilentSocket kubelet(path_);
  EXPECT_THAT(CheckNobodyListens({folder_.File("other.sock"), path_}),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("serves " + path_)));
  EXPECT_OK(CheckNobodyListens({folder_.File("other.sock")}));
}

TEST_F(LiveSocketsTest, AFileThatIsNoSocketIsNobody) {
  PosixFileSystem files;
  ASSERT_OK(files.Open(path_, OpenMode::kCreate).status());
  EXPECT_THAT(SomebodyListens(path_), IsOkAndHolds(false));
}

TEST_F(LiveSocketsTest, APathThatIsTooLongIsAnError) {
  EXPECT_THAT(SomebodyListens("/" + std::string(200, 'x')), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kubelet_cm::life
