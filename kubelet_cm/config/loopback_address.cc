#include "kubelet_cm/config/loopback_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstring>

namespace kubelet_cm::config {

AddressKind KindOfAddress(const std::string& address) {
  in_addr four = {};
  if (inet_pton(AF_INET, address.c_str(), &four) == 1) {
    return ntohl(four.s_addr) >> 24 == 127 ? AddressKind::kLoopback : AddressKind::kOther;
  }
  in6_addr six = {};
  if (inet_pton(AF_INET6, address.c_str(), &six) != 1) return AddressKind::kNone;
  return std::memcmp(&six, &in6addr_loopback, sizeof(six)) == 0 ? AddressKind::kLoopback : AddressKind::kOther;
}

}  // namespace kubelet_cm::config
