// A device checkpoint's content as this project's tools and test data show it: keys in lower case, nil and empty kept
// apart.
//
//   {"entries": [{"podUID", "containerName", "resourceName", "deviceIDs", "allocResp", "allocRespParses"}],
//    "registered": {...}}
//
// deviceIDs has the shape of the format: a list by NUMA node, a list, or (v0-1.8) a single "deviceID" and no response.
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_CONTENT_JSON_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_CONTENT_JSON_H_

#include "common/gotext/json_writer.h"
#include "common/personality/personality.h"
#include "deviceplugin/checkpoint/device_content.h"

namespace kubelet_cm::deviceplugin {

// Whether a response parses is up to the kubelet that reads it.
void WriteDeviceContentJson(const DeviceContent& content, DeviceFormat shape, JsonWriter* writer,
                            const Personality& reader = LatestPersonality());

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_CONTENT_JSON_H_
