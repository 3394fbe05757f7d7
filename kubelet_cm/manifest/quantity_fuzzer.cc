// Any bytes: a quantity is within bounds, and its opposite is a quantity, too.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/status/check.h"
#include "kubelet_cm/manifest/quantity.h"

namespace kubelet_cm {
namespace {

void Parse(std::string_view bytes) {
  const auto quantity = ParseQuantity(bytes);
  if (!quantity.ok()) {
    CHECK(!quantity.status().message().empty());
    return;
  }
  if (bytes.starts_with('-') || bytes.starts_with('+') || bytes.size() == kMaxQuantitySize) return;
  const auto negative = ParseQuantity("-" + std::string(bytes));
  CHECK(negative.ok() && negative->value == -quantity->value && negative->is_whole == quantity->is_whole);
}

}  // namespace
}  // namespace kubelet_cm

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kubelet_cm::Parse(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
