// Contents for tests, fuzzers and measurements.
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_SAMPLE_CONTENT_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_SAMPLE_CONTENT_H_

#include <cstddef>
#include <string>

#include "deviceplugin/checkpoint/device_content.h"

namespace kubelet_cm::deviceplugin {

// An entry of `pod` with 8 devices on 2 NUMA nodes and an allocation response: some 560 bytes of JSON and 1,030 under
// the checksum.
DeviceEntry SampleEntry(size_t pod);

// That many of them, in the order of their keys, and one resource with as many devices as an entry holds.
DeviceContent SampleContent(size_t entries);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_SAMPLE_CONTENT_H_
