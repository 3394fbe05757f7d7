#include "checkpointmanager/checkpoint_key.h"

#include <string>

#include "common/status/status_matchers.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(CheckpointKeyTest, TakesWhatUpstreamTakes) {
  for (const std::string& key : {std::string("a"), std::string("7"), std::string("kubelet_internal_checkpoint"),
                                 std::string("a.b-c_d9"), std::string("a..b"), std::string(250, 'k')}) {
    EXPECT_OK(ValidateCheckpointKey(key)) << key;
  }
}

TEST(CheckpointKeyTest, RefusesPathsHiddenFilesAndWhatIsTooLong) {
  for (const std::string& key :
       {std::string(), std::string("."), std::string(".."), std::string("../x"), std::string("a/b"),
        std::string(".hidden"), std::string("a."), std::string("-a"), std::string("a_"), std::string("a b"),
        std::string("\xc3\xa9"), std::string("a\0b", 3), std::string("a\n"), std::string(251, 'k')}) {
    EXPECT_THAT(ValidateCheckpointKey(key), StatusIs(absl::StatusCode::kInvalidArgument)) << key;
  }
}

TEST(CheckpointKeyTest, QuotesTheKeyAsGoDoes) {
  EXPECT_THAT(ValidateCheckpointKey("a\"/\n"),
              StatusIs(absl::StatusCode::kInvalidArgument, "invalid key: \"a\\\"/\\n\""));
}

}  // namespace
}  // namespace kubelet_cm
