#include "kubelet_cm/pluginwatcher/endpoint_check.h"

#include <string>

#include "common/filesystem/fake_file_system.h"
#include "common/status/status_matchers.h"

namespace kubelet_cm::pluginwatcher {
namespace {

using ::testing::HasSubstr;

auto Refused(const std::string& why) { return StatusIs(absl::StatusCode::kPermissionDenied, HasSubstr(why)); }

class EndpointCheckTest : public ::testing::Test {
 protected:
  EndpointCheckTest() {
    EXPECT_OK(files_.MakeFolders("/kubelet/plugins/d", 0750));
    EXPECT_OK(files_.AddSocket("/kubelet/plugins/d/dra.sock"));
  }
  FakeFileSystem files_;
};

TEST_F(EndpointCheckTest, AnEndpointMayBeAnywhereUnlessItIsConfined) {
  EXPECT_OK(CheckEndpoint(files_, "/elsewhere/../x.sock", ""));
  EXPECT_THAT(CheckEndpoint(files_, "relative", ""), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(CheckEndpoint(files_, "/" + std::string(107, 'x'), ""), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(EndpointCheckTest, AConfinedEndpointIsBelowTheFolder) {
  EXPECT_OK(CheckEndpoint(files_, "/kubelet/plugins/d/dra.sock", "/kubelet"));
  EXPECT_OK(CheckEndpoint(files_, "/kubelet/plugins/d/dra.sock", "/kubelet/"));
  EXPECT_OK(CheckEndpoint(files_, "/kubelet/plugins/to/come.sock", "/kubelet"));
  EXPECT_THAT(CheckEndpoint(files_, "/kubelets/x.sock", "/kubelet"), Refused("/kubelets/x.sock is outside"));
  EXPECT_THAT(CheckEndpoint(files_, "/kubelet/plugins/../../x.sock", "/kubelet"), Refused("has \"..\" in it"));
}

TEST_F(EndpointCheckTest, LinksDoNotLeadOut) {
  ASSERT_OK(files_.MakeFolders("/elsewhere", 0750));
  ASSERT_OK(files_.AddSocket("/elsewhere/x.sock"));
  ASSERT_OK(files_.AddSymlink("/elsewhere", "/kubelet/folder"));
  ASSERT_OK(files_.AddSymlink("/elsewhere/x.sock", "/kubelet/x.sock"));
  EXPECT_THAT(CheckEndpoint(files_, "/kubelet/folder/x.sock", "/kubelet"), Refused("leads through a symbolic link"));
  EXPECT_THAT(CheckEndpoint(files_, "/kubelet/x.sock", "/kubelet"), Refused("leads through a symbolic link"));
}

}  // namespace
}  // namespace kubelet_cm::pluginwatcher
