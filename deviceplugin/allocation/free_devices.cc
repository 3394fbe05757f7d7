#include "deviceplugin/allocation/free_devices.h"

#include <utility>

#include "absl/numeric/bits.h"
#include "common/status/check.h"

namespace kubelet_cm::deviceplugin {
namespace {

constexpr size_t kBits = 64;

uint64_t BitOf(size_t index) { return uint64_t{1} << (index % kBits); }

}  // namespace

FreeDevices::FreeDevices(std::shared_ptr<const DeviceList> list, const DeviceHolders& holders)
    : list_(std::move(list)) {
  CHECK(list_ != nullptr) << "no list";
  free_.resize((list_->size() + kBits - 1) / kBits);
  size_t index = 0;
  for (const ListedDevice& device : list_->devices()) {
    if (device.healthy && !holders.IsHeld(device.id)) {
      free_[index / kBits] |= BitOf(index);
      ++count_;
    }
    ++index;
  }
}

void FreeDevices::SetHeld(std::string_view device, bool held) {
  const ListedDevice* const listed = list_->Find(device);
  if (listed == nullptr || !listed->healthy) return;
  const auto index = static_cast<size_t>(listed - list_->devices().data());
  uint64_t& bits = free_[index / kBits];
  const bool is_free = (bits & BitOf(index)) != 0;
  if (is_free != held) return;
  bits ^= BitOf(index);
  held ? --count_ : ++count_;
}

std::vector<CandidateDevice> FreeDevices::Devices() const {
  std::vector<CandidateDevice> devices;
  devices.reserve(count_);
  for (size_t word = 0; word < free_.size(); ++word) {
    for (uint64_t bits = free_[word]; bits != 0; bits &= bits - 1) {
      const ListedDevice& device = list_->devices()[word * kBits + static_cast<size_t>(absl::countr_zero(bits))];
      devices.push_back({.id = device.id, .numa_nodes = device.numa_nodes});
    }
  }
  return devices;
}

}  // namespace kubelet_cm::deviceplugin
