#include "testing/scenarios/driver_api.h"

#include <algorithm>
#include <string_view>

namespace kubelet_cm::scenarios {

using dra::DraApi;

DraApi NewestApiOf(const Personality& kubelet) {
  for (const DraApi api : {DraApi::kV1, DraApi::kV1Beta1, DraApi::kV1Alpha4, DraApi::kV1Alpha3, DraApi::kV1Alpha2}) {
    if (Speaks(kubelet, api)) return api;
  }
  return DraApi::kV1Alpha1;
}

bool Speaks(const Personality& kubelet, DraApi api) {
  const DraOffer& offer = kubelet.dra_offer;
  if (offer.versioned_api == dra::ApiName(api)) return true;
  if (offer.versioned_api == dra::ApiName(DraApi::kV1Alpha3) && api == DraApi::kV1Alpha2) return true;
  const std::string_view service = dra::ServiceName(api);
  return !service.empty() && std::find(offer.services.begin(), offer.services.end(), service) != offer.services.end();
}

}  // namespace kubelet_cm::scenarios
