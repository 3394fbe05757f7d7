#include "tools/cmctl/checkpoint/claim_advice.h"

#include "absl/strings/str_cat.h"
#include "tools/cmctl/checkpoint/kubelet_text.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {

std::vector<std::string> AdviceOnCorruptClaims() {
  return {
      "Keep a copy of the file as it is.",
      "If the kubelet still runs, do not restart it before the file is mended: no version that keeps this file starts "
      "on it. The running one writes the whole file again with the next claim that it prepares or unprepares.",
      "Drain the node while the kubelet runs, so that every claim is unprepared; then stop it, remove the file, and "
      "start it again.",
      "If it does not run any more: cmctl checkpoint repair {FILE} -o NEW saves the claims that are whole and says "
      "what "
      "was lost. Put NEW in place of the file and start the kubelet. A claim that was lost is never unprepared: its "
      "driver must be told, or its devices stay taken.",
  };
}

std::vector<std::string> AdviceOnUnreadClaims(const Personality& kubelet, std::string_view version,
                                              const std::vector<const Personality*>& writers) {
  const std::string writer = KubeletRanges(writers);
  std::vector<std::string> advice = {
      absl::StrCat("Drain the node while the kubelet that wrote the file (", writer,
                   ") still runs, so that every claim is unprepared. Stop it, remove {FILE}, then start kubelet ",
                   Abseil(version), ", which makes a new one."),
      absl::StrCat("If kubelet ", Abseil(version), " is there already and will not start: put back the kubelet that ",
                   "wrote the file, drain, remove the file, and change the version then."),
  };
  if (kubelet.dra_writes.has_value()) {
    std::string format(FormatName(*kubelet.dra_writes));
    advice.push_back(absl::StrCat(
        "Where the node cannot be drained: cmctl checkpoint convert {FILE} --to ", format,
        " -o NEW, while no kubelet runs, and put NEW in place of the file. Read its warnings: what the new format does "
        "not hold is gone, and drivers that need it to unprepare a claim must cope without."));
  }
  return advice;
}

}  // namespace kubelet_cm::cmctl
