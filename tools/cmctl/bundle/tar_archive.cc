#include "tools/cmctl/bundle/tar_archive.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/cmctl/checkpoint/terminal_text.h"
#include "zlib.h"

namespace kubelet_cm::cmctl {
namespace {

constexpr size_t kBlock = 512;
constexpr size_t kChecksumAt = 148;
constexpr size_t kChecksumBytes = 8;
constexpr int kGzip = 16;  // added to the window's bits: with gzip's header, not zlib's

void Put(std::string_view text, size_t at, std::string* header) { header->replace(at, text.size(), text); }

// Octal digits that fill a field of `size` bytes but for the zero at its end.
std::string Octal(uint64_t value, int size) { return absl::StrFormat("%0*o", size - 1, value); }

std::string Header(std::string_view name, size_t size, absl::Time modified) {
  std::string header(kBlock, '\0');
  Put(name, 0, &header);
  Put(Octal(0600, 8), 100, &header);
  Put(Octal(0, 8), 108, &header);
  Put(Octal(0, 8), 116, &header);
  Put(Octal(size, 12), 124, &header);
  Put(Octal(static_cast<uint64_t>(std::max<int64_t>(0, absl::ToUnixSeconds(modified))), 12), 136, &header);
  Put("0", 156, &header);
  Put(std::string_view("ustar\00000", 8), 257, &header);
  // The sum is taken with its own field as blanks.
  Put(std::string(kChecksumBytes, ' '), kChecksumAt, &header);
  const unsigned sum = std::accumulate(header.begin(), header.end(), 0u, [](unsigned total, char byte) {
    return total + static_cast<unsigned char>(byte);
  });
  Put(absl::StrFormat("%06o", sum) + std::string("\0 ", 2), kChecksumAt, &header);
  return header;
}

}  // namespace

absl::Status TarArchive::Add(std::string_view name, std::string_view bytes) {
  if (name.empty() || name.size() > kMostNameBytes) {
    return absl::InvalidArgumentError(absl::StrCat("no name for a file in an archive: ", Printable(name)));
  }
  if (bytes.size() > kMostFileBytes) return absl::InvalidArgumentError("a file is too large for an archive");
  blocks_ += Header(name, bytes.size(), modified_);
  blocks_ += bytes;
  blocks_.append((kBlock - bytes.size() % kBlock) % kBlock, '\0');
  return absl::OkStatus();
}

std::string TarArchive::Bytes() const { return blocks_ + std::string(2 * kBlock, '\0'); }

absl::StatusOr<std::string> Gzip(std::string bytes) {
  if (bytes.size() > std::numeric_limits<uInt>::max()) return absl::ResourceExhaustedError("too much to compress");
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    return absl::InternalError("zlib does not start");
  }
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) return absl::InternalError(absl::StrCat("zlib fails with ", result));
  return out;
}

}  // namespace kubelet_cm::cmctl
