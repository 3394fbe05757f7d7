#include "tools/cmctl/bundle/tar_archive.h"

#include <cstdlib>
#include <string>

#include "common/status/status_matchers.h"
#include "gtest/gtest.h"
#include "zlib.h"

namespace kubelet_cm::cmctl {
namespace {

TEST(TarArchiveTest, AFileIsAHeaderAndWholeBlocks) {
  TarArchive archive(absl::FromUnixSeconds(1790000000));
  ASSERT_OK(archive.Add("b/a.txt", "hello"));
  const std::string bytes = archive.Bytes();
  ASSERT_EQ(bytes.size(), 4 * 512u);
  EXPECT_EQ(bytes.substr(0, 8), std::string("b/a.txt\0", 8));
  EXPECT_EQ(bytes.substr(100, 8), std::string("0000600\0", 8));
  EXPECT_EQ(bytes.substr(124, 12), std::string("00000000005\0", 12));
  EXPECT_EQ(bytes.substr(136, 12), std::string("15254235600\0", 12));
  EXPECT_EQ(bytes.substr(257, 8), std::string("ustar\00000", 8));
  EXPECT_EQ(bytes.substr(512, 6), std::string("hello\0", 6));
  EXPECT_EQ(bytes.substr(1024), std::string(1024, '\0'));
}

TEST(TarArchiveTest, TheChecksumIsThatOfTheHeaderWithBlanksInItsPlace) {
  TarArchive archive(absl::UnixEpoch());
  ASSERT_OK(archive.Add("a", ""));
  std::string header = archive.Bytes().substr(0, 512);
  const long stated = std::strtol(header.substr(148, 6).c_str(), nullptr, 8);
  header.replace(148, 8, 8, ' ');
  long sum = 0;
  for (const char byte : header) sum += static_cast<unsigned char>(byte);
  EXPECT_EQ(stated, sum);
}

TEST(TarArchiveTest, AFileThatFillsItsBlockNeedsNoMore) {
  TarArchive archive(absl::UnixEpoch());
  ASSERT_OK(archive.Add("a", std::string(512, 'x')));
  EXPECT_EQ(archive.Bytes().size(), 4 * 512u);
}

TEST(TarArchiveTest, ANameThatDoesNotFitIsRefused) {
  TarArchive archive(absl::UnixEpoch());
  EXPECT_OK(archive.Add(std::string(100, 'n'), ""));
  EXPECT_THAT(archive.Add(std::string(101, 'n'), ""), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(archive.Add("", ""), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(GzipTest, IsReadBack) {
  const std::string bytes(100'000, 'z');
  ASSERT_OK_AND_ASSIGN(std::string packed, Gzip(bytes));
  EXPECT_LT(packed.size(), 1000u);
  z_stream stream = {};
  ASSERT_EQ(inflateInit2(&stream, MAX_WBITS + 16), Z_OK);
  std::string out(bytes.size() + 1, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  EXPECT_EQ(out, bytes);
}

}  // namespace
}  // namespace kubelet_cm::cmctl
