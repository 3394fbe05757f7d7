// The HealthClient of a driver on a unix socket.
#ifndef KUBELET_CM_DRA_HEALTH_GRPC_HEALTH_CLIENT_H_
#define KUBELET_CM_DRA_HEALTH_GRPC_HEALTH_CLIENT_H_

#include <memory>

#include "dra/api/dra_api.h"
#include "dra/health/health_client.h"
#include "dra/plugin/driver_connection.h"

namespace kubelet_cm::dra {

// For the connection that ConnectDriver made: when that is disconnected, streams end. How long a message may be is the
// channel's matter.
std::unique_ptr<HealthClient> NewGrpcHealthClient(DraHealthApi api, std::shared_ptr<DriverConnection> connection);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_HEALTH_GRPC_HEALTH_CLIENT_H_
