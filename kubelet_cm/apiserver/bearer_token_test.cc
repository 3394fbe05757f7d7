#include "kubelet_cm/apiserver/bearer_token.h"

#include <string>

#include "common/clock/fake_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/status/status_matchers.h"
#include "gtest/gtest.h"

namespace kubelet_cm::apiserver {
namespace {

class BearerTokenTest : public testing::Test {
 protected:
  void Put(const std::string& text) {
    ASSERT_OK_AND_ASSIGN(const auto file, files_.Open("/new", OpenMode::kCreate));
    ASSERT_OK(file->Write(text));
    ASSERT_OK(files_.Rename("/new", "/token"));
  }

  FakeClock clock_;
  FakeFileSystem files_;
};

TEST_F(BearerTokenTest, StaysWhereThereIsNoFile) {
  BearerToken token(files_, clock_, "fixed", "");
  EXPECT_EQ(token.Get(), "fixed");
  EXPECT_FALSE(token.Renew("fixed"));
  EXPECT_EQ(BearerToken(files_, clock_, "", "").Get(), "");
}

TEST_F(BearerTokenTest, IsReadAgainEveryMinute) {
  Put("first\n");
  BearerToken token(files_, clock_, "fixed", "/token");
  EXPECT_EQ(token.Get(), "first");
  Put("second\n");
  clock_.Advance(kTokenLife - absl::Milliseconds(1));
  EXPECT_EQ(token.Get(), "first");
  clock_.Advance(absl::Milliseconds(1));
  EXPECT_EQ(token.Get(), "second");
}

TEST_F(BearerTokenTest, IsReadAgainWhenItIsRefused) {
  Put("first");
  BearerToken token(files_, clock_, "", "/token");
  EXPECT_FALSE(token.Renew("first"));
  Put("second");
  EXPECT_TRUE(token.Renew("first"));
  EXPECT_EQ(token.Get(), "second");
}

TEST_F(BearerTokenTest, StaysWhenTheFileCannotBeUsed) {
  BearerToken token(files_, clock_, "fixed", "/token");
  EXPECT_EQ(token.Get(), "fixed");
  for (const char* text : {"", " \n", "two words", "a\r\nHost: b"}) {
    Put(text);
    EXPECT_FALSE(token.Renew("fixed"));
    EXPECT_EQ(token.Get(), "fixed");
  }
}

}  // namespace
}  // namespace kubelet_cm::apiserver
