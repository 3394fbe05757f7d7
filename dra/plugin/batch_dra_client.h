// The DraClient of drivers that speak v1 or v1beta1: one call for all claims. Made by ConnectDriver.
#ifndef KUBELET_CM_DRA_PLUGIN_BATCH_DRA_CLIENT_H_
#define KUBELET_CM_DRA_PLUGIN_BATCH_DRA_CLIENT_H_

#include <memory>

#include "dra/api/dra_api.h"
#include "dra/plugin/dra_client.h"
#include "dra/plugin/driver_connection.h"

namespace kubelet_cm::dra {

// `api` is kV1 or kV1Beta1.
std::unique_ptr<DraClient> NewBatchDraClient(DraApi api, std::shared_ptr<DriverConnection> connection);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_BATCH_DRA_CLIENT_H_
