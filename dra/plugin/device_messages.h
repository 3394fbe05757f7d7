// A prepared device out of the message of any API that has one, and CDI names out of those that have nothing else.
// Plain functions, for any thread.
#ifndef KUBELET_CM_DRA_PLUGIN_DEVICE_MESSAGES_H_
#define KUBELET_CM_DRA_PLUGIN_DEVICE_MESSAGES_H_

#include <string>
#include <utility>
#include <vector>

#include "dra/checkpoint/claim_state.h"

namespace kubelet_cm::dra {

// As Go decodes a list: an empty one is nil.
template <typename Field>
StringList ToStringList(const Field& field) {
  StringList list;
  if (!field.empty()) list.Set(std::vector<std::string>(field.begin(), field.end()));
  return list;
}

// `Message` is the Device of v1, v1beta1 or v1alpha4.
template <typename Message>
ClaimDevice ToClaimDevice(const Message& message) {
  ClaimDevice device;
  device.pool_name = message.pool_name();
  device.device_name = message.device_name();
  if constexpr (requires { message.has_share_id(); }) {
    if (message.has_share_id()) device.share_id = message.share_id();
  }
  device.request_names = ToStringList(message.request_names());
  device.cdi_device_ids = ToStringList(message.cdi_device_ids());
  return device;
}

// Adds CDI names without a device to those of a claim that may have some already.
template <typename Field>
void AddCdiNames(const Field& names, std::vector<ClaimDevice>& devices) {
  if (names.empty()) return;
  if (devices.empty()) devices.emplace_back();
  StringList& ids = devices.front().cdi_device_ids;
  std::vector<std::string> all(ids.begin(), ids.end());
  all.insert(all.end(), names.begin(), names.end());
  ids.Set(std::move(all));
}

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_DEVICE_MESSAGES_H_
