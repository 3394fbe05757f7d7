#include "common/unixsocket/short_temp_dir.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "common/status/check.h"

namespace kubelet_cm {
namespace {

std::string MakeFolder() {
  char path[] = "/tmp/kcm.XXXXXX";
  CHECK(::mkdtemp(path) != nullptr) << path << ": errno " << errno;
  return path;
}

}  // namespace

ShortTempDir::ShortTempDir() : path_(MakeFolder()) {}

ShortTempDir::~ShortTempDir() {
  std::error_code ignored;  // what cannot be removed is no reason to fail a test
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace kubelet_cm
