#include "tools/cmctl/checkpoint/generic_state_file.h"

#include <algorithm>
#include <string>
#include <utility>

#include "checkpointmanager/generic_checkpoint.h"
#include "tools/cmctl/checkpoint/plain_state_file.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

class GenericFile : public PlainStateFile {
 public:
  GenericFile(std::string_view bytes, const GenericCheckpoint& checkpoint) {
    verdict_.format = "generic";
    verdict_.what = "checkpoint of another program (JSON with a checksum)";
    verdict_.decoded = true;
    content_ = std::string(bytes);
    summary_ = Counted(checkpoint.members.size(), "member", "members");
    const GenericChecksum& outer = checkpoint.checksums.front();
    verdict_.stored_checksum = outer.stored;
    const auto is_right = [](const GenericChecksum& checksum) { return checksum.verified.has_value(); };
    verdict_.valid = std::all_of(checkpoint.checksums.begin(), checkpoint.checksums.end(), is_right);
    verdict_.verifiable = verdict_.valid;
    if (verdict_.valid) verdict_.computed_checksum = outer.stored;
    AddMembers(checkpoint);
    for (size_t i = 0; i < checkpoint.explanation.size(); ++i) {
      const std::string& sentence = checkpoint.explanation[i];
      const bool right = i >= checkpoint.checksums.size() || is_right(checkpoint.checksums[i]);
      if (!right) verdict_.problems.push_back({"not-verifiable", sentence, checkpoint.checksums[i].offset});
      if (right) advice_.push_back(sentence + ".");
    }
    if (!verdict_.valid) {
      advice_.emplace_back(
          "Ask the program that keeps the file. The kubelet's other managers (cpu_manager_state, memory_manager_state) "
          "and most drivers refuse to start on a wrong checksum and say so: then drain the node, remove the file, and "
          "restart them.");
    }
  }

 private:
  void AddMembers(const GenericCheckpoint& checkpoint) {
    TextTable table{{"MEMBER", "VALUE"}};
    for (const GenericMember& member : checkpoint.members) table.rows.push_back({member.name, member.description});
    tables_.push_back(std::move(table));
  }
};

}  // namespace

std::unique_ptr<StateFile> GenericStateFileOf(std::string_view bytes) {
  const GenericCheckpoint checkpoint = ExplainGenericCheckpoint(bytes);
  if (!checkpoint.status.ok() || checkpoint.checksums.empty()) return nullptr;
  return std::make_unique<GenericFile>(bytes, checkpoint);
}

}  // namespace kubelet_cm::cmctl
