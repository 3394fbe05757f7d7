#include "tools/cmctl/checkpoint/kubelet_text.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

constexpr int kAny = std::numeric_limits<int>::max();

// Without a patch number where the range has all of a minor version.
std::string First(const KubeletVersion& version) {
  return version.patch == 0 ? absl::StrCat(version.major, ".", version.minor) : version.ToString();
}
std::string Last(const KubeletVersion& version) {
  return version.patch == kAny ? absl::StrCat(version.major, ".", version.minor) : version.ToString();
}

std::string Range(const Personality& first, const Personality& last) {
  if (&first == &last) return std::string(first.name);
  if (last.last.minor == kAny) return absl::StrCat(First(first.first), " and later");
  return absl::StrCat(First(first.first), " to ", Last(last.last));
}

}  // namespace

std::vector<const Personality*> KubeletsWhere(const PersonalityTest& test) {
  std::vector<const Personality*> found;
  for (const Personality& row : AllPersonalities()) {
    if (test(row)) found.push_back(&row);
  }
  return found;
}

std::string KubeletRanges(const std::vector<const Personality*>& kubelets) {
  std::vector<std::string> ranges;
  for (size_t i = 0; i < kubelets.size();) {
    size_t end = i + 1;
    // The rows lie in one array, so neighbours in it are neighbours in time.
    while (end < kubelets.size() && kubelets[end] == kubelets[end - 1] + 1) ++end;
    ranges.push_back(Range(*kubelets[i], *kubelets[end - 1]));
    i = end;
  }
  return ranges.empty() ? "none" : absl::StrJoin(ranges, ", ");
}

}  // namespace kubelet_cm::cmctl
