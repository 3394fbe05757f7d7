// A program that uses every library which the distribution ships as a static archive, and no product code: what a
// release makes of a program, without compiling a release. Prints how many bytes its argument has when it is
// compressed.
#include <grpcpp/grpcpp.h>
#include <libdeflate.h>
#include <re2/re2.h>
#include <yaml-cpp/yaml.h>
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "google/protobuf/arena.h"

namespace {

// A buffer on the stack and a copy of unknown length: what the stack protector and _FORTIFY_SOURCE are for. A
// longer text ends the program.
size_t Compressed(const char* text) {
  char buffer[64] = {};
  std::strcpy(buffer, text);
  uLongf size = compressBound(sizeof(buffer));
  std::string out(size, '\0');
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(buffer), sizeof(buffer));
  return size;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const text = argc > 1 ? argv[1] : "";
  google::protobuf::Arena arena;
  const std::string line = absl::StrCat(
      "gRPC ", grpc::Version(), ", sum ", libdeflate_crc32(0, text, std::strlen(text)), ", arena ", arena.SpaceUsed(),
      ", name ", RE2::FullMatch(text, "[a-z]*"), ", list ", YAML::Load("[1, 2]").size(), ", bytes ", Compressed(text));
  std::puts(line.c_str());
  return 0;
}
