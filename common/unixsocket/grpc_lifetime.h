// KeepGrpc: gRPC stays up until the process ends.
//
// gRPC starts with its first object and shuts down with its last one, and that destructor may wait 10 s for a poller of
// its own. A process that has spoken gRPC once pays nothing for keeping it. For any thread, any number of times.
#ifndef KUBELET_CM_COMMON_UNIXSOCKET_GRPC_LIFETIME_H_
#define KUBELET_CM_COMMON_UNIXSOCKET_GRPC_LIFETIME_H_

namespace kubelet_cm {

void KeepGrpc();

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_UNIXSOCKET_GRPC_LIFETIME_H_
