#include "common/gotext/go_base64.h"

#include <string>

#include "absl/strings/escaping.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

std::string Decoded(std::string_view text) {
  std::string bytes = "old";
  EXPECT_EQ(DecodeGoBase64(text, &bytes), std::nullopt) << text;
  return bytes;
}

std::optional<size_t> ErrorAt(std::string_view text) {
  std::string bytes;
  return DecodeGoBase64(text, &bytes);
}

TEST(GoBase64Test, UndoesWhatTheWriterWrites) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(Decoded(absl::Base64Escape(bytes)), bytes);
    bytes.push_back(static_cast<char>(i * 7));
  }
}

TEST(GoBase64Test, LineBreaksAreIgnoredAnywhere) {
  EXPECT_EQ(Decoded("\nQ\r\nU\nJD\r\n"), "ABC");
  EXPECT_EQ(Decoded("QQ\n=\n=\n"), "A");
  EXPECT_EQ(Decoded("QUI\r=\r"), "AB");
  EXPECT_EQ(Decoded("\n"), "");
}

TEST(GoBase64Test, SpareBitsMayBeAnything) {
  EXPECT_EQ(Decoded("QR=="), "A");
  EXPECT_EQ(Decoded("QUJ="), "AB");
}

TEST(GoBase64Test, ErrorsNameTheByteThatGoNames) {
  EXPECT_EQ(ErrorAt("!"), 0u);
  EXPECT_EQ(ErrorAt("QUJD Q=="), 4u);
  EXPECT_EQ(ErrorAt("QUJDQ"), 4u);
  EXPECT_EQ(ErrorAt("QUJDQU"), 4u);
  EXPECT_EQ(ErrorAt("QUI"), 0u);
  EXPECT_EQ(ErrorAt("="), 0u);
  EXPECT_EQ(ErrorAt("Q==="), 1u);
  EXPECT_EQ(ErrorAt("QQ="), 3u);
  EXPECT_EQ(ErrorAt("QQ=Q"), 2u);
  EXPECT_EQ(ErrorAt("QQ==Q"), 4u);
  EXPECT_EQ(ErrorAt("QUI=QUJD"), 4u);
  EXPECT_EQ(ErrorAt("QUJDQ-_="), 5u);
  EXPECT_EQ(ErrorAt("Q\nU"), 1u);
}

}  // namespace
}  // namespace kubelet_cm
