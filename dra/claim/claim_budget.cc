#include "dra/claim/claim_budget.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace kubelet_cm::dra {
namespace {

// No less than the names of the members and what stands between them take, quotes escaped as they are in the file.
constexpr size_t kClaimFrame = 160;
constexpr size_t kDriverFrame = 80;
constexpr size_t kDeviceFrame = 160;
constexpr size_t kHandleFrame = 80;
// Of a string: its quotes, escaped, and what separates it from the next.
constexpr size_t kStringFrame = 8;
// The longest that a byte becomes: "\\u0000" in a string in a string.
constexpr size_t kLongestByte = 8;

size_t BytesOf(std::string_view text) {
  size_t bytes = kStringFrame;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    bytes += absl::ascii_isalnum(byte) || c == '-' || c == '.' || c == '/' || c == '=' || c == '_' ? 1 : kLongestByte;
  }
  return bytes;
}

template <typename List>
size_t BytesOfAll(const List& list) {
  size_t bytes = 0;
  for (const auto& text : list) bytes += BytesOf(text);
  return bytes;
}

ClaimWeight WeightOf(const ClaimId& id) {
  return {.parts = 1, .bytes = kClaimFrame + BytesOf(id.namespace_name) + BytesOf(id.name) + BytesOf(id.uid)};
}

ClaimWeight WeightOf(const std::vector<ResourceHandle>& handles) {
  ClaimWeight weight;
  for (const ResourceHandle& handle : handles) {
    weight += {.parts = 1, .bytes = kHandleFrame + BytesOf(handle.driver_name) + BytesOf(handle.data)};
  }
  return weight;
}

template <typename List>
ClaimWeight WeightOfDriver(std::string_view name, const List& skipped) {
  return {.parts = 1, .bytes = kDriverFrame + BytesOf(name) + BytesOfAll(skipped)};
}

template <typename List>
ClaimWeight WeightOfDevices(const List& devices) {
  ClaimWeight weight;
  for (const ClaimDevice& device : devices) {
    weight += {.parts = 1,
               .bytes = kDeviceFrame + BytesOf(device.pool_name) + BytesOf(device.device_name) +
                        BytesOf(device.share_id.value_or("")) + BytesOfAll(device.request_names) +
                        BytesOfAll(device.cdi_device_ids)};
  }
  return weight;
}

}  // namespace

ClaimWeight& ClaimWeight::operator+=(const ClaimWeight& other) {
  parts += other.parts;
  bytes += other.bytes;
  return *this;
}

ClaimWeight& ClaimWeight::operator-=(const ClaimWeight& other) {
  parts -= other.parts;
  bytes -= other.bytes;
  return *this;
}

ClaimWeight WeightOf(const ClaimEntry& entry) {
  ClaimWeight weight = WeightOf(entry.id);
  weight += WeightOf(entry.handles);
  weight.bytes += BytesOfAll(entry.pods) + BytesOf(entry.class_name) + BytesOf(entry.driver_name);
  for (const auto& [name, driver] : entry.drivers) {
    weight += WeightOfDriver(name, driver.state.skip_node_operations);
    weight += WeightOfDevices(driver.state.devices);
  }
  return weight;
}

ClaimWeight WeightOf(const AllocatedClaim& claim, std::string_view pod_uid) {
  ClaimWeight weight = WeightOf(claim.id);
  weight += WeightOf(claim.handles);
  weight.bytes += BytesOf(pod_uid) + BytesOf(claim.class_name) + BytesOf(claim.driver_name);
  for (const auto& [name, driver] : claim.drivers) weight += WeightOfDriver(name, driver.skip_node_operations);
  return weight;
}

ClaimWeight WeightOf(absl::Span<const ClaimDevice> devices) { return WeightOfDevices(devices); }

absl::Status ClaimBudget::CheckRoomFor(const ClaimWeight& more) const {
  if (used_.parts + more.parts > limit_.parts) {
    return absl::ResourceExhaustedError(
        absl::StrCat("more than ", limit_.parts, " claims, drivers and devices; no more are taken"));
  }
  if (used_.bytes + more.bytes > limit_.bytes) {
    return absl::ResourceExhaustedError(absl::StrCat("what is known of claims would take more than ", limit_.bytes,
                                                     " bytes of the state file; no more is taken"));
  }
  return absl::OkStatus();
}

void ClaimBudget::Set(const ClaimEntry& entry) {
  ClaimWeight& weight = claims_[entry.id.Key()];
  used_ -= weight;
  weight = WeightOf(entry);
  used_ += weight;
}

void ClaimBudget::Remove(const std::string& key) {
  const auto found = claims_.find(key);
  if (found == claims_.end()) return;
  used_ -= found->second;
  claims_.erase(found);
}

}  // namespace kubelet_cm::dra
