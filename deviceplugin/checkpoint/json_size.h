// How much a text takes as a string of the state file, for whoever bounds it before it is written.
//
// Pure function.
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_JSON_SIZE_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_JSON_SIZE_H_

#include <cstddef>
#include <string_view>

namespace kubelet_cm::deviceplugin {

// No less than Go's JSON of it has, with quotes and a comma; exactly that for texts of ordinary characters. One look at
// each byte.
size_t JsonBytesAtMost(std::string_view text);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_JSON_SIZE_H_
