#include "common/unixsocket/grpc_lifetime.h"

#include <grpc/grpc.h>

namespace kubelet_cm {

void KeepGrpc() {
  [[maybe_unused]] static const bool kept = [] {
    grpc_init();  // never given back
    return true;
  }();
}

}  // namespace kubelet_cm
