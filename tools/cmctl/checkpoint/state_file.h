// A state file of any kind, as the verbs of `cmctl checkpoint` see it: one subclass for each family of formats.
//
// Immutable; one thread. Holds what it was made from.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_STATE_FILE_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_STATE_FILE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "checkpointmanager/checkpoint_problem.h"
#include "common/personality/personality.h"
#include "tools/cmctl/checkpoint/text_table.h"

namespace kubelet_cm::cmctl {

// Something that is wrong, or lost.
struct FileProblem {
  std::string kind;               // "not-readable", "checksum-mismatch", ...: docs/cmctl_checkpoint.md lists them
  std::string text;               // a sentence
  std::optional<int64_t> offset;  // in the file, in bytes
};

inline std::vector<FileProblem> ShownProblems(const std::vector<CheckpointProblem>& problems) {
  std::vector<FileProblem> shown;
  for (const auto& [kind, text, offset] : problems) shown.push_back({std::string(KindName(kind)), text, offset});
  return shown;
}

struct FileVerdict {
  std::string format;  // "devicemanager-v2", "dra-v1.31", ...; empty for what is no file that is known
  std::string what;    // "device manager checkpoint (kubelet_internal_checkpoint)"
  bool valid = false;
  bool verifiable = true;  // whether anything here can tell
  // Whether there is content to show although the file may not be valid.
  bool decoded = false;
  std::optional<uint64_t> stored_checksum;
  std::optional<uint64_t> computed_checksum;
  std::vector<FileProblem> problems;
};

// What one kubelet makes of a file.
struct KubeletView {
  bool has_such_file = true;  // whether that version keeps a file of this kind at all
  bool accepts = false;
  std::string error = {};   // its own text, if it does not accept
  std::string effect = {};  // what that does to the node, in words
};

// What there is to see of allocation responses.
struct ResponseView {
  bool decoded = false;
  bool secrets = false;  // values of environment variables
};

// A file's meaning as sentences, for comparing: what is not to be shown of each stands behind it.
using Facts = std::map<std::string, std::string>;

// What a file's format can say. Two files are compared at what both can.
struct FactDetail {
  bool numa_nodes = true;     // devices: the nodes of devices
  bool responses = true;      // devices: what plugins answered
  bool registered = true;     // devices: the registered ones
  bool legacy_parts = true;   // claims: class, driver and handles of 1.27 to 1.30
  bool handles = true;        // claims: resource handles, from 1.28
  bool named_devices = true;  // claims: pools, devices and requests, from 1.31
  bool share_ids = true;      // claims: from 1.35
  bool skip_lists = true;     // claims: from 1.37
};

// A file written anew.
struct Rewritten {
  std::string format;
  std::string bytes;
  std::vector<std::string> lost;  // sentences
};

class StateFile {
 public:
  virtual ~StateFile() = default;

  const FileVerdict& verdict() const { return verdict_; }

  // In the sidecars' shape, "null" where nothing could be decoded.
  virtual std::string ContentJson(const ResponseView& responses) const = 0;
  virtual std::vector<TextTable> Tables(bool wide) const = 0;
  // What plugins answered, for people; empty for files that hold no answers.
  virtual std::string ResponseText(bool /*secrets*/) const { return ""; }
  // "3 entries of 2 pods": one line about the content.
  virtual std::string Summary() const = 0;

  // What must hold of the content beyond its being readable.
  virtual std::vector<FileProblem> BrokenInvariants() const { return {}; }

  // The kubelets that could have written this file.
  virtual std::vector<const Personality*> Writers() const = 0;
  virtual KubeletView ViewOf(const Personality& kubelet) const = 0;
  // What to do, in sentences; `kubelet` is the one that is to read the file, if one was named.
  virtual std::vector<std::string> Advice(const Personality* kubelet, std::string_view version) const = 0;

  virtual FactDetail detail() const { return {}; }
  virtual Facts FactsAt(const FactDetail& detail, bool secrets) const = 0;

  // InvalidArgument for a format of another family or none, with the reason.
  virtual absl::StatusOr<Rewritten> ConvertTo(std::string_view format) const = 0;
  // What can be saved, in the format that the file has or seems to have.
  virtual absl::StatusOr<Rewritten> Salvage() const = 0;

 protected:
  StateFile() = default;
  StateFile(const StateFile&) = default;
  StateFile& operator=(const StateFile&) = default;

  FileVerdict verdict_;
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_STATE_FILE_H_
