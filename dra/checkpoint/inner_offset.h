// Where in a file something stands of which the place in a JSON text inside of a JSON string is known.
//
// Pure functions.
#ifndef KUBELET_CM_DRA_CHECKPOINT_INNER_OFFSET_H_
#define KUBELET_CM_DRA_CHECKPOINT_INNER_OFFSET_H_

#include <cstdint>
#include <string_view>

namespace kubelet_cm::dra {

// The offset in `body`, a JSON string without its quotes, of the byte at `inner_offset` of the text that it stands for;
// the size of `body` for what lies behind the end.
int64_t OffsetInJsonString(std::string_view body, int64_t inner_offset);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CHECKPOINT_INNER_OFFSET_H_
