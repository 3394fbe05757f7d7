// The DRA manager's state, dra_manager_state, in any format.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_CLAIM_STATE_FILE_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_CLAIM_STATE_FILE_H_

#include <string>
#include <vector>

#include "dra/checkpoint/dra_reading.h"
#include "tools/cmctl/checkpoint/state_file.h"

namespace kubelet_cm::cmctl {

class ClaimStateFile : public StateFile {
 public:
  // `reading` is what ReadDraCheckpoint made of the bytes.
  ClaimStateFile(std::string bytes, dra::DraReading reading);

  std::string ContentJson(const ResponseView& responses) const override;
  std::vector<TextTable> Tables(bool wide) const override;
  std::string Summary() const override;
  std::vector<FileProblem> BrokenInvariants() const override;
  std::vector<const Personality*> Writers() const override;
  KubeletView ViewOf(const Personality& kubelet) const override;
  std::vector<std::string> Advice(const Personality* kubelet, std::string_view version) const override;
  FactDetail detail() const override;
  Facts FactsAt(const FactDetail& detail, bool secrets) const override;
  absl::StatusOr<Rewritten> ConvertTo(std::string_view format) const override;
  absl::StatusOr<Rewritten> Salvage() const override;

 private:
  bool is_legacy() const { return format_ < DraFormat::k131; }

  std::string bytes_;
  dra::DraReading reading_;
  DraFormat format_;  // guessed if the file does not tell
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_CLAIM_STATE_FILE_H_
