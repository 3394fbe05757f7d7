// FILE...: gives each file to LLVMFuzzerTestOneInput, as libFuzzer does with its corpus. The main of a fuzz target that
// is built as a test; a finding ends the process.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int main(int argc, char** argv) {
  constexpr size_t kMaxBytes = size_t{64} << 20;
  kubelet_cm::PosixFileSystem files;
  for (int i = 1; i < argc; ++i) {
    const auto bytes = kubelet_cm::ReadFile(files, argv[i], kMaxBytes);
    if (!bytes.ok()) {
      std::fprintf(stderr, "%s\n", bytes.status().ToString().c_str());
      return 1;
    }
    std::printf("%s\n", argv[i]);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes->data()), bytes->size());
  }
  if (argc < 2) std::fprintf(stderr, "no files\n");
  return argc < 2 ? 1 : 0;
}
