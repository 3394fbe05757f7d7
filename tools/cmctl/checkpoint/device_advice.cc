#include "tools/cmctl/checkpoint/device_advice.h"

#include "absl/strings/str_cat.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

std::string ShortName(DeviceFormat format) {
  switch (format) {
    case DeviceFormat::kV0Of18:
      return "v0-1.8";
    case DeviceFormat::kV0Of19:
      return "v0-1.9";
    case DeviceFormat::kV1:
      return "v1";
    case DeviceFormat::kV2:
      return "v2";
  }
  return "";
}

}  // namespace

std::vector<std::string> AdviceOnCorruptDevices() {
  return {
      "Keep a copy of the file as it is.",
      "If a kubelet is running that was started before the damage, leave the file: it has the state in memory and "
      "writes the whole file again with the next pod that gets devices.",
      "Otherwise, before a kubelet starts: cmctl checkpoint repair {FILE} -o NEW saves the entries that are whole and "
      "says what was lost. Compare them with the containers that run, then put NEW in place of the file while no "
      "kubelet runs.",
      "Or drain the node, remove the file, and start the kubelet: nothing is allocated then, and nothing needs to be.",
  };
}

std::vector<std::string> AdviceOnUnreadDevices(const Personality& kubelet, std::string_view version,
                                               const PersonalityTest& accepts) {
  std::vector<std::string> advice = {
      absl::StrCat("Do not start kubelet ", Abseil(version), " on this file while pods with devices run."),
  };
  const auto near = KubeletsWhere([&](const Personality& row) {
    return row.first.minor == kubelet.first.minor && row.first > kubelet.first && accepts(row);
  });
  if (!near.empty()) {
    advice.push_back(absl::StrCat(
        "Best: change to a release that reads this file, and nothing else has to be done: ", KubeletRanges(near), "."));
  }
  if (kubelet.device_writes.has_value()) {
    advice.push_back(absl::StrCat("Or convert it while no kubelet runs: cmctl checkpoint convert {FILE} --to ",
                                  ShortName(*kubelet.device_writes),
                                  " -o NEW, then put NEW in place of the file (mode 0600)."));
  }
  advice.emplace_back(
      "Or drain the node before the change of version and remove the file: pods get their devices anew.");
  return advice;
}

}  // namespace kubelet_cm::cmctl
