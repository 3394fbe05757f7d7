// What plugins of the older APIs send, in terms of v1beta1. Plain functions, for any thread.
#ifndef KUBELET_CM_DEVICEPLUGIN_API_LEGACY_MESSAGES_H_
#define KUBELET_CM_DEVICEPLUGIN_API_LEGACY_MESSAGES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "deviceplugin/api/plugin_api.h"
#include "deviceplugin/api/v1alpha.pb.h"
#include "deviceplugin/api/v1beta1.pb.h"

namespace kubelet_cm::deviceplugin {

// Devices without topology: the older APIs know none.
v1beta1::ListAndWatchResponse FromLegacyList(const ::deviceplugin::ListAndWatchResponse& list);

struct LegacyAnswer {
  v1beta1::AllocateResponse response = {};  // about one container
  // What devices of one answer contradict each other about, in the order of finding: as the kubelet logs it, and the
  // name or path. The device that comes first in the answer wins.
  struct Conflict {
    const char* message;
    std::string key;
  };
  std::vector<Conflict> conflicts = {};
};

// `api` is kV1Alpha2, whose answer is about the container, or k01, whose answer is about each device. kInternal when
// the bytes are not of that API.
absl::StatusOr<LegacyAnswer> FromLegacyAnswer(PluginApi api, const ::deviceplugin::AllocateResponse& answer);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_API_LEGACY_MESSAGES_H_
