// The gRPC services by which a fake DRA driver tells of health, one per API, in front of a HealthFeed. Handlers run on
// gRPC's threads; they return when the feed's session is closed.
#ifndef KUBELET_CM_TESTING_FAKES_HEALTH_SERVICE_H_
#define KUBELET_CM_TESTING_FAKES_HEALTH_SERVICE_H_

#include <memory>

#include "dra/api/dra_api.h"
#include "grpcpp/impl/service_type.h"
#include "testing/fakes/health_feed.h"

namespace kubelet_cm::fakes {

// `feed` outlives the service.
std::unique_ptr<grpc::Service> NewHealthService(dra::DraHealthApi api, HealthFeed& feed, HealthFeed::SessionId session);

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_HEALTH_SERVICE_H_
