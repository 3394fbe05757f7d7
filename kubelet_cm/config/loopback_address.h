// The addresses at which HTTP may be served: this machine's own, which nobody reaches from outside.
#ifndef KUBELET_CM_KUBELET_CM_CONFIG_LOOPBACK_ADDRESS_H_
#define KUBELET_CM_KUBELET_CM_CONFIG_LOOPBACK_ADDRESS_H_

#include <string>

namespace kubelet_cm::config {

enum class AddressKind { kNone /*no IP address*/, kLoopback, kOther };

// Of 127.0.0.0/8 and ::1, as digits: names are not looked up.
AddressKind KindOfAddress(const std::string& address);

}  // namespace kubelet_cm::config

#endif  // KUBELET_CM_KUBELET_CM_CONFIG_LOOPBACK_ADDRESS_H_
