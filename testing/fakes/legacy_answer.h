// What a plugin of an older API sends, made of v1beta1. The way back is deviceplugin/api/legacy_messages.h.
#ifndef KUBELET_CM_TESTING_FAKES_LEGACY_ANSWER_H_
#define KUBELET_CM_TESTING_FAKES_LEGACY_ANSWER_H_

#include <string>
#include <vector>

#include "deviceplugin/api/plugin_api.h"
#include "deviceplugin/api/v1alpha.pb.h"
#include "deviceplugin/api/v1beta1.pb.h"

namespace kubelet_cm::fakes {

// Without topology, which those APIs do not know.
::deviceplugin::ListAndWatchResponse ToLegacyList(const ::v1beta1::ListAndWatchResponse& list);

// The answer about `ids`. v1alpha2 says what the container gets; 0.1 says it for each device, so that the settings lie
// in the first one and the other devices add nothing. Empty for an answer about no container.
::deviceplugin::AllocateResponse ToLegacyAnswer(deviceplugin::PluginApi api, const std::vector<std::string>& ids,
                                                const ::v1beta1::AllocateResponse& answer);

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_LEGACY_ANSWER_H_
