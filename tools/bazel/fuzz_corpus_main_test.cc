// With fuzz_corpus_main as its main: the files named on the command line arrive whole.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/status/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CHECK(text.starts_with("g++\n") || text.starts_with("\"\"\"cc_fuzz_target")) << text.substr(0, 40);
  CHECK(text.ends_with("\n")) << "cut short";
  return 0;
}
