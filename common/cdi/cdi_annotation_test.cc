#include "common/cdi/cdi_annotation.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

auto Refused(const std::string& why) {
  return StatusIs(absl::StatusCode::kInvalidArgument,
                  absl::StrCat("can't generate CDI annotations: CDI annotation failed: ", why));
}

absl::StatusOr<CdiAnnotation> WithKey(const std::string& plugin, const std::string& id) {
  return MakeCdiAnnotation(plugin, id, {"v/c=n"});
}
absl::StatusOr<CdiAnnotation> WithDevice(const std::string& device) {
  return MakeCdiAnnotation("p", "i", {"v/c=n", device});
}

TEST(CdiAnnotationTest, TheKeyIsThePluginAndTheIdAndTheValueTheNamesInTheirOrder) {
  ASSERT_OK_AND_ASSIGN(const CdiAnnotation annotation,
                       MakeCdiAnnotation("gpu.example.com", "a/b", {"v.com/c=z", "v.com/c=a"}));
  EXPECT_EQ(annotation, (CdiAnnotation{"cdi.k8s.io/gpu.example.com_a_b", "v.com/c=z,v.com/c=a"}));
}

TEST(CdiAnnotationTest, AKeyHasAtMost63BytesBehindItsPrefix) {
  EXPECT_OK(WithKey(std::string(61, 'p'), "i"));
  const std::string name = std::string(62, 'p') + "_i";
  EXPECT_THAT(WithKey(std::string(62, 'p'), "i"), Refused("invalid plugin+deviceID \"" + name + "\", too long"));
}

TEST(CdiAnnotationTest, KeysThatCdiRefusesAreErrorsInItsWords) {
  const struct {
    std::string plugin;
    std::string id;
    std::string error;
  } cases[] = {
      {"", "i", "invalid plugin name, empty"},
      {"p", "", "invalid deviceID, empty"},
      {"-p", "i", R"(invalid name "-p_i", first '-' should be alphanumeric)"},
      {"p", "i-", R"(invalid name "p_i-", last '-' should be alphanumeric)"},
      {"p:q", "i", R"(invalid name "p:q_i", invalid charcter ':')"},
      {"pé", "i", R"(invalid name "pé_i", invalid charcter 'é')"},
      // An end is one byte to upstream: é is c3 a9, which are Ã and ©.
      {"é", "i", R"(invalid name "é_i", first 'Ã' should be alphanumeric)"},
      {"p", "ié", "invalid name \"p_ié\", invalid charcter '\xef\xbf\xbd'"},
  };
  for (const auto& test : cases) EXPECT_THAT(WithKey(test.plugin, test.id), Refused(test.error));
  EXPECT_OK(WithKey("a-b.c", "i"));
}

TEST(CdiAnnotationTest, NamesThatCdiRefusesAreErrorsInItsWords) {
  const struct {
    std::string device;
    std::string error;
  } cases[] = {
      {"1v/c=d", R"(invalid vendor "1v", should start with letter)"},
      {"v:w/c=d", R"(invalid character ':' in vendor name "v:w")"},
      {"v./c=d", R"(invalid vendor "v.", should end with a letter or digit)"},
      {"v/1c=d", R"(invalid class "1c", should start with letter)"},
      {"v/a.c=d", R"(invalid character '.' in device class "a.c")"},
      {"v/c-=d", R"(invalid class "c-", should end with a letter or digit)"},
      {"v/c=:", R"(invalid class ":", should start with a letter or digit)"},
      {"v/c=:d", R"(invalid class ":d", should start with a letter or digit)"},
      {"v/c=a=b", R"(invalid character '=' in device name "a=b")"},
      {"v/c=a,b", R"(invalid character ',' in device name "a,b")"},
      {"v/c=a:", R"(invalid name "a:", should end with a letter or digit)"},
  };
  for (const auto& test : cases) {
    EXPECT_THAT(WithDevice(test.device), Refused("invalid device \"" + test.device + "\": " + test.error));
  }
}

TEST(CdiAnnotationTest, ANameIsVendorClassAndDevice) {
  for (const std::string device :
       {"", "gpu0", "/c=d", "v/=d", "v/c=", "v=c/d", "/v/c=n", "v/c", "=n", "vc=n", "v/=n"}) {
    EXPECT_THAT(WithDevice(device), Refused("unqualified device \"" + device + "\", missing vendor"));
  }
}

TEST(CdiAnnotationTest, NamesMayHaveAllThatCdiAllows) {
  for (const char* device : {"v/c=n", "V.1-a_b/c-d_1=9:.-_n", "v-e_n.d0/c-l_s=0:a.b-c_d", "v/c=0"}) {
    EXPECT_OK(WithDevice(device));
  }
}

}  // namespace
}  // namespace kubelet_cm
