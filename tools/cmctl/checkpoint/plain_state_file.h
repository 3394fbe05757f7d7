// Files that are shown and explained, and nothing more: the DRA manager's health cache, checkpoints of other programs,
// and what is not recognised.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_PLAIN_STATE_FILE_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_PLAIN_STATE_FILE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/cmctl/checkpoint/state_file.h"

namespace kubelet_cm::cmctl {

class PlainStateFile : public StateFile {
 public:
  std::string ContentJson(const ResponseView& responses) const override;
  std::vector<TextTable> Tables(bool wide) const override;
  std::string Summary() const override { return summary_; }
  std::vector<const Personality*> Writers() const override { return {}; }
  KubeletView ViewOf(const Personality& kubelet) const override;
  std::vector<std::string> Advice(const Personality* kubelet, std::string_view version) const override;
  // A line of content is a fact.
  Facts FactsAt(const FactDetail& detail, bool secrets) const override;
  absl::StatusOr<Rewritten> ConvertTo(std::string_view format) const override;
  absl::StatusOr<Rewritten> Salvage() const override;

 protected:
  PlainStateFile() = default;

  std::string content_ = "null";
  std::string summary_;
  std::vector<TextTable> tables_;
  std::vector<std::string> advice_;
  int since_minor_ = 0;  // the first kubelet that keeps such a file; 0: none does
};

// `error` is what is wrong with it as JSON, or OK.
std::unique_ptr<StateFile> UnknownStateFile(const absl::Status& error);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_PLAIN_STATE_FILE_H_
