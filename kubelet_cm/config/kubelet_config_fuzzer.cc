// Any bytes: read as a KubeletConfiguration or refused in words. What was read and applied shows on /configz, and that
// page reads back as the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/status/check.h"
#include "kubelet_cm/config/kubelet_config.h"
#include "kubelet_cm/config/option_pages.h"

namespace kubelet_cm::config {
namespace {

// The KubeletConfiguration in the page.
std::string Inside(const std::string& page) {
  const size_t begin = page.find(':') + 1;
  return page.substr(begin, page.rfind('}') - begin);
}

void CheckReadsBack(const KubeletConfig& config) {
  DaemonOptions options;
  ApplyKubeletConfig(config, "/etc/kubernetes", &options);
  const std::string page = ConfigzJson(options);
  const auto again = ParseKubeletConfig(Inside(page));
  CHECK(again.ok()) << again.status() << " of " << page;
  CHECK(again->leftovers == ConfigLeftovers()) << page;
  DaemonOptions other;
  ApplyKubeletConfig(*again, "/", &other);
  CHECK(ConfigzJson(other) == page) << page;
}

}  // namespace
}  // namespace kubelet_cm::config

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = kubelet_cm::config::ParseKubeletConfig(text);
  if (!config.ok()) {
    CHECK(!config.status().message().empty()) << "refused without a word";
    return 0;
  }
  const auto& leftovers = config->leftovers;
  for (const auto* names : {&leftovers.not_honoured, &leftovers.unknown, &leftovers.other_feature_gates}) {
    CHECK(std::is_sorted(names->begin(), names->end())) << text;
  }
  kubelet_cm::config::CheckReadsBack(*config);
  return 0;
}
