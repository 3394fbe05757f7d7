// The DraClient of drivers that speak v1alpha2 or v1alpha1: one call for each claim and each of its resource handles,
// one after the other, with one time limit for all. Made by ConnectDriver.
#ifndef KUBELET_CM_DRA_PLUGIN_SINGULAR_DRA_CLIENT_H_
#define KUBELET_CM_DRA_PLUGIN_SINGULAR_DRA_CLIENT_H_

#include <memory>

#include "dra/api/dra_api.h"
#include "dra/plugin/dra_client.h"
#include "dra/plugin/driver_connection.h"

namespace kubelet_cm::dra {

// What becomes of an error that says something of the driver and not of a claim (DraClient).
enum class SingularErrors {
  kMayBeTheDrivers,  // it ends the whole
  kAreTheClaims,     // it is told as the claim's, as any other, and the next claim is asked about
};

// `api` is kV1Alpha2 or kV1Alpha1. After the first error about a claim its other handles are not asked about.
std::unique_ptr<DraClient> NewSingularDraClient(DraApi api, std::shared_ptr<DriverConnection> connection,
                                                SingularErrors errors = SingularErrors::kMayBeTheDrivers);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_SINGULAR_DRA_CLIENT_H_
