// The ModelClient of a driver on a unix socket: NodeListAndWatchResources of v1alpha3.Node.
#ifndef KUBELET_CM_DRA_SLICES_GRPC_MODEL_CLIENT_H_
#define KUBELET_CM_DRA_SLICES_GRPC_MODEL_CLIENT_H_

#include <memory>

#include "dra/plugin/driver_connection.h"
#include "dra/slices/model_client.h"

namespace kubelet_cm::dra {

// For the connection that ConnectDriver made: when that is disconnected, streams end.
std::unique_ptr<ModelClient> NewGrpcModelClient(std::shared_ptr<DriverConnection> connection);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_SLICES_GRPC_MODEL_CLIENT_H_
