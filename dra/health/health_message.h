// How much of what a driver says of a device's health is kept. Pure functions.
#ifndef KUBELET_CM_DRA_HEALTH_HEALTH_MESSAGE_H_
#define KUBELET_CM_DRA_HEALTH_HEALTH_MESSAGE_H_

#include <cstddef>
#include <string>

namespace kubelet_cm::dra {

inline constexpr size_t kMaxHealthMessageBytes = 1024;

// A message that is longer than that is cut, with "..." at its end, and never inside of a character.
std::string CutHealthMessage(std::string message);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_HEALTH_HEALTH_MESSAGE_H_
