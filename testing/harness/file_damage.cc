#include "testing/harness/file_damage.h"

#include "absl/strings/str_cat.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "gtest/gtest.h"

namespace kubelet_cm::harness {

void WithEachTruncation(const std::string& file, LookAtBytes look) {
  for (size_t size = 0; size < file.size(); ++size) {
    SCOPED_TRACE(absl::StrCat("cut to ", size, " bytes"));
    look(file.substr(0, size));
  }
}

void WithEachFlippedBit(const std::string& file, LookAtBytes look) {
  for (size_t bit = 0; bit < file.size() * 8; ++bit) {
    SCOPED_TRACE(absl::StrCat("bit ", bit, " is another"));
    std::string bytes = file;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    look(bytes);
  }
}

void WithEachRemovedByte(const std::string& file, LookAtBytes look) {
  for (size_t i = 0; i < file.size(); ++i) {
    SCOPED_TRACE(absl::StrCat("byte ", i, " is lost"));
    look(file.substr(0, i) + file.substr(i + 1));
  }
}

std::vector<std::string> SmallGoldenFiles(const std::string& corpus, const std::vector<std::string>& folders,
                                          size_t max_bytes) {
  PosixFileSystem files;
  std::vector<std::string> small;
  for (const std::string& folder : folders) {
    const std::string path = absl::StrCat(corpus, "/", folder, "/");
    const auto names = files.List(path);
    EXPECT_TRUE(names.ok()) << names.status();
    for (const std::string& name : names.value_or(std::vector<std::string>())) {
      const auto bytes = ReadFile(files, path + name, max_bytes);
      const bool sidecar = name.ends_with(".expect.json");
      if (!sidecar && bytes.ok()) small.push_back(*bytes);
    }
  }
  return small;
}

}  // namespace kubelet_cm::harness
