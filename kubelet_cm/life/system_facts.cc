#include "kubelet_cm/life/system_facts.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/path.h"
#include "common/gotext/quote.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::life {
namespace {

constexpr size_t kMostBytes = 4096;
constexpr int kMostNode = 63;

absl::StatusOr<std::string> ReadTrimmed(FileSystem& files, const std::string& path) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(files, path, kMostBytes));
  absl::StripAsciiWhitespace(&text);
  return text;
}

}  // namespace

absl::StatusOr<std::vector<int>> ParseNodeList(std::string_view text) {
  std::vector<int> nodes;
  for (const absl::string_view part : absl::StrSplit(absl::string_view(text.data(), text.size()), ',')) {
    const std::vector<absl::string_view> ends = absl::StrSplit(part, '-');
    int first = 0;
    int last = 0;
    if (ends.size() > 2 || !absl::SimpleAtoi(ends.front(), &first) || !absl::SimpleAtoi(ends.back(), &last) ||
        first < 0 || last < first || last > kMostNode) {
      return absl::InvalidArgumentError(absl::StrCat("no list of NUMA nodes: ", GoQuote(text)));
    }
    for (int node = first; node <= last; ++node) nodes.push_back(node);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

absl::StatusOr<std::vector<int>> ReadNumaNodes(FileSystem& files, const std::string& folder) {
  const auto online = ReadTrimmed(files, JoinPath(folder, "online"));
  if (absl::IsNotFound(online.status())) return std::vector<int>{0};
  if (!online.ok()) return online.status();
  return ParseNodeList(*online);
}

absl::StatusOr<NumaDistances> ReadNumaDistances(FileSystem& files, const std::vector<int>& nodes,
                                                const std::string& folder) {
  NumaDistances all;
  for (const int node : nodes) {
    const std::string path = JoinPath(folder, absl::StrCat("node", node, "/distance"));
    const auto text = ReadTrimmed(files, path);
    if (absl::IsNotFound(text.status())) continue;
    if (!text.ok()) return text.status();
    for (const absl::string_view word : absl::StrSplit(*text, ' ', absl::SkipEmpty())) {
      uint32_t distance = 0;
      if (!absl::SimpleAtoi(word, &distance)) {
        return absl::InvalidArgumentError(absl::StrCat(path, ": no list of distances: ", GoQuote(*text)));
      }
      all[node].push_back(distance);
    }
  }
  return all;
}

absl::StatusOr<std::string> ReadBootId(FileSystem& files, const std::string& path) {
  ASSIGN_OR_RETURN(std::string id, ReadTrimmed(files, path));
  if (id.empty()) return absl::InvalidArgumentError(absl::StrCat(path, ": empty"));
  return id;
}

std::string HostName() {
  std::array<char, HOST_NAME_MAX + 1> name = {};
  if (gethostname(name.data(), name.size() - 1) != 0) return "";
  return name.data();
}

}  // namespace kubelet_cm::life
