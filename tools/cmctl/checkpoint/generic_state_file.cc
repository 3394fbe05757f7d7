#include <optional>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "checkpointmanager/checksum/crc32.h"
#include "checkpointmanager/checksum/fnv1a.h"
#include "common/gotext/json_decoder.h"
#include "tools/cmctl/checkpoint/plain_state_file.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

// A way in which a program may have made its checksum.
struct ChecksumGuess {
  uint64_t sum;
  const char* how;
};

// The Go print of a byte slice, which is what the kubelet's checksum package hashes when it is given bytes.
uint32_t SumOfPrintedBytes(std::string_view bytes) {
  std::string text = "([]uint8)[";
  for (size_t i = 0; i < bytes.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : " ", static_cast<unsigned int>(static_cast<unsigned char>(bytes[i])));
  }
  return Fnv1a(text + "]");
}

std::vector<ChecksumGuess> Guesses(std::string_view bytes, JsonValue checksum) {
  const std::string zeroed = absl::StrCat(Abseil(bytes.substr(0, static_cast<size_t>(checksum.begin_offset()))), "0",
                                          Abseil(bytes.substr(static_cast<size_t>(checksum.end_offset()))));
  return {
      {SumOfPrintedBytes(zeroed), "the kubelet's object hash (FNV-1a) of the file's bytes with the checksum 0"},
      {Fnv1a(zeroed), "FNV-1a of the file's bytes with the checksum 0"},
      {Crc32(zeroed), "CRC-32 of the file's bytes with the checksum 0"},
  };
}

class GenericFile : public PlainStateFile {
 public:
  GenericFile(std::string_view bytes, JsonValue root, JsonValue checksum) {
    verdict_.format = "generic";
    verdict_.what = "checkpoint of another program (JSON with a checksum)";
    verdict_.decoded = true;
    content_ = std::string(root.literal());
    uint64_t stored = 0;
    if (absl::SimpleAtoi(std::string(checksum.literal()), &stored)) verdict_.stored_checksum = stored;
    std::vector<std::string> keys;
    for (const auto [key, value] : root.members()) keys.push_back(Printable(key.text()));
    summary_ = absl::StrCat("keys: ", absl::StrJoin(keys, ", "));
    Explain(bytes, checksum);
  }

 private:
  void Explain(std::string_view bytes, JsonValue checksum) {
    for (const ChecksumGuess& guess : Guesses(bytes, checksum)) {
      if (guess.sum != verdict_.stored_checksum) continue;
      verdict_.valid = true;
      verdict_.computed_checksum = guess.sum;
      advice_ = {absl::StrCat("The checksum is right: it is ", guess.how, ".")};
      return;
    }
    verdict_.verifiable = false;
    verdict_.problems.push_back(
        {"not-verifiable",
         "the checksum is not one of the file's bytes. Most likely it is the kubelet's object hash, which covers the "
         "names of the Go types of the program that wrote the file and cannot be computed without them",
         checksum.begin_offset()});
    advice_ = {
        "The JSON is whole. Whether the checksum is right, only the program that wrote the file can tell.",
        "Drivers and other managers of the kubelet (cpu_manager_state, memory_manager_state) refuse to start on a "
        "wrong "
        "one. If theirs says so: drain the node, remove the file, and restart the program.",
    };
  }
};

}  // namespace

std::unique_ptr<StateFile> GenericStateFileOf(std::string_view bytes, JsonValue root) {
  std::optional<JsonValue> checksum;
  for (const auto [key, value] : root.members()) {
    if (FieldMatches("checksum", key.text()) && value.type() == JsonType::kNumber) checksum.emplace(value);
  }
  if (!checksum.has_value()) return nullptr;
  return std::make_unique<GenericFile>(bytes, root, *checksum);
}

}  // namespace kubelet_cm::cmctl
